// SPDX-License-Identifier: BSD-2-Clause
/* ptrace_tracer.c - attaches and detaches tracers, and reports to them. */
#include "linux/task/ptrace_parts.h"

#include "rt/base/heap.h"
#include "linux/task/task_host.h"
#include "linux/task/sched.h"

#include <linux/sched.h>

/* --- Reports to tracers and parents --- */

void ptrace_tell_stop(struct process *to, uint32_t pid, int why, int status)
{
	const struct signal_action *action = &to->signals.action[SIGCHLD - 1];
	siginfo_t info = signal_info(SIGCHLD, why);

	info.si_pid = (int)pid;
	info.si_status = status;
	if (action->handler != (uint64_t)SIG_IGN && !(action->flags & SA_NOCLDSTOP))
		signal_send_process(to, &info);
	task_wake_waiting(to);
}

void ptrace_tell_tracer(struct task *t)
{
	ptrace_tell_stop(t->trace.by, t->tid, CLD_TRAPPED, t->trace.code & 0x7f);
}

/* --- Attaching --- */

static unsigned traced; /* number of tasks that have a tracer */

static void count_traced(int n)
{
	const bool before = traced;

	traced += (unsigned)n;
	if (before != !!traced)
		task_host.watch_calls(traced);
}

void ptrace_attach(struct task *t, struct process *by, uint32_t options, bool seized)
{
	struct ptrace_state *s = &t->trace;

	s->by = by;
	s->options = options;
	s->seized = seized;
	s->calls = s->steps = s->has_info = false;
	s->event = 0;
	s->message = 0;
	s->call = t->syscall >= 0 ? PTRACE_CALL_RUNS : PTRACE_NO_CALL;
	s->number = t->syscall;
	t->watched = true;
	count_traced(1);
}

void ptrace_detach(struct task *t)
{
	struct ptrace_state *s = &t->trace;

	s->by = NULL;
	s->options = 0;
	s->seized = s->calls = s->steps = s->traps = false;
	s->event = 0;
	if (t->process->stop_signal)
		s->joins = true;
	ptrace_note_watched(t);
	count_traced(-1);
}

/* The ptrace event of a clone, by Linux's rules. */
static unsigned event_of_clone(const struct task_clone *how)
{
	if (how->flags & CLONE_UNTRACED)
		return 0;
	if (how->flags & CLONE_VFORK)
		return PTRACE_EVENT_VFORK;
	return how->exit_signal == SIGCHLD ? PTRACE_EVENT_FORK : PTRACE_EVENT_CLONE;
}

void ptrace_clone(struct task *parent, struct task *child, const struct task_clone *how)
{
	struct ptrace_state *s = &parent->trace;
	const unsigned event = event_of_clone(how);
	const bool wanted = event && s->options >> event & 1;
	siginfo_t info = signal_info(SIGSTOP, SI_KERNEL);

	if (wanted) {
		s->event = EVENT_CODE(event);
		s->message = child->tid;
	}
	if (!wanted && !(how->flags & CLONE_PTRACE))
		return;
	ptrace_attach(child, s->by, s->options, s->seized);
	if (s->seized)
		child->trace.traps = true;
	else
		signal_send_task(child, &info);
}

/* --- Ends --- */

/* If there is no memory for the report, the tracer finds that the thread is gone. */
static void leave_end(const struct task *t, struct process *by)
{
	struct ptrace_end *end = heap_alloc(sizeof(*end));

	if (!end)
		return;
	*end = (struct ptrace_end){
		.next = by->traced_ends,
		.tid = t->tid,
		.group = t->process->group,
		.status = t->process->ending ? t->process->status : t->trace.status,
	};
	by->traced_ends = end;
	ptrace_tell_stop(by, t->tid, CLD_EXITED, end->status >> 8);
}

void ptrace_task_ends(struct task *t)
{
	struct process *by = t->trace.by;

	if (!by)
		return;
	ptrace_detach(t);
	t->trace.joins = false;
	if (t->tid != t->process->pid)
		leave_end(t, by);
	else if (!t->process->stays)
		t->process->leader_tracer = by;
}

static void lose_tracer(struct task *t)
{
	const siginfo_t info = signal_info(SIGKILL, SI_KERNEL);
	const bool kill = t->trace.options & PTRACE_O_EXITKILL;

	ptrace_detach(t);
	if (t->trace.stop)
		ptrace_let_go(t, t->trace.stop == PTRACE_AT_SIGNAL ? t->trace.info.si_signo : 0);
	if (kill)
		signal_send_process(t->process, &info);
}

void ptrace_process_ends(struct process *p)
{
	for (struct task *t = task_tree.first; t; t = t->next_task)
		if (t->process && t->trace.by == p)
			lose_tracer(t);
	for (struct process *c = task_tree.processes, *next; c; c = next) {
		next = c->next;
		if (c->leader_tracer == p)
			c->leader_tracer = NULL;
		if (c->held_by == p)
			ptrace_release(c);
	}
	while (p->traced_ends) {
		struct ptrace_end *end = p->traced_ends;

		p->traced_ends = end->next;
		heap_free(end);
	}
}

bool ptrace_holds(struct process *p)
{
	struct process *by = p->leader_tracer;

	if (!by || by == p->parent)
		return false;
	p->held_by = by;
	ptrace_tell_stop(by, p->pid, p->status & 0x7f ? CLD_KILLED : CLD_EXITED,
			 p->status & 0x7f ? p->status & 0x7f : p->status >> 8);
	return true;
}
