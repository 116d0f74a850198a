// SPDX-License-Identifier: BSD-2-Clause
/* trace_host.c - see tracepoints.h: defines the tracepoints, and the functions of the machine that
 * they share. */
#define TRACE_DEFINE
#include "rt/base/tracepoints.h"

#include "arch/x86/smp/smp.h"
#include "arch/x86/cpu/trap.h"
#include "pmu/api/pmu.h"
#include "rt/clock/hrtimer.h"
#include "linux/syscall/syscall.h"
#include "linux/task/sched.h"

static uint32_t current_tid(void)
{
	return task_current()->tid;
}

static void trace_armed(bool on)
{
	trap_trace(on);
	hrtimer_trace(on);
	syscall_trace(on);
}

/* Copies the tracepoint's key (on or off) into the running program's data. Later programs copy it
 * from the image. */
static void user_key(const struct trace_key *key)
{
	struct task *t = sched_current();

	if (t)
		exec_refresh(t->process->mm, key, sizeof(*key));
}

void trace_start(void)
{
	static const struct trace_host host = {
		.context = trap_context,
		.current_tid = current_tid,
		.told = pmu_trace_hit,
		.armed = trace_armed,
		.user_key = user_key,
	};

	trace_init(&host);
}

static void add_refused(void *arg)
{
	*(uint64_t *)arg += trace_refused();
}

uint64_t trace_refused_everywhere(void)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		smp_call(cpu, add_refused, &sum);
	return sum;
}
