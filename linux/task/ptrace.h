/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ptrace.h - tasks that another process traces, as in ptrace(2), and processes that a signal stops,
 * as in signal(7).
 *
 * A stopped task sleeps in the scheduler's loop, with all registers of ring 3 in task->user. Its
 * tracer ends a stop; SIGCONT ends a stop of job control; the end of the task ends any stop. If
 * anything else wakes the task, it sleeps again.
 *
 * The tracer is a process: any of its threads may make the requests. A program may trace any
 * process but its own, as root may on Linux.
 *
 * Cost: a task without a tracer has `watched` false, which the scheduler tests before ring 3. While
 * some task is traced, all system calls take the path of tracepoints (syscall_watch()).
 *
 * The lock of the tree of tasks (task_parts.h) guards all of this. The registers of a stopped task
 * belong to its tracer.
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
	PTRACE_IN_JOB_STOP, /* stop of a task without a tracer */
	PTRACE_AT_SIGNAL,   /* before a signal is delivered */
	PTRACE_AT_CALL,     /* entry or exit of a system call */
	PTRACE_AT_EVENT,    /* PTRACE_EVENT_..., or a handler's first instruction while stepped */
	PTRACE_AT_GROUP,    /* a job stop of its process, or PTRACE_INTERRUPT */
	PTRACE_AT_EXIT,     /* PTRACE_EVENT_EXIT */
};

/* The position of a traced task in a system call. */
enum ptrace_call {
	PTRACE_NO_CALL,
	PTRACE_CALL_ENTERS, /* it will stop at the entry */
	PTRACE_CALL_WAITS,  /* it has stopped there; the scheduler then makes the call */
	PTRACE_CALL_RUNS,
};

/* The tracing state of a task. */
struct ptrace_state {
	struct process *by; /* its tracer; NULL: none */
	uint32_t options;   /* PTRACE_O_... */
	bool seized;        /* PTRACE_SEIZE, not PTRACE_ATTACH */
	bool calls, steps;  /* resumed by PTRACE_SYSCALL; by PTRACE_SINGLESTEP */

	enum ptrace_stop stop;
	int code;        /* signal of the stop, and its event in higher bits */
	bool unreported; /* wait4(2) has not reported the stop yet */
	bool listens;    /* PTRACE_LISTEN: accepts no request but PTRACE_INTERRUPT */
	bool has_info;
	siginfo_t info;
	uint64_t message; /* PTRACE_GETEVENTMSG */

	/* Stops that are due. */
	bool joins;     /* it joins the job stop of its process */
	bool traps;     /* PTRACE_INTERRUPT, or the first stop of a seized task's child */
	int event;      /* code of an event's stop; 0: none */
	bool injected;  /* it has stopped for a signal, which is now `info`; si_signo 0: none */
	bool delivered; /* signal_deliver() delivers the injected signal: no second stop */
	bool exited;    /* it has made its stop at exit */
	int status;     /* status of exit(2), as in wait4(2) */

	enum ptrace_call call;
	long number; /* number of the present or last call; -1: none since ring 3 was entered */

	struct ptrace_watch *watch; /* debug registers; NULL: none was set */
};

/* A thread that ended while it was traced: wait4(2) reports it to its tracer. */
struct ptrace_end {
	struct ptrace_end *next;
	uint32_t tid, group;
	int status;
};

/* --- For the scheduler: for the task that this CPU has, interrupts off --- */

/*
 * ptrace_stays() - true where the task is still stopped; it sleeps again then.
 * ptrace_stops() - true where the task stops here, after its system call and before signals are
 * delivered.
 * ptrace_may_enter() - true where ring 3 can continue with the task's registers. Otherwise a
 * SIGSEGV is pending.
 */
bool ptrace_stays(struct task *t);
bool ptrace_stops(struct task *t);
bool ptrace_may_enter(struct task *t);

/* ptrace_resume() - calls user_resume() for the task, with single steps, or with the system call at
 * whose entry it stopped. */
long ptrace_resume(struct task *t);

/*
 * ptrace_wants_exit() - true where the task has to stop before it ends.
 * ptrace_stops_at_exit() - makes that stop, once; true: the task is stopped.
 * ptrace_is_at_exit() - true where the task is in that stop.
 */
bool ptrace_wants_exit(const struct task *t);
bool ptrace_stops_at_exit(struct task *t);
bool ptrace_is_at_exit(const struct task *t);

/* --- For signals --- */

/* ptrace_interrupts() - true where a stop is due that interrupts a system call. Any context. */
static inline bool ptrace_interrupts(const struct ptrace_state *s)
{
	return s->joins || s->traps;
}

/*
 * ptrace_take_injected() - takes the signal with which the tracer has resumed the task; 0: none.
 * ptrace_stops_for() - true where the task stops before `info` is delivered.
 * ptrace_in_handler() - called when a handler is about to run: a single-stepped task stops at the
 * handler's first instruction.
 */
int ptrace_take_injected(struct task *t, siginfo_t *info);
bool ptrace_stops_for(struct task *t, const siginfo_t *info);
void ptrace_in_handler(struct task *t);

/*
 * job_is_stop() - true where the default action of the signal stops a process.
 * job_stop() - stops the process of `t` by that action.
 * job_sent() - called when `number` is sent to `p`. SIGCONT and stop signals remove each other from
 * the queues of `p`, and SIGCONT ends a stop. With the lock.
 */
bool job_is_stop(int number);
void job_stop(struct task *t, int number);
void job_sent(struct process *p, int number);

/* --- For system calls --- */

/*
 * ptrace_enters_call() - called when the current task makes system call `number`; true: it stops
 * first.
 * ptrace_exec() - called when the task has a new program.
 * ptrace_vfork_done() - called when the child `pid` no longer uses the memory of `t`.
 */
bool ptrace_enters_call(struct task *t, long number);
void ptrace_exec(struct task *t);
void ptrace_vfork_done(struct task *t, uint32_t pid);

/* --- For beginnings and ends of tasks: with the lock --- */

void ptrace_clone(struct task *parent, struct task *child, const struct task_clone *how);
void ptrace_task_ends(struct task *t);
void ptrace_process_ends(struct process *p);

#endif
