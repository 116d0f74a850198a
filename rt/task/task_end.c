// SPDX-License-Identifier: BSD-2-Clause
/* task_end.c - how tasks end, and processes with the last of their threads: what they leave. */
#include "rt/task/task_parts.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "rt/perf/perf.h"
#include "rt/perf/region.h"
#include "rt/task/ptimer.h"
#include "rt/task/sched.h"

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

/* Those in wait4(2), in vfork(2), or in an execve(2) that waits until it is the only thread. */
static void wake_waiting(const struct process *p)
{
	for (struct task *t = task_tree.first; t; t = t->next_task)
		if (p && t->process == p && t->waits_for_child)
			sched_wake(t);
}

static void wake_vfork_parent(struct process *p)
{
	if (!p->vfork)
		return;
	p->vfork = false;
	wake_waiting(p->parent);
}

/* With the lock, for a CPU that finds the task finds its memory too (task_each()). */
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
	__atomic_sub_fetch(&old->threads, 1, __ATOMIC_RELEASE); /* this CPU knows nothing of it */
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
	for (struct task *t = task_tree.first; t; t = t->next_task) {
		if (t->process != p || t->gone)
			continue;
		t->killed = true;
		sched_wake(t);
		smp_kick(t->cpu);
	}
	task_unlock_tree(flags);
}

/* They are the process's from now on, and the task's no more. */
static void add_times(struct task *t, struct process *p)
{
	const struct task_usage usage = usage_of_task(t);

	usage_add(&p->used, &usage);
	task_run_add_times(&usage);
	t->ran = t->in_ring3 = t->inside = 0;
}

/* No process asks for its children any more; those that have ended go with it. */
static void leave_children(const struct process *p)
{
	for (struct process *c = task_tree.processes, *next; c; c = next) {
		next = c->next;
		if (c->parent != p)
			continue;
		c->parent = NULL;
		if (!c->threads)
			task_unlink_process(c);
	}
}

static void tell_parent(const struct process *p)
{
	siginfo_t info = signal_info(p->exit_signal, p->status & 0x7f ? CLD_KILLED : CLD_EXITED);

	info.si_pid = (int)p->pid;
	info.si_status = p->status & 0x7f ? p->status & 0x7f : p->status >> 8;
	if (p->exit_signal)
		signal_send_process(p->parent, &info);
	wake_waiting(p->parent);
}

/* A parent that ignores SIGCHLD, or says so by SA_NOCLDWAIT, never asks. */
static bool is_asked_for(const struct process *p)
{
	const struct signal_action *a = p->parent ? &p->parent->signals.action[SIGCHLD - 1] : NULL;

	return a && a->handler != (uint64_t)SIG_IGN && !(a->flags & SA_NOCLDWAIT);
}

static void end_process(struct process *p)
{
	wake_vfork_parent(p);
	leave_children(p);
	signal_forget(&p->signals.queue);
	if (p->pid == TASK_PID)
		task_run_note_status(p->status);
	if (p->parent)
		tell_parent(p);
	p->dead = is_asked_for(p);
	task_tree.dead += p->dead;
	if (!p->dead)
		task_unlink_process(p);
}

/* The memory of its process, where no other thread is left in that: several may be on their way out
 * at a time. */
static struct mm *leave_process(struct task *t)
{
	struct process *p = t->process;
	struct mm *mm = NULL;
	const uint64_t flags = task_lock_tree();

	add_times(t, p);
	signal_forget(&t->signals.queue);
	__atomic_sub_fetch(&p->mm->threads, 1, __ATOMIC_RELAXED);
	if (++p->leaving == p->threads)
		mm = process_set_memory(p, NULL);
	task_unlock_tree(flags);
	return mm;
}

static void leave_tree(struct task *t)
{
	const uint64_t flags = task_lock_tree();
	struct process *p = t->process;

	t->process = NULL;
	t->gone = true;
	p->leaving--;
	if (--p->threads)
		wake_waiting(p);
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
	perf_task_gone();
}

void task_gone(struct task *t)
{
	struct process *p = t->process;
	struct mm *mm;

	task_run_note_gone();
	end_events(t);
	region_leave(&t->regions);
	wait_set_end(&t->waits);
	record_lock_wait_end(&t->lock_wait);
	file_put(t->opening);
	t->opening = NULL;
	mm = leave_process(t);
	if (mm) {
		sem_end_process(p);
		ptimer_end(p);
		process_close_files(p);
	}
	if (mm && mm == task_kept && !mm->threads)
		mm_end(mm);
	drop_memory(mm);
	leave_tree(t);
}
