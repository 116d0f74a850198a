// SPDX-License-Identifier: BSD-2-Clause
/* task_end.c - the end of tasks, and of processes with their last thread. */
#include "linux/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "linux/task/ptrace_parts.h"
#include "linux/task/ptimer.h"
#include "linux/task/sched.h"
#include "linux/task/task_host.h"

#include <linux/errno.h>

struct mm *task_kept;

int task_status(int status)
{
	return status & 0x7f ? 128 + (status & 0x7f) : status >> 8 & 0xff;
}

static void drop_memory(struct mm *mm)
{
	if (mm)
		mm_put(mm);
}

/* The first program's memory stays until the next run. */
static void keep_memory(struct mm *mm)
{
	struct mm *before = task_kept;

	task_kept = mm_get(mm);
	drop_memory(before);
}

void task_wake_waiting(const struct process *p)
{
	for (struct task *t = p ? p->first_thread : NULL; t; t = t->next_thread)
		if (t->waits_for_child)
			sched_wake(t);
}

static void wake_vfork_parent(struct process *p)
{
	if (!p->vfork)
		return;
	p->vfork = false;
	task_wake_waiting(p->parent);
}

/* Takes the lock, so that a CPU that finds the task by task_each() also finds its memory. */
void task_change_memory(struct task *t)
{
	struct process *p = t->process;
	uint64_t flags = task_lock_tree();
	struct mm *old = process_set_memory(p, t->enters);

	__atomic_add_fetch(&t->enters->threads, 1, __ATOMIC_RELAXED);
	t->enters = NULL;
	wake_vfork_parent(p);
	task_unlock_tree(flags);
	space_enter(&p->mm->space, smp_cpu());
	__atomic_sub_fetch(&old->threads, 1, __ATOMIC_RELEASE); /* this CPU has left that space */
	if (p->pid == TASK_PID)
		keep_memory(p->mm);
	p->refusal.text[0] = '\0';
	fd_table_exec(p->files);
	ptimer_exec(p);
	drop_memory(old);
}

void task_forget_memory(void)
{
	struct mm *old = task_kept;
	uint64_t flags;

	if (!old)
		return;
	flags = irq_save();
	sched_enter_nothing();
	task_kept = NULL;
	drop_memory(old);
	irq_restore(flags);
}

/* --- Ends --- */

void task_end_process(struct process *p, int status)
{
	const uint64_t flags = task_lock_tree();

	if (!p->ending) {
		p->ending = true;
		p->status = status;
	}
	for (struct task *t = p->first_thread; t; t = t->next_thread) {
		t->killed = true;
		sched_wake(t);
		smp_kick(t->cpu);
	}
	task_unlock_tree(flags);
}

/* Moves the task's times to its process. */
static void add_times(struct task *t, struct process *p)
{
	const struct task_usage usage = usage_of_task(t);

	usage_add(&p->used, &usage);
	task_run_add_times(&usage);
	t->ran = t->in_ring3 = t->inside = 0;
}

static void tell_parent(const struct process *p)
{
	siginfo_t info = signal_info(p->exit_signal, p->status & 0x7f ? CLD_KILLED : CLD_EXITED);

	info.si_pid = (int)p->pid;
	info.si_status = p->status & 0x7f ? p->status & 0x7f : p->status >> 8;
	if (p->exit_signal)
		signal_send_process(p->parent, &info);
	task_wake_waiting(p->parent);
}

/* The process that adopts the children of one that has ended (PR_SET_CHILD_SUBREAPER); NULL:
 * none. */
static struct process *reaper_of(const struct process *p)
{
	struct process *above = p->parent;

	while (above && !above->ways.reaps)
		above = above->parent;
	return above;
}

/* Sends the signal of PR_SET_PDEATHSIG. */
static void tell_of_death(struct process *child)
{
	siginfo_t info = signal_info(child->ways.death_signal, SI_USER);

	if (child->ways.death_signal && child->threads)
		signal_send_process(child, &info);
}

/* Gives the children to another process, or to none; in that case ended ones are freed. */
static void leave_children(const struct process *p)
{
	struct process *reaper = reaper_of(p);

	for (struct process *c = p->first_child, *next; c; c = next) {
		next = c->next_sibling;
		tell_of_death(c);
		LIST_DROP(c, next_sibling, sibling_link);
		c->parent = reaper;
		if (reaper)
			LIST_ADD(reaper->first_child, c, next_sibling, sibling_link);
		if (!c->dead || c->held_by)
			continue;
		if (reaper)
			tell_parent(c);
		else
			task_unlink_process(c);
	}
}

/* True where the parent may wait for the process. It does not if it ignores SIGCHLD, or has set
 * SA_NOCLDWAIT. */
static bool is_asked_for(const struct process *p)
{
	const struct signal_action *a = p->parent ? &p->parent->signals.action[SIGCHLD - 1] : NULL;

	return a && a->handler != (uint64_t)SIG_IGN && !(a->flags & SA_NOCLDWAIT);
}

static void note_dead(struct process *p)
{
	if (!p->dead)
		task_tree.dead++;
	p->dead = true;
}

/* A tracer that is also the parent collects the status even if it ignores its children. */
static void hand_over(struct process *p)
{
	const bool traced = p->leader_tracer && p->leader_tracer == p->parent;

	if (p->parent)
		tell_parent(p);
	if (is_asked_for(p) || traced)
		note_dead(p);
	else
		task_unlink_process(p);
}

void ptrace_release(struct process *p)
{
	p->held_by = NULL;
	hand_over(p);
}

static void end_process(struct process *p)
{
	wake_vfork_parent(p);
	leave_children(p);
	signal_forget(&p->signals.queue);
	if (p->pid == TASK_PID)
		task_run_note_status(p->status);
	ptrace_process_ends(p);
	if (ptrace_holds(p))
		note_dead(p);
	else
		hand_over(p);
}

/* Returns the memory of the process if no other thread is left in it. Several threads may end at a
 * time. */
static struct mm *leave_process(struct task *t)
{
	struct process *p = t->process;
	struct mm *mm = NULL;
	const uint64_t flags = task_lock_tree();

	add_times(t, p);
	signal_forget(&t->signals.queue);
	__atomic_sub_fetch(&p->mm->threads, 1, __ATOMIC_RELAXED);
	if (++p->leaving == p->threads) {
		mm = process_set_memory(p, NULL);
		signal_forget(&p->signals.queue);
	}
	task_unlock_tree(flags);
	return mm;
}

static void leave_tree(struct task *t)
{
	const uint64_t flags = task_lock_tree();
	struct process *p = t->process;

	ptrace_task_ends(t);
	LIST_DROP(t, next_thread, thread_link);
	t->process = NULL;
	t->gone = true;
	p->leaving--;
	if (--p->threads)
		task_wake_waiting(p);
	else
		end_process(p);
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
	task_host.events_gone();
}

void task_gone(struct task *t)
{
	struct process *p = t->process;
	struct mm *mm;

	task_run_note_gone();
	end_events(t);
	task_host.leave_regions(&t->regions);
	wait_set_end(&t->waits);
	record_lock_wait_end(&t->lock_wait);
	file_put(t->opening);
	t->opening = NULL;
	task_host.end_watch(t);
	mm = leave_process(t);
	if (mm) {
		task_host.end_process(p);
		ptimer_end(p);
		process_close_files(p);
	}
	if (mm && mm == task_kept && !mm->threads)
		mm_end(mm);
	drop_memory(mm);
	leave_tree(t);
}
