// SPDX-License-Identifier: BSD-2-Clause
/* sys_wait.c - wait4(2), waitid(2): children that have ended, stopped, or gone on, and tasks that
 * the process traces. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "rt/base/heap.h"
#include "linux/task/ptrace_parts.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"
#include "linux/task/task_parts.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/wait.h>

#define CONTINUED_STATUS 0xffff /* WIFCONTINUED() of wait(2) */

/* The target and the result of a wait. */
struct waiting {
	struct process *by;
	int pid; /* as wait4(2) has it */
	uint64_t options;

	uint32_t found;  /* its id; 0: none */
	int status, why; /* as wait4(2) has it; CLD_... */
	struct task_usage usage;
};

static bool is_meant(const struct waiting *w, uint32_t id, uint32_t group)
{
	if (w->pid > 0)
		return id == (uint32_t)w->pid;
	return w->pid == -1 || group == (w->pid ? (uint32_t)-w->pid : w->by->group);
}

static void find(struct waiting *w, uint32_t id, int status, int why)
{
	w->found = id;
	w->status = status;
	w->why = why;
}

static void find_end(struct waiting *w, uint32_t id, int status)
{
	find(w, id, status, status & 0x7f ? CLD_KILLED : CLD_EXITED);
}

static bool keeps(const struct waiting *w)
{
	return w->options & WNOWAIT;
}

/* --- Children: with the lock --- */

static void find_ended(struct waiting *w, struct process *c)
{
	find_end(w, c->pid, c->status);
	w->usage = c->used;
	usage_add(&w->usage, &c->children);
	if (keeps(w))
		return;
	if (c->held_by == w->by && c->parent != w->by) {
		ptrace_release(c);
		return;
	}
	usage_add(&w->by->children, &w->usage);
	task_unlink_process(c);
}

static void find_job(struct waiting *w, struct process *c)
{
	if (c->stop_unreported && w->options & WUNTRACED) {
		find(w, c->pid, c->stop_signal << 8 | 0x7f, CLD_STOPPED);
		c->stop_unreported = keeps(w);
	} else if (c->continue_unreported && w->options & WCONTINUED) {
		find(w, c->pid, CONTINUED_STATUS, CLD_CONTINUED);
		c->continue_unreported = keeps(w);
	}
}

static bool is_awaited(const struct waiting *w, const struct process *c)
{
	return (c->parent == w->by || c->held_by == w->by) && is_meant(w, c->pid, c->group);
}

/* A tracer that is not the parent collects the status first. */
static bool has_ended(const struct waiting *w, const struct process *c)
{
	return c->dead && (!c->held_by || c->held_by == w->by);
}

static bool look_at_processes(struct waiting *w)
{
	bool any = false;

	for (struct process *c = task_tree.processes, *next; c && !w->found; c = next) {
		next = c->next;
		if (!is_awaited(w, c))
			continue;
		any = true;
		if (has_ended(w, c) && w->options & WEXITED)
			find_ended(w, c);
		else if (c->threads)
			find_job(w, c);
	}
	return any;
}

/* --- Traced tasks: with the lock --- */

static bool look_at_traced(struct waiting *w)
{
	bool any = false;

	for (struct task *t = task_tree.first; t && !w->found; t = t->next_task) {
		struct ptrace_state *s = &t->trace;

		if (s->by != w->by || !t->process || !is_meant(w, t->tid, t->process->group))
			continue;
		any = true;
		if (!s->unreported)
			continue;
		find(w, t->tid, s->code << 8 | 0x7f, CLD_TRAPPED);
		s->unreported = keeps(w);
	}
	return any;
}

static bool look_at_ends(struct waiting *w)
{
	for (struct ptrace_end **at = &w->by->traced_ends; *at; at = &(*at)->next) {
		struct ptrace_end *end = *at;

		if (!is_meant(w, end->tid, end->group) || !(w->options & WEXITED))
			continue;
		find_end(w, end->tid, end->status);
		if (keeps(w))
			return true;
		*at = end->next;
		heap_free(end);
		return true;
	}
	return false;
}

/* --- The calls --- */

/* -ECHILD: no such child; -EAGAIN: no child has news. */
static int find_news(struct waiting *w)
{
	bool any = look_at_traced(w);

	any |= !w->found && look_at_ends(w);
	any |= !w->found && look_at_processes(w);
	if (w->found)
		return 0;
	return any ? -EAGAIN : -ECHILD;
}

/* 1: found; 0: none, or the task sleeps; -errno. */
static long await(struct waiting *w)
{
	struct task *t = sched_current();
	uint64_t flags = task_lock_tree();
	int err;

	w->by = t->process;
	err = find_news(w);
	t->waits_for_child = err == -EAGAIN && !(w->options & WNOHANG);
	if (t->waits_for_child && signal_waits(t)) {
		t->waits_for_child = false;
		err = -SIGNAL_RESTART;
	}
	if (t->waits_for_child)
		sched_prepare_sleep(0, true);
	task_unlock_tree(flags);
	return err == -EAGAIN ? 0 : err ? err : 1;
}

static long sys_wait4(struct trap_frame *f)
{
	struct waiting w = {.pid = (int)f->rdi, .options = f->rdx | WEXITED};
	long found;

	if (f->rdx &
	    ~(uint64_t)(WNOHANG | WUNTRACED | WCONTINUED | __WALL | __WCLONE | __WNOTHREAD))
		return -EINVAL;
	if (w.pid == INT32_MIN) /* its negative is no group */
		return -ESRCH;
	found = await(&w);
	if (found <= 0)
		return found;
	if ((f->rsi && copy_to_user(f->rsi, &w.status, sizeof(w.status))) ||
	    (f->r10 && usage_write(f->r10, &w.usage, 0)))
		return -EFAULT;
	return w.found;
}

/* si_status: the exit status, or the signal that ended or stopped it. */
static int si_status_of(const struct waiting *w)
{
	if (w->why == CLD_CONTINUED)
		return SIGCONT;
	return w->why == CLD_KILLED ? w->status & 0x7f : w->status >> 8;
}

#define WAITID_OPTIONS                                                                        \
	((uint64_t)(WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED | __WALL | __WCLONE | \
		    __WNOTHREAD))

static long sys_waitid(struct trap_frame *f)
{
	struct waiting w = {
		.pid = f->rdi == P_ALL   ? -1
		       : f->rdi == P_PID ? (int)f->rsi
		       : f->rsi          ? -(int)f->rsi
					 : 0,
		.options = f->r10,
	};
	siginfo_t info = signal_info(0, 0);
	long found;

	if (f->rdi > P_PIDFD || f->r10 & ~WAITID_OPTIONS ||
	    !(f->r10 & (WEXITED | WSTOPPED | WCONTINUED)) ||
	    (f->rdi == P_PID && (int)f->rsi <= 0) || (f->rdi != P_ALL && (int)f->rsi < 0))
		return -EINVAL;
	if (f->rdi == P_PIDFD) /* a process has no file descriptor here */
		return -EBADF;
	found = await(&w);
	if (found < 0)
		return found;
	if (found) {
		info = signal_info(SIGCHLD, w.why);
		info.si_pid = (int)w.found;
		info.si_status = si_status_of(&w);
		if (f->r8 && usage_write(f->r8, &w.usage, 0))
			return -EFAULT;
	}
	return f->rdx && copy_to_user(f->rdx, &info, sizeof(info)) ? -EFAULT : 0;
}

const struct syscall_row syscall_wait_rows[] = {
	{__NR_wait4, sys_wait4},
	{__NR_waitid, sys_waitid},
	{0, NULL},
};
