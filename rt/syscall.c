// SPDX-License-Identifier: BSD-2-Clause
/*
 * syscall.c - the system calls, as rows. Runs on the kernel stack with interrupts off; only SLEEP
 * turns them on, while it waits.
 */
#include "rt/syscall.h"

#include "arch/x86/insn.h"
#include "arch/x86/tsc.h"
#include "arch/x86/user.h"
#include "include/perf0/workload.h"
#include "pmu/pmu.h"
#include "rt/hrtimer.h"
#include "rt/print.h"
#include "rt/syscall_perf.h"
#include "rt/task.h"
#include "rt/trace.h"

#include <linux/errno.h>
#include <stddef.h>

#define PRINT_MAX 512 /* bytes of one PRINT */

/* Time spent in one state, which may go on. */
struct span {
	uint64_t ns, since; /* since 0: not now */
};

static struct {
	struct span inside, asleep;
	int exit_status;
} syscalls;

static void span_begin(struct span *s)
{
	s->since = clock_ns();
}

static uint64_t span_until(const struct span *s, uint64_t now)
{
	return s->ns + (s->since ? now - s->since : 0);
}

/* Returns how long it was. */
static uint64_t span_end(struct span *s)
{
	uint64_t before = s->ns;

	s->ns = span_until(s, clock_ns());
	s->since = 0;
	return s->ns - before;
}

static long sys_exit(long status, long unused1, long unused2)
{
	(void)unused1;
	(void)unused2;
	syscalls.exit_status = (int)(status & 0xff);
	user_leave(TASK_EXITED);
}

static long sys_print(long text, long bytes, long unused)
{
	char copy[PRINT_MAX];
	int err;

	(void)unused;
	if (bytes < 0 || bytes > PRINT_MAX)
		return -EINVAL;
	err = copy_from_user(copy, (uint64_t)text, (size_t)bytes);
	if (err)
		return err;
	out_text(copy, (size_t)bytes);
	return bytes;
}

static long sys_time(long unused0, long unused1, long unused2)
{
	(void)unused0;
	(void)unused1;
	(void)unused2;
	return (long)clock_ns();
}

static void wake_up(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	(void)frame;
	trace(sched_wakeup, task_events(), task_comm(), TASK_PID, task_current()->cpu);
}

/* The last thing that the task's own events see of it. */
static __attribute__((noinline)) void note_switch(void)
{
	const struct pmu_regs here = {.ip = (uintptr_t)__builtin_return_address(0)};

	pmu_software(PERF_COUNT_SW_CONTEXT_SWITCHES, &here, 0);
}

/* The timer is static: user_leave() drops this stack while it may still be armed. */
static long sys_sleep(long ns, long unused1, long unused2)
{
	static struct hrtimer timer = {.fn = wake_up};
	uint64_t slept;

	(void)unused1;
	(void)unused2;
	if (ns < 0)
		return -EINVAL;
	hrtimer_start(&timer, (uint64_t)ns);
	note_switch();
	task_leave_cpu(TRACE_SLEEPS);
	span_begin(&syscalls.asleep);
	while (hrtimer_armed(&timer)) {
		task_check_interrupt();
		irq_enable_and_halt();
		irq_disable();
	}
	task_check_interrupt();
	slept = span_end(&syscalls.asleep);
	trace(sched_stat_sleep, task_events(), task_comm(), TASK_PID, slept);
	task_enter_cpu();
	return 0;
}

/* Ring 3 hits one of its tracepoints (USER_TRACE_EVENT of apps/workloads/crt.h). */
static long sys_trace(long id, long entry, long bytes)
{
	const struct trace_event *event = trace_by_id((uint64_t)id);

	if (!event || !event->user)
		return -ENOENT;
	return trace_hit_user(event, (uint64_t)entry, (uint64_t)bytes, user_ip(), copy_from_user);
}

static long (*const table[])(long, long, long) = {
	[WORKLOAD_SYS_EXIT] = sys_exit,   [WORKLOAD_SYS_PRINT] = sys_print,
	[WORKLOAD_SYS_TIME] = sys_time,   [WORKLOAD_SYS_SLEEP] = sys_sleep,
	[WORKLOAD_SYS_TRACE] = sys_trace,
};

static long (*find(unsigned long nr))(long, long, long)
{
	if (nr < sizeof(table) / sizeof(table[0]))
		return table[nr];
	nr -= SYSCALL_PERF_FIRST;
	return nr < SYSCALL_PERF_ROWS ? syscall_perf_rows[nr] : NULL;
}

static long dispatch(long nr, long a0, long a1, long a2)
{
	long (*fn)(long, long, long) = find((unsigned long)nr);
	long result;

	if (!fn)
		return -ENOSYS;
	span_begin(&syscalls.inside);
	trace(sys_enter, nr, (unsigned long)a0, (unsigned long)a1, (unsigned long)a2);
	result = fn(a0, a1, a2);
	trace(sys_exit, nr, result);
	span_end(&syscalls.inside);
	return result;
}

void syscall_init(void)
{
	user_set_syscall(dispatch);
}

void syscall_reset(void)
{
	syscalls.inside = syscalls.asleep = (struct span){0};
	syscalls.exit_status = 0;
}

struct syscall_times syscall_times(uint64_t now)
{
	return (struct syscall_times){
		.inside = span_until(&syscalls.inside, now),
		.asleep = span_until(&syscalls.asleep, now),
	};
}

int syscall_exit_status(void)
{
	return syscalls.exit_status;
}
