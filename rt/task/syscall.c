// SPDX-License-Identifier: BSD-2-Clause
/* syscall.c - the system calls, as rows. Runs on the CPU's stack with interrupts off. */
#include "rt/task/syscall.h"

#include "arch/x86/insn.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/cpu/user.h"
#include "include/perf0/workload.h"
#include "pmu/api/pmu.h"
#include "rt/clock/hrtimer.h"
#include "rt/console/print.h"
#include "rt/task/sched.h"
#include "rt/perf/syscall_perf.h"
#include "rt/task/syscall_task.h"
#include "rt/perf/trace.h"

#include <linux/errno.h>
#include <stddef.h>

#define PRINT_MAX 512 /* bytes of one PRINT */

static long sys_exit(long status, long unused1, long unused2)
{
	(void)unused1;
	(void)unused2;
	sched_exit(TASK_EXITED, (int)(status & 0xff));
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

static long sys_sleep(long ns, long unused1, long unused2)
{
	(void)unused1;
	(void)unused2;
	if (ns < 0)
		return -EINVAL;
	sched_prepare_sleep(0, NULL);
	hrtimer_start(&sched_current()->timer, (uint64_t)ns);
	sched_sleep();
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

/* Once for each task: it may be a program for another system. */
static long refuse_syscall(struct task *t, long nr)
{
	if (!t->told_unknown)
		err("task %u (%s): there is no system call %ld; programs for other systems are not supported\n",
		    t->tid, t->comm, nr);
	t->told_unknown = true;
	return -ENOSYS;
}

#define ROWS (WORKLOAD_SYS_PERF_LAST + 1)

typedef long handler(long, long, long);

static handler *rows[ROWS]; /* all tables as one */

/* While a tracepoint of system calls is open. */
static __attribute__((noinline)) long call_traced(long nr, long a0, long a1, long a2)
{
	long result;

	trace(sys_enter, nr, (unsigned long)a0, (unsigned long)a1, (unsigned long)a2);
	result = rows[nr](a0, a1, a2);
	trace(sys_exit, nr, result);
	return result;
}

/* A call that sleeps or moves its task does not come back: the scheduler does what is left to do.
 */
static long dispatch_syscall(long nr, long a0, long a1, long a2)
{
	struct task *t = sched_running;
	long result;

	if (__builtin_expect((unsigned long)nr >= ROWS || !rows[nr], false))
		return refuse_syscall(t, nr);
	t->syscall = nr;
	t->entered = rdtsc();
	if (__builtin_expect(trace_on(&trace_key_sys_enter) || trace_on(&trace_key_sys_exit),
			     false))
		result = call_traced(nr, a0, a1, a2);
	else
		result = rows[nr](a0, a1, a2);
	t->inside += rdtsc() - t->entered;
	t->entered = 0;
	t->syscall = -1;
	return result;
}

static void add_rows(unsigned first, handler *const *from, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		rows[first + i] = from[i];
}

void syscall_init(void)
{
	add_rows(0, table, sizeof(table) / sizeof(table[0]));
	add_rows(SYSCALL_TASK_FIRST, syscall_task_rows, SYSCALL_TASK_ROWS);
	add_rows(SYSCALL_PERF_FIRST, syscall_perf_rows, SYSCALL_PERF_ROWS);
	user_set_syscall(dispatch_syscall);
}
