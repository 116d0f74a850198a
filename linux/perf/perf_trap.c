// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_trap.c - attr.sigtrap: an overflow sends the task a SIGTRAP with its siginfo. The NMI notes
 * the overflow for the current task, and sends its own CPU an interrupt. That arrives before the
 * next instruction of ring 3, and sends the signal. While an overflow is noted and not yet sent,
 * further ones are dropped.
 */
#include "linux/perf/perf_trap.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/apic.h"
#include "lib/percpu.h"
#include "linux/perf/ptrace_watch.h"
#include "linux/task/sched.h"
#include "linux/task/task.h"
#include "rt/base/vectors.h"

#include <asm/siginfo.h>

/* State of this CPU. */
static PERCPU struct {
	uint32_t tid; /* 0: none is noted */
	uint32_t type;
	bool watched; /* hit of a tracer's debug register */
	uint64_t data, address;
} noted;

void perf_trap_note(const struct perf_event_attr *attr, uint64_t address)
{
	struct task *t = sched_current();
	bool watched;

	if (!t)
		return;
	watched = t->trace.watch && ptrace_watch_hit(t, attr);
	if (noted.tid)
		return;
	noted.watched = watched;
	noted.type = attr->type;
	noted.data = attr->sig_data;
	noted.address = address;
	__atomic_store_n(&noted.tid, t->tid, __ATOMIC_RELEASE);
	apic_send_self(VECTOR_WORK);
}

/* A blocked signal is marked as asynchronous: it arrives later than its cause. */
static int send_trap(struct task *t, void *arg)
{
	siginfo_t *info = arg;

	if (info->si_code == TRAP_HWBKPT)
		info->si_addr = (void *)user_ip();
	else if (t->signals.blocked & signal_bit(SIGTRAP))
		info->si_perf_flags = TRAP_PERF_FLAG_ASYNC;
	signal_send_task(t, info);
	return 0;
}

void perf_trap_send(void)
{
	const uint32_t tid = __atomic_load_n(&noted.tid, __ATOMIC_ACQUIRE);
	siginfo_t info;

	if (!tid)
		return;
	info = signal_info(SIGTRAP, noted.watched ? TRAP_HWBKPT : TRAP_PERF);
	info.si_addr = (void *)noted.address;
	if (!noted.watched) {
		info.si_perf_data = noted.data;
		info.si_perf_type = noted.type;
	}
	__atomic_store_n(&noted.tid, 0, __ATOMIC_RELEASE);
	task_with((int)tid, send_trap, &info);
}

void perf_trap_forget(uint32_t tid)
{
	if (noted.watched && noted.tid == tid)
		noted.tid = 0;
}
