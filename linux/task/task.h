/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task.h - tasks, which run in ring 3 in the memory of their process (process.h), and end by
 * exit, fault, time-out or ^C. Tasks have ids from TASK_PID on. The first task of a command's
 * workload always has TASK_PID, and the event core knows it whether it runs or not. Tasks that
 * it spawns have the next ids. sched.h decides which task runs when and where.
 */
#ifndef LINUX_TASK_TASK_H
#define LINUX_TASK_TASK_H

#include "arch/x86/cpu/user.h"
#include "lib/cpumask.h"
#include "pmu/api/pmu.h"
#include "rt/clock/hrtimer.h"
#include "linux/portable/futex_queue.h"
#include "linux/file/poll.h"
#include "linux/file/record_lock.h"
#include "linux/task/process.h"
#include "rt/base/tracepoints.h"
#include "linux/task/ptrace.h"
#include "linux/task/signal.h"
#include "linux/program/workload.h"

#include <stdbool.h>
#include <stdint.h>

#define RUNTIME_PID 1 /* parent of the first process, and of orphans */
#define TASK_PID    2 /* of the first process of a command */
#define TASK_COMM   TRACE_COMM
#define TASK_MAX    512 /* at the same time, including ended ones that no wait has collected */

enum task_end {
	TASK_EXITED,
	TASK_FAULTED,
	TASK_TIMED_OUT,
	TASK_INTERRUPTED,
	TASK_KILLED,
	TASK_NOT_STARTED
};

enum task_state {
	TASK_NEW,      /* on its way to a queue */
	TASK_WAITING,  /* on the queue of task->cpu */
	TASK_RUNNING,  /* on task->cpu */
	TASK_SLEEPING, /* woken by sched_wake() */
	TASK_ENDED,
};

/* Scheduling attributes of a task. They are stored and reported, but ignored: the scheduler has
 * one kind of task. A clone inherits them. */
struct task_wishes {
	uint8_t policy;   /* SCHED_NORMAL, ... */
	uint8_t priority; /* of SCHED_FIFO and SCHED_RR: 1 to 99 */
	int8_t nice;      /* -20 to 19 */
	uint64_t slack;   /* ns by which timers may be late, less TASK_SLACK: no timer is */
};
#define TASK_SLACK 50000u

/* The semaphore that a task waits for: GETNCNT and GETZCNT of semctl(2). All zero: nowhere. */
struct sem_wait {
	bool waits, for_zero;
	int id;
	unsigned number;
};

struct task {
	struct user_state user; /* registers of ring 3 */
	struct pmu_task events;
	struct process *process; /* under task.c's lock; NULL: it has left it */
	uint32_t pid, tid;
	uint32_t old_tid; /* before execve(2) */
	char comm[TASK_COMM];
	struct region_stack *regions;
	struct task_signals signals;

	/* The list of tasks, under task.c's lock. */
	struct task *next_task, **task_link;
	struct task *next_thread, **thread_link; /* of its process */
	bool gone; /* the first task alone: it has ended, and others of the run have not */

	/* The scheduler's, under the lock of the queue of `cpu`: see sched.h. */
	enum task_state state;
	unsigned cpu; /* CPU of its queue; or where it runs, or ran last */
	bool on_cpu;  /* its registers and events are there still: no other CPU may run it */
	bool spent;   /* it has had a whole slice, and has not slept since */
	struct task *next_waiting;
	struct cpumask affinity;
	struct task_wishes wishes;

	/* Actions for the next time that it runs. */
	volatile bool killed;    /* it ends */
	bool watched;            /* ptrace.h: stops may come */
	bool begins;             /* a program begins in it: enable_on_exec */
	bool announced;          /* its name and memory are in the records */
	struct mm *enters;       /* sched_restart(): its next memory */
	bool slept;              /* it comes out of a sleep */
	bool migrated;           /* it was on another CPU */
	struct exec_start start; /* sched_restart(): its next start */

	/* The system call that it is in, or sleeps in. `heeds`: task_heed() has noted that more
	 * than a return may be due behind it. */
	bool heeds;
	struct hrtimer timer;
	long syscall;      /* its number; -1: none */
	long interrupted;  /* number of the call behind which a signal is delivered; -1: none */
	bool again;        /* the call is repeated, as its task slept */
	uint64_t deadline; /* ns of clock_ns(), from the first try; 0: none */
	long result;       /* of it */
	struct {
		struct futex_waits waits; /* n 0: it does not wait */
		struct futex_waiter one;
	} futex;                  /* futex(2) */
	struct sem_wait sem_wait; /* semop(2) */
	bool waits_for_child;
	uint32_t vfork_child; /* its parent waits until it has memory of its own; 0: it does not */

	struct wait_set waits;        /* files that it waits for */
	uint64_t io_done;             /* bytes of the read or write that it sleeps in */
	unsigned messages_done;       /* of sendmmsg(2) and recvmmsg(2), likewise */
	struct file *opening;         /* open(2): a fifo whose other end it waits for; NULL: none */
	struct lock_waiter lock_wait; /* fcntl(F_SETLKW) */

	struct ptrace_state trace;

	/* Addresses to write when a thread ends: set_tid_address(2), set_robust_list(2). */
	uint64_t clear_tid, robust_list;

	/* The last fault, for the handler of its signal. */
	struct {
		uint64_t vector, error, address;
		bool no_memory;
		int told; /* the signal that reported it */
	} fault;

	/* Times in ns; of system calls in ticks of the TSC, which cost less to take. */
	struct task_usage usage; /* except its times */
	uint64_t began;
	uint64_t since;       /* start of its turn, or of its sleep */
	uint64_t ring3_since; /* start of its time in ring 3; 0: it is not there */
	uint64_t inside;      /* time in finished system calls */
	uint64_t in_ring3;    /* time in ring 3, including system calls */
	uint64_t ran;         /* time on a CPU */
	uint64_t user_told;   /* part of its time in ring 3 that sched_counts() includes */
};

struct task_outcome {
	enum task_end end;   /* of the first task */
	int status;          /* exit status, as a shell would give it: see rt/console/command.h */
	uint64_t elapsed_ns; /* from before its events are started until the last task has ended */
	uint64_t user_ns;    /* of all tasks, in ring 3, interrupts included */
	uint64_t sys_ns;     /* of all tasks, in ring 0 and not asleep */
	char why[160];       /* what ended it, when it was not its own exit */
};

/* task_init() - once, at start-up. */
void task_init(void);

/*
 * task_run() - runs `call` with fresh memory; events with enable_on_exec start with its first
 * instruction. Returns when it and all that it spawned have ended; until then this CPU runs
 * tasks. After `timeout_ns` all of them end; 0: no limit. Returns the exit status.
 * copy_from_user() can read the first task's memory until the next run, or until
 * task_forget_memory() frees it. Task context of CPU 0.
 */
int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome);
void task_forget_memory(void);

/*
 * task_forget_run() - frees the remains of the last run, so that the next run finds the same
 * free memory as any other run of the command. Call it before opening events of the next run;
 * task_run() does it, too. Task context.
 */
void task_forget_run(void);

/*
 * task_restart_clocks() - the TSC reads what it did when the run before began. task_run() does it
 * right before its first task runs, unless it was done for this run: events of whole CPUs, which
 * begin before, may have times of the TSC in what they write. Task context.
 */
void task_restart_clocks(void);

/* task_end_command() - ends a command that ran something: reports missing system calls, sends
 * the host tool the files that it asked for, and frees memory and files. Task context. */
void task_end_command(void);

/* task_on_start() - sets a function for each later run: `fn` is called, interrupts off, right
 * before the first task can run; NULL: none. Task context. */
void task_on_start(void (*fn)(void));

/*
 * task_interrupt() - ^C: ends all tasks, or those of the next task_run() before they start. IRQ
 * context, CPU 0. task_forget_interrupt(): the ^C was meant for something else. task_runs(): there
 * is something to end.
 */
void task_interrupt(void);
bool task_runs(void);
void task_forget_interrupt(void);

/* task_must_end() - may the task not return to ring 3 (killed, time-out, ^C)? Any context. */
bool task_must_end(const struct task *t);

/* task_events() - the first task for the event core, whether it runs or not. Any context. */
struct pmu_task *task_events(void);

/* task_comm() - the name of the task that runs here, or of the first task. Any context. */
const char *task_comm(void);

/*
 * task_share_event() - the first task of the next task_run() sees the control page of `e` as page
 * `i` of WORKLOAD_EVENTS, and RDPMC may be used from now on. task_unshare_events() - it sees and
 * may no more. Errors as pmu_event_set_page(). Task context, while nothing runs.
 */
int task_share_event(unsigned i, struct pmu_event *e);
void task_unshare_events(void);

/* task_share_rdpmc() - sets whether the first task of the next task_run() may use RDPMC. Task
 * context, while nothing runs. */
void task_share_rdpmc(bool share);

/* task_current() - the task in ring 3 on this CPU, kept up to date; the same address on every
 * CPU. */
const struct pmu_current *task_current(void);

/* --- For system calls: of the task that runs here, interrupts off --- */

/*
 * task_clone() - a new task that goes on where this one does, as clone(2) has it: a thread, or a
 * process with a copy of the memory, or with the same. `flags` are CLONE_VM, _THREAD, _VFORK,
 * _SETTLS, _PARENT_SETTID, _CHILD_SETTID, _CHILD_CLEARTID, and were checked. The tid; -EAGAIN,
 * -ENOMEM.
 */
struct task_clone {
	uint64_t flags;
	uint64_t stack; /* 0: as this one's */
	uint64_t tls, parent_tid, child_tid;
	int exit_signal;
};
long task_clone(struct task *parent, const struct task_clone *how);

/*
 * task_heed() - behind its system call a task is to look whether it sleeps, enters another program,
 * or has signals to take: each of these that comes notes it. For another task's signal with the
 * lock of the tree. task_heeds_no_more() - there is nothing to take any more, unless that comes at
 * this moment.
 */
static inline void task_heed(struct task *t)
{
	__atomic_store_n(&t->heeds, true, __ATOMIC_SEQ_CST);
}
void task_heeds_no_more(struct task *t);

/* task_exec() - starts another program in the process, in memory that sched_restart() gives it;
 * other threads have ended. */
void task_exec(struct task *t, const struct exec_start *start, const char *path);

/* task_end_process() - ends all threads of `p`, with `status` as in wait4(2). Any context. */
void task_end_process(struct process *p, int status);

/* task_status() - converts a status of wait4(2) to that of a shell. */
int task_status(int status);

/* task_set_comm() - sets the name, cut to the maximum length. */
void task_set_comm(struct task *t, const char *name);

/* task_with() - calls `fn` with task `tid`, which stays while it runs; its result, -ESRCH: there is
 * none. `fn` neither sleeps nor calls other CPUs. */
int task_with(int tid, int (*fn)(struct task *t, void *arg), void *arg);

/* task_each() - calls `fn` for each task there is, likewise. */
void task_each(void (*fn)(struct task *t, void *arg), void *arg);

/* task_allow_rdpmc() - allows RDPMC in the process of `t`, which runs here. Interrupts off. */
void task_allow_rdpmc(struct task *t);

/* --- For the scheduler --- */

/* task_gone() - the task has ended and is off the CPU, which has entered another space. */
void task_gone(struct task *t);

/* task_begin() - a program begins in the task, on this CPU, with its events on the CPU.
 * task_change_memory() - enters task->enters on this CPU and releases the former memory. */
void task_begin(struct task *t);
void task_change_memory(struct task *t);

#endif
