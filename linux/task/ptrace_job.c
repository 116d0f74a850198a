// SPDX-License-Identifier: BSD-2-Clause
/*
 * ptrace_job.c - job control: processes that a signal stops and SIGCONT resumes. Each thread joins
 * a stop before it returns to ring 3. When all threads have stopped, the parent is notified.
 */
#include "linux/task/ptrace_parts.h"

#include "arch/x86/smp/smp.h"
#include "linux/task/sched.h"

#define STOPS_BY_TERMINAL (signal_bit(SIGTSTP) | signal_bit(SIGTTIN) | signal_bit(SIGTTOU))
#define STOPS             (signal_bit(SIGSTOP) | STOPS_BY_TERMINAL)

bool job_is_stop(int number)
{
	return STOPS & signal_bit(number);
}

/* True where the group is orphaned: no process of its session outside the group could resume it. */
static bool is_orphaned(const struct process *p)
{
	for (const struct process *c = task_tree.processes; c; c = c->next)
		if (c->group == p->group && c->parent && c->parent->group != c->group &&
		    c->parent->session == c->session)
			return false;
	return true;
}

/* Has the task stop before it next returns to ring 3. A task that is stopped is not woken for that.
 */
static void join(struct task *t)
{
	t->trace.joins = t->watched = true;
	task_heed(t);
	if (!t->trace.stop && !sched_wake(t))
		smp_kick(t->cpu);
}

/* The first stop signal has all threads join the stop. During a stop, a later signal has `t` alone
 * join. A stop signal of the terminal does not stop an orphaned group. */
void job_stop(struct task *t, int number)
{
	const uint64_t flags = task_lock_tree();
	struct process *p = t->process;

	if (STOPS_BY_TERMINAL & signal_bit(number) && is_orphaned(p)) {
		task_unlock_tree(flags);
		return;
	}
	if (p->stop_signal)
		join(t);
	for (struct task *o = task_tree.first; o && !p->stop_signal; o = o->next_task)
		if (o->process == p && !o->gone)
			join(o);
	p->stop_signal = p->stop_signal ? p->stop_signal : number;
	task_unlock_tree(flags);
}

static bool all_have_stopped(const struct process *p)
{
	for (const struct task *t = task_tree.first; t; t = t->next_task)
		if (t->process == p && !t->gone && !t->killed && !t->trace.stop)
			return false;
	return true;
}

void job_joined(struct process *p)
{
	if (p->stop_complete || !all_have_stopped(p))
		return;
	p->stop_complete = p->stop_unreported = true;
	p->continue_unreported = false;
	if (p->parent)
		ptrace_tell_stop(p->parent, p->pid, CLD_STOPPED, p->stop_signal);
}

/* --- SIGCONT --- */

static void go_on(struct task *t)
{
	struct ptrace_state *s = &t->trace;

	s->joins = false;
	if (s->stop == PTRACE_IN_JOB_STOP) {
		s->stop = PTRACE_RUNS;
		sched_wake(t);
	} else if (s->listens) {
		ptrace_retrap(t);
	}
}

static void continue_process(struct process *p)
{
	const bool complete = p->stop_complete;

	p->stop_signal = 0;
	p->stop_complete = p->stop_unreported = false;
	for (struct task *t = p->first_thread; t; t = t->next_thread)
		go_on(t);
	if (!complete)
		return;
	p->continue_unreported = true;
	if (p->parent)
		ptrace_tell_stop(p->parent, p->pid, CLD_CONTINUED, SIGCONT);
}

static void forget_signals(struct process *p, uint64_t set)
{
	signal_forget_some(&p->signals.queue, set);
	for (struct task *t = p->first_thread; t; t = t->next_thread)
		signal_forget_some(&t->signals.queue, set);
}

void job_sent(struct process *p, int number)
{
	if (job_is_stop(number))
		forget_signals(p, signal_bit(SIGCONT));
	if (number != SIGCONT)
		return;
	forget_signals(p, STOPS);
	if (p->stop_signal)
		continue_process(p);
}
