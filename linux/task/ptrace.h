/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ptrace.h - tasks that another process traces, as ptrace(2) has it, and processes that a signal
 * stops, as signal(7) has it.
 *
 * A stopped task sleeps in the scheduler's loop, with all registers of ring 3 in task->user. Its
 * tracer ends the stop, SIGCONT ends one of job control, and the end of the task ends any. A wake
 * for another reason sends it back to sleep.
 *
 * The tracer is a process: any of its threads may make the requests. A program in the image may
 * trace any process but its own, as root may on Linux.
 *
 * Cost: a task without a tracer has `watched` false, which the scheduler tests before ring 3. The
 * system calls take the path of tracepoints while some task is traced (syscall_watch()).
 *
 * All of it is under the lock of the tree of tasks (task_parts.h); a stopped task's registers are
 * its tracer's.
 */
#ifndef LINUX_TASK_PTRACE_H
#define LINUX_TASK_PTRACE_H

#include <asm/siginfo.h>
#include <stdbool.h>
#include <stdint.h>

struct process;
struct ptrace_watch;
struct task;
struct task_clone;

enum ptrace_stop {
	PTRACE_RUNS,
	PTRACE_IN_JOB_STOP, /* of a task without a tracer */
	PTRACE_AT_SIGNAL,   /* which is delivered behind it */
	PTRACE_AT_CALL,     /* entry or exit of a system call */
	PTRACE_AT_EVENT,    /* PTRACE_EVENT_..., or a handler's first instruction while stepped */
	PTRACE_AT_GROUP,    /* a job stop of its process, or PTRACE_INTERRUPT */
	PTRACE_AT_EXIT,     /* PTRACE_EVENT_EXIT */
};

/* The position of a traced task in a system call. */
enum ptrace_call {
	PTRACE_NO_CALL,
	PTRACE_CALL_ENTERS, /* it is about to stop at the entry */
	PTRACE_CALL_WAITS,  /* it has stopped there: the scheduler makes the call */
	PTRACE_CALL_RUNS,
};

/* The tracing state of a task. */
struct ptrace_state {
	struct process *by; /* its tracer; NULL: none */
	uint32_t options;   /* PTRACE_O_... */
	bool seized;        /* PTRACE_SEIZE, not PTRACE_ATTACH */
	bool calls, steps;  /* it was resumed by PTRACE_SYSCALL, by PTRACE_SINGLESTEP */

	enum ptrace_stop stop;
	int code;        /* of the stop: signal, and the event above that */
	bool unreported; /* wait4(2) has not told it yet */
	bool listens;    /* PTRACE_LISTEN: wait4(2) has, and no request but INTERRUPT is taken */
	bool has_info;
	siginfo_t info;
	uint64_t message; /* PTRACE_GETEVENTMSG */

	/* Stops that are due. */
	bool joins;     /* the job stop of its process */
	bool traps;     /* PTRACE_INTERRUPT, or the first stop of a seized task's child */
	int event;      /* code of an event's stop; 0: none */
	bool injected;  /* it has stopped for a signal: `info`, or none where si_signo is 0 */
	bool delivered; /* the signal in signal_deliver() is that one */
	bool exited;    /* it has stopped at its end already */
	int status;     /* of exit(2), as wait4(2) has it */

	enum ptrace_call call;
	long number; /* of the call, or of the one that is over, until ring 3 is entered; -1: none
		      */

	struct ptrace_watch *watch; /* debug registers; NULL: none was ever set */
};

/* A thread that ended while it was traced: wait4(2) reports it to its tracer. */
struct ptrace_end {
	struct ptrace_end *next;
	uint32_t tid, group;
	int status;
};

/* --- For the scheduler: of the task that this CPU has, interrupts off --- */

/* ptrace_stays() - it is stopped still, and sleeps again. ptrace_stops() - it stops here, behind
 * its system call and before signals are delivered. ptrace_may_enter() - ring 3 can go on where the
 * registers say; else a SIGSEGV is pending. */
bool ptrace_stays(struct task *t);
bool ptrace_stops(struct task *t);
bool ptrace_may_enter(struct task *t);

/* ptrace_resume() - calls user_resume() for the task, single-stepped or with the system call
 * that it stopped at. */
long ptrace_resume(struct task *t);

/* ptrace_wants_exit() - is the task to stop before it ends? ptrace_stops_at_exit() - stops it
 * there, once. ptrace_is_at_exit() - is it stopped there? */
bool ptrace_wants_exit(const struct task *t);
bool ptrace_stops_at_exit(struct task *t);
bool ptrace_is_at_exit(const struct task *t);

/* --- For signals --- */

/* ptrace_interrupts() - is a stop due that interrupts a system call? Any context. */
static inline bool ptrace_interrupts(const struct ptrace_state *s)
{
	return s->joins || s->traps;
}

/* ptrace_take_injected() - the signal with which its tracer has resumed it; 0: none.
 * ptrace_stops_for() - it stops before `info` is delivered. ptrace_in_handler() - a handler is
 * about to run. */
int ptrace_take_injected(struct task *t, siginfo_t *info);
bool ptrace_stops_for(struct task *t, const siginfo_t *info);
void ptrace_in_handler(struct task *t);

/* job_stop() - the default action of `number` stops the process of `t`. job_is_stop() - there is
 * such a signal. job_sent() - `number` was sent to `p`: SIGCONT and signals that stop cancel each
 * other, and SIGCONT ends a stop; with the lock. */
bool job_is_stop(int number);
void job_stop(struct task *t, int number);
void job_sent(struct process *p, int number);

/* --- For system calls --- */

/* ptrace_enters_call() - the task that runs here makes system call `number`: true, it stops first.
 * ptrace_exec() - it has another program. ptrace_vfork_done() - its child `pid` has memory of its
 * own. */
bool ptrace_enters_call(struct task *t, long number);
void ptrace_exec(struct task *t);
void ptrace_vfork_done(struct task *t, uint32_t pid);

/* --- For beginnings and ends of tasks: with the lock --- */

void ptrace_clone(struct task *parent, struct task *child, const struct task_clone *how);
void ptrace_task_ends(struct task *t);
void ptrace_process_ends(struct process *p);

#endif
