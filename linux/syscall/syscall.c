// SPDX-License-Identifier: BSD-2-Clause
/* syscall.c - see syscall.h. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "include/perf0/perf0_syscalls.h"
#include "lib/string.h"
#include "rt/clock/hrtimer.h"
#include "rt/print/print.h"
#include "rt/base/tracepoints.h"
#include "linux/syscall/syscall_names.h"
#include "linux/task/sched.h"

#include <linux/errno.h>

#define LINUX_ROWS 512
#define PERF0_ROWS (PERF0_SYS_LAST + 1 - PERF0_SYS_FIRST)

static syscall_fn *linux_rows[LINUX_ROWS], *perf0_rows[PERF0_ROWS];
static user_brief *brief_calls[USER_BRIEF_CALLS];

/* --- Unknown calls --- */

#define MISSING_MOST 32

static struct {
	struct lock lock;
	unsigned n;
	struct missing {
		long number;
		uint64_t count;
		uint32_t tid; /* the first task that made it */
		char comm[TASK_COMM];
	} row[MISSING_MOST];
} missing;

static struct missing *missing_row(long number)
{
	for (unsigned i = 0; i < missing.n; i++)
		if (missing.row[i].number == number)
			return &missing.row[i];
	return NULL;
}

static long note_missing(const struct task *t, long number)
{
	struct missing *row;

	lock_take(&missing.lock);
	row = missing_row(number);
	if (!row && missing.n < MISSING_MOST) {
		row = &missing.row[missing.n++];
		*row = (struct missing){.number = number, .tid = t->tid};
		memcpy(row->comm, t->comm, sizeof(row->comm));
	}
	if (row)
		row->count++;
	lock_release(&missing.lock);
	return -ENOSYS;
}

void syscall_tell_missing(void)
{
	for (unsigned i = 0; i < missing.n; i++) {
		const struct missing *m = &missing.row[i];
		const char *name = syscall_name(m->number);

		err("task %u (%s): system call %ld (%s) is not there: ENOSYS, %llu time%s\n",
		    m->tid, m->comm, m->number, name ? name : "no name",
		    (unsigned long long)m->count, m->count == 1 ? "" : "s");
	}
	missing.n = 0;
}

/* --- Calls --- */

static syscall_fn *syscall_fn_of(long number)
{
	syscall_fn *fn = NULL;

	if ((unsigned long)number < LINUX_ROWS)
		fn = linux_rows[number];
	else if ((unsigned long)number - PERF0_SYS_FIRST < PERF0_ROWS)
		fn = perf0_rows[number - PERF0_SYS_FIRST];
	return fn;
}

/* The call is to be repeated, even if another thread has taken the signal in the meantime. */
static bool is_broken_off(long result)
{
	return result == -SIGNAL_RESTART || result == -SIGNAL_RESTART_NO_HANDLER;
}

/* The task may have more to do than return: then it leaves ring 3 here. */
static __attribute__((noinline)) void heed(struct task *t, long result)
{
	if (t->state != TASK_RUNNING)
		sched_sleep();
	if (t->enters)
		sched_restart();
	if (signal_waits(t) || is_broken_off(result))
		sched_take_signals(result);
	task_heeds_no_more(t);
}

/* A call that sleeps or was interrupted leaves ring 3 here: the scheduler completes it. */
static long end_syscall(struct task *t, long result)
{
	if (__builtin_expect(t->heeds, false))
		heed(t, result);
	t->syscall = -1;
	return result;
}

static long dispatch_syscall(long number, struct trap_frame *f)
{
	struct task *t = sched_running;
	syscall_fn *fn = syscall_fn_of(number);

	if (__builtin_expect(!fn, false))
		return note_missing(t, number);
	t->syscall = number;
	return end_syscall(t, fn(f));
}

/* A tracer may have replaced the number of the call. With a number below 0 no call is made. */
static long call_for_tracer(struct task *t, long number, struct trap_frame *f)
{
	syscall_fn *fn = syscall_fn_of(number);

	if (number < 0)
		return (long)f->rax;
	if (!fn)
		return note_missing(t, number);
	trace(sys_enter, number, f->rdi, f->rsi, f->rdx);
	return fn(f);
}

/* System call of a traced task: each one leaves ring 3, and the scheduler stops the task where a
 * stop is due. */
static _Noreturn void dispatch_watched(struct task *t, long number, struct trap_frame *f)
{
	long result;

	t->syscall = number < 0 ? 0 : number;
	if (t->trace.call == PTRACE_NO_CALL && ptrace_enters_call(t, number)) {
		f->rax = (uint64_t)-ENOSYS;
		sched_stop_at_call();
	}
	result = call_for_tracer(t, number, f);
	if (t->state != TASK_RUNNING)
		sched_sleep();
	if (t->enters)
		sched_restart();
	sched_take_signals(result);
}

/* Used while a tracepoint is open, or a task has a tracer. */
static long dispatch_traced(long number, struct trap_frame *f)
{
	struct task *t = sched_running;
	syscall_fn *fn = syscall_fn_of(number);
	long result;

	if (t->trace.by)
		dispatch_watched(t, number, f);
	if (!fn)
		return note_missing(t, number);
	t->syscall = number;
	trace(sys_enter, number, f->rdi, f->rsi, f->rdx);
	result = fn(f);
	if (t->state == TASK_RUNNING)
		trace(sys_exit, number, result);
	return end_syscall(t, result);
}

static const struct user_syscalls plain_calls = {.call = dispatch_syscall, .brief = brief_calls},
				  traced_calls = {.call = dispatch_traced};

static struct {
	struct lock lock;
	bool trace, watch;
} wants;

static void set_calls(bool *which, bool on)
{
	const uint64_t flags = irq_save();

	lock_take(&wants.lock);
	*which = on;
	user_set_syscalls(wants.trace || wants.watch ? &traced_calls : &plain_calls);
	lock_release(&wants.lock);
	irq_restore(flags);
}

void syscall_trace(bool on)
{
	set_calls(&wants.trace, on);
}

void syscall_watch(bool on)
{
	set_calls(&wants.watch, on);
}

long syscall_again(struct task *t)
{
	wait_set_end(&t->waits);
	return syscall_fn_of(t->syscall)(&t->user.regs);
}

long syscall_nothing(struct trap_frame *f)
{
	(void)f;
	return 0;
}

/* --- Start-up --- */

static void install_call(const struct syscall_row *row)
{
	if (row->number < LINUX_ROWS)
		linux_rows[row->number] = row->fn;
	else
		perf0_rows[row->number - PERF0_SYS_FIRST] = row->fn;
}

void syscall_init(void)
{
	static const struct syscall_row *const topics[] = {
		syscall_mem_rows,        syscall_task_rows,    syscall_futex_rows,
		syscall_sched_rows,      syscall_signal_rows,  syscall_time_rows,
		syscall_timer_rows,      syscall_info_rows,    syscall_file_rows,
		syscall_path_rows,       syscall_poll_rows,    syscall_perf_event_rows,
		syscall_perf0_rows,      syscall_absent_rows,  syscall_priority_rows,
		syscall_prctl_rows,      syscall_wait_rows,    syscall_ptrace_rows,
		syscall_process_vm_rows, syscall_ipc_rows,     syscall_user_rows,
		syscall_socket_rows,     syscall_message_rows,
	};

	static const struct syscall_brief_row *const brief[] = {
		syscall_task_brief,
		syscall_user_brief,
		syscall_time_brief,
		syscall_file_brief,
	};

	for (size_t i = 0; i < sizeof(topics) / sizeof(topics[0]); i++)
		for (const struct syscall_row *row = topics[i]; row->fn; row++)
			install_call(row);
	for (size_t i = 0; i < sizeof(brief) / sizeof(brief[0]); i++)
		for (const struct syscall_brief_row *row = brief[i]; row->fn; row++)
			brief_calls[row->number] = row->fn;
	syscall_trace(false);
	syscall_serve_tasks();
}
