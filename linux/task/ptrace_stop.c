// SPDX-License-Identifier: BSD-2-Clause
/*
 * ptrace_stop.c - stops of traced tasks, and their resumption. Most stops are first noted as due
 * (struct ptrace_state). ptrace_stops() makes them before the task returns to ring 3. Stops before
 * a signal and at a task's exit are made at once. ptrace_let_go() resumes the task.
 *
 * A system call at whose entry the task stops goes from PTRACE_CALL_ENTERS (the stop is due) to
 * PTRACE_CALL_WAITS (the task has stopped) to PTRACE_CALL_RUNS. All other calls begin with
 * PTRACE_CALL_RUNS. When the call has run, leave_call() makes the stop at its exit, if one is due.
 */
#include "linux/task/ptrace_parts.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/smp/smp.h"
#include "lib/string.h"
#include "linux/task/task_host.h"
#include "linux/task/sched.h"

#define SYSCALL_TRAP (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */

void ptrace_note_watched(struct task *t)
{
	const struct ptrace_state *s = &t->trace;

	t->watched = s->by || s->joins || s->stop || s->injected || s->call == PTRACE_CALL_WAITS;
}

/* --- Stopping: with the lock --- */

static void stop_at(struct task *t, enum ptrace_stop stop, int code)
{
	struct ptrace_state *s = &t->trace;

	s->stop = stop;
	s->code = code;
	s->unreported = true;
	sched_stop();
	if (t->process->stop_signal)
		job_joined(t->process);
	ptrace_tell_tracer(t);
}

/* Fills `info` as Linux does for stops without a signal. */
static void set_info(struct task *t, int number, int code)
{
	t->trace.info = signal_info(number, code);
	t->trace.info.si_pid = (int)t->pid;
	t->trace.has_info = true;
}

/* Makes a stop of the whole process, or of PTRACE_INTERRUPT. Only a seized task reports the
 * event. */
static void stop_with_group(struct task *t)
{
	struct ptrace_state *s = &t->trace;
	const int number = t->process->stop_signal ? t->process->stop_signal : SIGTRAP,
		  code = s->seized ? PTRACE_EVENT_STOP << 8 | number : number;

	s->joins = s->traps = false;
	set_info(t, number, code);
	s->has_info = s->seized;
	stop_at(t, PTRACE_AT_GROUP, code);
}

static void stop_for_job(struct task *t)
{
	t->trace.joins = false;
	if (!t->process->stop_signal)
		return;
	t->trace.stop = PTRACE_IN_JOB_STOP;
	sched_stop();
	job_joined(t->process);
}

static void stop_for_event(struct task *t)
{
	const int code = t->trace.event;

	t->trace.event = 0;
	set_info(t, SIGTRAP, code);
	stop_at(t, PTRACE_AT_EVENT, code);
}

static void stop_at_call(struct task *t)
{
	const int code = t->trace.options & PTRACE_O_TRACESYSGOOD ? SYSCALL_TRAP : SIGTRAP;

	set_info(t, SIGTRAP, code);
	stop_at(t, PTRACE_AT_CALL, code);
}

/* A single step over a system call ends where ring 3 resumes. */
static void send_step_trap(struct task *t)
{
	siginfo_t info = signal_info(SIGTRAP, TRAP_BRKPT);

	info.si_addr = (void *)t->user.regs.rip;
	signal_force_locked(t, &info);
}

static void leave_call(struct task *t)
{
	struct ptrace_state *s = &t->trace;

	s->call = PTRACE_NO_CALL;
	if (s->calls && s->by)
		stop_at_call(t);
	else if (s->steps && s->by)
		send_step_trap(t);
}

static void stop_where_due(struct task *t)
{
	struct ptrace_state *s = &t->trace;

	if (s->event && s->by) {
		stop_for_event(t);
	} else if (s->call == PTRACE_CALL_ENTERS) {
		s->call = PTRACE_CALL_WAITS;
		stop_at_call(t);
	} else if (s->call == PTRACE_CALL_RUNS) {
		leave_call(t);
	} else if (ptrace_interrupts(s) && s->call == PTRACE_NO_CALL) {
		if (s->by)
			stop_with_group(t);
		else
			stop_for_job(t);
	}
}

/* Leaving a call may make no stop. Then another stop may be due, and the loop looks again. */
bool ptrace_stops(struct task *t)
{
	const uint64_t flags = task_lock_tree();
	enum ptrace_call before;

	do {
		before = t->trace.call;
		if (!signal_kills(t))
			stop_where_due(t);
	} while (!t->trace.stop && t->trace.call != before);
	ptrace_note_watched(t);
	task_unlock_tree(flags);
	return t->state != TASK_RUNNING; /* its tracer may have woken it */
}

/* A system call that sleeps may have an event to report first: vfork(2) stops for its event before
 * it waits for the child. */
bool ptrace_stays(struct task *t)
{
	const uint64_t flags = task_lock_tree();
	struct ptrace_state *s = &t->trace;

	if (signal_kills(t)) {
		s->stop = PTRACE_RUNS;
		s->injected = false;
		s->event = 0;
	}
	if (s->stop)
		sched_stop();
	else if (s->event && s->by && t->syscall >= 0 && t->again && !signal_kills(t))
		stop_for_event(t);
	task_unlock_tree(flags);
	return t->state != TASK_RUNNING; /* its tracer may have woken it */
}

/* --- Signals --- */

bool ptrace_stops_for(struct task *t, const siginfo_t *info)
{
	const uint64_t flags = task_lock_tree();
	struct ptrace_state *s = &t->trace;
	const bool stops = s->by && !s->delivered && info->si_signo != SIGKILL && !signal_kills(t);

	s->delivered = false;
	if (stops) {
		s->info = *info;
		s->has_info = s->injected = true;
		task_host.forget_trap(t->tid);
		stop_at(t, PTRACE_AT_SIGNAL, info->si_signo);
	}
	task_unlock_tree(flags);
	return stops;
}

/* If the task blocks the signal by now, the signal becomes pending. */
int ptrace_take_injected(struct task *t, siginfo_t *info)
{
	struct ptrace_state *s = &t->trace;
	uint64_t flags;

	if (!s->injected)
		return 0;
	s->injected = s->has_info = false;
	*info = s->info;
	if (!info->si_signo)
		return 0;
	if (!(t->signals.blocked & signal_bit(info->si_signo))) {
		s->delivered = true;
		return info->si_signo;
	}
	flags = task_lock_tree();
	signal_send_task(t, info);
	task_unlock_tree(flags);
	return 0;
}

void ptrace_in_handler(struct task *t)
{
	if (t->trace.by && t->trace.steps)
		t->trace.event = SIGTRAP;
}

/* --- System calls --- */

bool ptrace_enters_call(struct task *t, long number)
{
	struct ptrace_state *s = &t->trace;
	const bool stops = s->call == PTRACE_NO_CALL && s->calls;

	s->number = number;
	s->call = stops ? PTRACE_CALL_ENTERS : PTRACE_CALL_RUNS;
	return stops;
}

void ptrace_exec(struct task *t)
{
	struct ptrace_state *s = &t->trace;
	const uint64_t flags = task_lock_tree();
	siginfo_t info = signal_info(SIGTRAP, SI_USER);

	info.si_pid = (int)t->pid;
	if (s->by && s->options & PTRACE_O_TRACEEXEC) {
		s->event = EVENT_CODE(PTRACE_EVENT_EXEC);
		s->message = t->old_tid;
	} else if (s->by && !s->seized) {
		signal_send_task(t, &info);
	}
	t->process->leader_tracer = NULL;
	task_unlock_tree(flags);
}

void ptrace_vfork_done(struct task *t, uint32_t pid)
{
	const uint64_t flags = task_lock_tree();
	struct ptrace_state *s = &t->trace;

	if (s->by && s->options & PTRACE_O_TRACEVFORKDONE) {
		s->event = EVENT_CODE(PTRACE_EVENT_VFORK_DONE);
		s->message = pid;
	}
	task_unlock_tree(flags);
}

/* --- Entry to ring 3 --- */

/* A non-canonical address would fault in ring 0. */
bool ptrace_may_enter(struct task *t)
{
	siginfo_t info = signal_info(SIGSEGV, SI_KERNEL);

	if (t->user.regs.rip < RING3_LIMIT)
		return true;
	signal_force(t, &info);
	return false;
}

long ptrace_resume(struct task *t)
{
	struct ptrace_state *s = &t->trace;
	const bool steps = s->steps && s->by, own = steps && user_set_own_tf(&t->user, true);
	long left;

	if (s->call == PTRACE_CALL_WAITS) {
		s->call = PTRACE_CALL_RUNS;
		left = user_resume_syscall(&t->user, s->number);
	} else {
		s->number = -1;
		left = user_resume(&t->user);
	}
	if (steps && !own) {
		user_set_own_tf(&t->user, false);
		if (s->call == PTRACE_CALL_RUNS) /* SYSCALL saves RFLAGS in R11 */
			t->user.regs.r11 &= ~(uint64_t)RFLAGS_TF;
	}
	return left;
}

/* --- Ends --- */

bool ptrace_wants_exit(const struct task *t)
{
	return t->trace.by && t->trace.options & PTRACE_O_TRACEEXIT && !t->trace.exited;
}

bool ptrace_is_at_exit(const struct task *t)
{
	return t->trace.stop == PTRACE_AT_EXIT;
}

static bool exit_stop_holds(struct task *t)
{
	struct ptrace_state *s = &t->trace;

	if (signal_kills(t) || task_run_ends())
		return false;
	if (s->stop == PTRACE_AT_EXIT) {
		sched_stop();
		return true;
	}
	if (!ptrace_wants_exit(t))
		return false;
	s->exited = true;
	s->message = (uint64_t)(t->process->ending ? t->process->status : s->status);
	set_info(t, SIGTRAP, EVENT_CODE(PTRACE_EVENT_EXIT));
	stop_at(t, PTRACE_AT_EXIT, EVENT_CODE(PTRACE_EVENT_EXIT));
	return true;
}

bool ptrace_stops_at_exit(struct task *t)
{
	const uint64_t flags = task_lock_tree();
	const bool stops = exit_stop_holds(t);

	if (!stops) /* from here on the task accepts no requests */
		t->trace.stop = PTRACE_RUNS;
	task_unlock_tree(flags);
	return stops;
}

/* --- Resumption --- */

/* Takes the signal with which the tracer resumes the task; 0: none. It replaces the signal for
 * which the task has stopped. After a stop at a system call it is sent to the task. */
static void choose_signal(struct task *t, int number)
{
	struct ptrace_state *s = &t->trace;
	siginfo_t info;

	if (s->stop == PTRACE_AT_SIGNAL && number == s->info.si_signo)
		return;
	info = signal_info(number, s->stop == PTRACE_AT_SIGNAL ? SI_USER : SI_KERNEL);
	if (s->by && s->stop == PTRACE_AT_SIGNAL)
		info.si_pid = (int)s->by->pid;
	if (s->stop == PTRACE_AT_SIGNAL)
		s->info = info;
	else if (s->stop == PTRACE_AT_CALL && number)
		signal_send_task(t, &info);
}

void ptrace_let_go(struct task *t, int number)
{
	struct ptrace_state *s = &t->trace;

	choose_signal(t, number);
	s->stop = PTRACE_RUNS;
	s->unreported = s->listens = false;
	if (!s->injected)
		s->has_info = false;
	sched_wake(t);
}

void ptrace_trap(struct task *t)
{
	t->trace.traps = true;
	task_heed(t);
	if (!t->trace.stop && !sched_wake(t))
		smp_kick(t->cpu);
}

void ptrace_retrap(struct task *t)
{
	struct ptrace_state *s = &t->trace;
	const int number = t->process->stop_signal ? t->process->stop_signal : SIGTRAP;

	s->listens = s->traps = false;
	s->code = PTRACE_EVENT_STOP << 8 | number;
	set_info(t, number, s->code);
	s->unreported = true;
	ptrace_tell_tracer(t);
}
