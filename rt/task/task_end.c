// SPDX-License-Identifier: BSD-2-Clause
/* task_end.c - how tasks end: what they leave, and parents that wait for it. */
#include "rt/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "rt/perf/region.h"
#include "rt/task/sched.h"

#include <linux/errno.h>

struct process *task_kept;

static void drop_memory(struct process *p)
{
	perf_close_all(&p->perf);
	if (p != task_kept)
		process_destroy(p);
}

/* With the lock, for a CPU that finds the task finds its memory too (task_each()). */
void task_change_memory(struct task *t)
{
	uint64_t flags = task_lock_tree();
	struct process *old = t->process;

	t->process = t->enters;
	t->enters = NULL;
	task_unlock_tree(flags);
	if (t == &task_first)
		task_kept = t->process;
	space_enter(&t->process->space);
	drop_memory(old);
}

void task_forget_memory(void)
{
	struct process *old = task_kept;
	uint64_t flags;

	if (!old)
		return;
	flags = irq_save();
	sched_enter_nothing();
	irq_restore(flags);
	task_kept = NULL;
	process_destroy(old);
}

/* No task asks for its children any more; those that have ended go with it. */
static void leave_children(struct task *t)
{
	for (struct task *c = task_tree.first, *next; c; c = next) {
		next = c->next_task;
		if (c->parent != t)
			continue;
		c->parent = NULL;
		if (c->gone)
			task_forget(c);
	}
}

static bool is_waited_for(const struct task *t)
{
	const struct task *p = t->parent;

	return p && p->waits_for_child && (p->wait_for == -1 || p->wait_for == (int)t->tid);
}

/* NULL: other tasks are in it, which may end at once, and the process with them. */
static struct process *leave_process(struct task *t)
{
	struct process *p = t->process;
	uint64_t flags;

	process_free_stack(p, t->stack);
	flags = task_lock_tree();
	t->process = NULL;
	if (--p->threads)
		p = NULL;
	task_unlock_tree(flags);
	return p;
}

static void leave_tree(struct task *t)
{
	uint64_t flags = task_lock_tree();

	task_run_add_times(t);
	leave_children(t);
	t->gone = true;
	if (is_waited_for(t))
		sched_wake(t->parent);
	if (!t->parent)
		task_forget(t);
	if (!--task_tree.live)
		smp_kick(0);
	task_unlock_tree(flags);
}

static void end_events(struct task *t)
{
	if (t == &task_first)
		pmu_output_exit(&t->events);
	else
		pmu_task_exit(&t->events);
}

void task_gone(struct task *t)
{
	struct process *p;

	task_run_note_gone();
	end_events(t);
	region_leave(&t->regions);
	perf_task_gone(t);
	p = leave_process(t);
	if (p)
		drop_memory(p);
	leave_tree(t);
}

/* --- Waiting for children --- */

static long wait_again(struct task *t);

/* The tid of a child that has ended, which is forgotten. -EAGAIN: none has yet; -ECHILD. With the
 * lock. */
static long reap_child(const struct task *t, int tid, int32_t *status)
{
	long result = -ECHILD;

	for (struct task *c = task_tree.first; c; c = c->next_task) {
		if (c->parent != t || (tid != -1 && (int)c->tid != tid))
			continue;
		if (!c->gone) {
			result = -EAGAIN;
			continue;
		}
		result = c->tid;
		*status = c->status;
		task_forget(c);
		break;
	}
	return result;
}

/* 0: it sleeps now. */
static long reap_or_sleep(struct task *t, bool hang, int32_t *status)
{
	uint64_t flags = task_lock_tree();
	long tid = reap_child(t, t->wait_for, status);

	t->waits_for_child = tid == -EAGAIN && hang;
	if (t->waits_for_child)
		sched_prepare_sleep(0, wait_again);
	task_unlock_tree(flags);
	return tid == -EAGAIN ? 0 : tid;
}

static long tell_status(struct task *t, long tid, int32_t status)
{
	if (tid > 0 && t->status_to && copy_to_user(t->status_to, &status, sizeof(status)))
		return -EFAULT;
	return tid;
}

static long wait_again(struct task *t)
{
	int32_t status = 0;
	long tid = reap_or_sleep(t, true, &status);

	return tell_status(t, tid, status);
}

long task_wait(struct task *t, int tid, uint64_t status_to, bool hang)
{
	int32_t status = 0;
	long child;

	t->wait_for = tid;
	t->status_to = status_to;
	child = reap_or_sleep(t, hang, &status);
	if (t->waits_for_child)
		sched_sleep();
	return tell_status(t, child, status);
}
