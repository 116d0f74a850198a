/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task.h - tasks. They run in ring 3 in the memory of their process (process.h), and end by exit,
 * fault, time-out or ^C. Ids of tasks begin at TASK_PID. The first task of a command's workload
 * always has TASK_PID, and the event core knows it whether it runs or not. Later tasks have the
 * next ids. The scheduler (sched.h) decides when and where a task runs.
 */
#ifndef LINUX_TASK_TASK_H
#define LINUX_TASK_TASK_H

#include "arch/x86/cpu/user.h"
#include "include/perf0/task_mark.h"
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
#define TASK_PID    2 /* the first process of a command */
#define TASK_COMM   TRACE_COMM
#define TASK_MAX    512 /* most tasks at a time, with ended ones that no wait has collected */

enum task_end {
	TASK_EXITED,
	TASK_FAULTED,
	TASK_TIMED_OUT,
	TASK_INTERRUPTED,
	TASK_KILLED,
	TASK_NOT_STARTED
};

enum task_state {
	TASK_NEW,      /* on no queue yet, or on its way to another queue */
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
	uint64_t slack;   /* timer slack in ns, relative to TASK_SLACK; no timer is late */
};
#define TASK_SLACK 50000u

/* The semaphore that a task waits for: GETNCNT and GETZCNT of semctl(2). All zero: none. */
struct sem_wait {
	bool waits, for_zero;
	int id;
	unsigned number;
};

struct task {
	struct user_state user; /* registers of ring 3 */
	struct pmu_task events;
	/* From here on task_clear() sets all to zero. */
	struct process *process; /* under task.c's lock; NULL: the task has left it */
	uint32_t pid, tid;
	uint32_t old_tid; /* before execve(2) */
	char comm[TASK_COMM];
	struct region_stack *regions;
	struct task_signals signals;

	/* The list of tasks, under task.c's lock. */
	struct task *next_task, **task_link;
	struct task *next_thread, **thread_link; /* of its process */
	bool gone; /* the task has ended; the first task stays in memory */

	/* Owned by the scheduler, under the lock of the queue of `cpu`: see sched.h. */
	enum task_state state;
	unsigned cpu; /* CPU of its queue; or where it runs, or ran last */
	bool on_cpu;  /* the CPU still has its registers and events: no other may run it */
	bool spent;   /* it has used a whole slice, and has not slept since */
	struct task *next_waiting;
	struct cpumask affinity;
	struct task_wishes wishes;

	/* Actions for the next time that it runs. */
	volatile bool killed;    /* it ends */
	bool watched;            /* it is traced or may stop: ptrace.h */
	bool begins;             /* a program begins in it: enable_on_exec */
	bool announced;          /* records of its name and memory were written */
	struct mm *enters;       /* sched_restart(): its next memory */
	bool slept;              /* it has slept since it last ran */
	bool migrated;           /* it has come from another CPU */
	struct exec_start start; /* sched_restart(): its next start */

	/* The system call that the task is in, or sleeps in. `heeds`: set by task_heed(); the task
	 * may have to do something before it returns to ring 3. */
	bool heeds;
	struct hrtimer timer;
	long syscall;      /* its number; -1: none */
	long interrupted;  /* number of the call after which a signal is delivered; -1: none */
	bool again;        /* the call is repeated, because the task slept in it */
	uint64_t deadline; /* ns of clock_ns(), from the first try; 0: none */
	long result;       /* its result */
	struct {
		struct futex_waits waits; /* n 0: it does not wait */
		struct futex_waiter one;
	} futex;                  /* futex(2) */
	struct sem_wait sem_wait; /* semop(2) */
	bool waits_for_child;
	uint32_t vfork_child; /* vfork(2): the child that this task waits for; 0: none */

	struct wait_set waits;  /* waiters at the files that it waits for */
	uint64_t io_done;       /* bytes of the read or write that it sleeps in */
	unsigned messages_done; /* of sendmmsg(2) and recvmmsg(2), likewise */
	struct file *opening;   /* open(2): a fifo whose other end is not open yet; NULL: none */
	struct lock_waiter lock_wait; /* fcntl(F_SETLKW) */

	struct ptrace_state trace;
	struct task_mark mark; /* for QEMU's plugin; `task` is 0 before it first runs */

	/* Addresses to write when a thread ends: set_tid_address(2), set_robust_list(2). */
	uint64_t clear_tid, robust_list;

	/* The last fault, for the handler of its signal. */
	struct {
		uint64_t vector, error, address;
		bool no_memory;
		int told; /* the signal that reported it */
	} fault;

	/* Times in ns, except `inside`: it is in ticks of the TSC, which cost less to read. */
	struct task_usage usage; /* the times in it are unused */
	uint64_t began;
	uint64_t since;       /* start of its turn, or of its sleep */
	uint64_t ring3_since; /* start of its time in ring 3; 0: it is not there */
	uint64_t inside;      /* time in finished system calls */
	uint64_t in_ring3;    /* time in ring 3, including system calls */
	uint64_t ran;         /* time on a CPU */
	uint64_t user_told;   /* part of its time in ring 3 that sched_counts() includes */
};

struct task_outcome {
	enum task_end end;   /* the way in which the first task ended */
	int status;          /* exit status, as a shell gives it: rt/console/command.h */
	uint64_t elapsed_ns; /* from the start of its events until the last task has ended */
	uint64_t user_ns;    /* time of all tasks in ring 3, with interrupts */
	uint64_t sys_ns;     /* time of all tasks in ring 0, without sleep */
	char why[160];       /* reason of the end, unless it was an exit */
};

/* task_init() - called once, at start-up. */
void task_init(void);

/*
 * task_run() - runs `call` with fresh memory. Events with enable_on_exec start with its first
 * instruction. This CPU runs tasks until the program and all of its descendants have ended, or
 * until `timeout_ns` (0: no limit) ends them. Returns the exit status. task_forget_memory() - frees
 * the memory of the first task, which copy_from_user() can read until then, or until the next run.
 * Task context of CPU 0.
 */
int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome);
void task_forget_memory(void);

/*
 * task_forget_run() - frees what is left of the last run, so that each run of a command finds the
 * same free memory. Call it before opening events of the next run. task_run() calls it, too. Task
 * context.
 */
void task_forget_run(void);

/*
 * task_restart_clocks() - sets the TSC to its value at the beginning of every run. task_run() calls
 * it right before its first task runs, unless it was called for this run. Call it before events of
 * whole CPUs begin: their records may have times of the TSC. Task context.
 */
void task_restart_clocks(void);

/* task_end_command() - ends a command that ran something: reports missing system calls, sends
 * the host tool the files that it asked for, and frees memory and files. Task context. */
void task_end_command(void);

/* task_on_start() - sets a function that later runs call right before the first task can run, with
 * interrupts off; NULL: none. Task context. */
void task_on_start(void (*fn)(void));

/*
 * task_interrupt() - ^C: ends all tasks, or those of the next task_run() before they start. IRQ
 * context, CPU 0.
 * task_runs() - true where there is a run to end.
 * task_forget_interrupt() - drops a ^C that was meant for something else.
 */
void task_interrupt(void);
bool task_runs(void);
void task_forget_interrupt(void);

/* task_must_end() - true where the task must not return to ring 3 (killed, time-out, ^C). Any
 * context. */
bool task_must_end(const struct task *t);

/* task_events() - the event core's part of the first task, whether the task runs or not. Any
 * context. */
struct pmu_task *task_events(void);

/* task_comm() - the name of the task that runs here, or of the first task. Any context. */
const char *task_comm(void);

/*
 * task_share_event() - the first task of the next task_run() sees the control page of `e` as page
 * `i` of WORKLOAD_EVENTS, and may use RDPMC. Errors as pmu_event_set_page().
 * task_unshare_events() - ends both for all events.
 * Task context, while nothing runs.
 */
int task_share_event(unsigned i, struct pmu_event *e);
void task_unshare_events(void);

/* task_share_rdpmc() - sets whether the first task of the next task_run() may use RDPMC. Task
 * context, while nothing runs. */
void task_share_rdpmc(bool share);

/* task_current() - a description of the task in ring 3 on this CPU, which stays up to date. It has
 * the same address on every CPU. */
const struct pmu_current *task_current(void);

/* --- For system calls: for the current task, interrupts off --- */

/*
 * task_clone() - makes a task that continues where `parent` does, as clone(2): a thread, or a
 * process with the same memory or a copy of it. `flags` are CLONE_ flags that the caller has
 * checked. Returns the tid; -EAGAIN, -ENOMEM.
 */
struct task_clone {
	uint64_t flags;
	uint64_t stack; /* 0: that of the parent */
	uint64_t tls, parent_tid, child_tid;
	int exit_signal;
};
long task_clone(struct task *parent, const struct task_clone *how);

/*
 * task_heed() - notes that the task has something to do after its system call: to sleep, to enter
 * another program, or to take signals. With the lock of the tree, if it is a signal to another
 * task.
 * task_heeds_no_more() - clears the note, unless a signal or stop has come in the meantime.
 */
static inline void task_heed(struct task *t)
{
	__atomic_store_n(&t->heeds, true, __ATOMIC_SEQ_CST);
}
void task_heeds_no_more(struct task *t);

/* task_exec() - starts another program in the process; sched_restart() then enters its memory.
 * Other threads have ended. */
void task_exec(struct task *t, const struct exec_start *start, const char *path);

/* task_end_process() - ends all threads of `p`, with `status` as in wait4(2). Any context. */
void task_end_process(struct process *p, int status);

/* task_status() - converts a status of wait4(2) to that of a shell. */
int task_status(int status);

/* task_set_comm() - sets the name, cut to the maximum length. */
void task_set_comm(struct task *t, const char *name);

/* task_with() - calls `fn` with task `tid`, which cannot end while it runs. Returns its result;
 * -ESRCH: there is no such task. `fn` neither sleeps nor calls other CPUs. */
int task_with(int tid, int (*fn)(struct task *t, void *arg), void *arg);

/* task_each() - calls `fn` for each task, likewise. */
void task_each(void (*fn)(struct task *t, void *arg), void *arg);

/* task_allow_rdpmc() - allows RDPMC in the process of `t`, the current task. Interrupts off. */
void task_allow_rdpmc(struct task *t);

/* --- For the scheduler --- */

/* task_gone() - frees a task that has ended and left the CPU, which has entered another space. */
void task_gone(struct task *t);

/*
 * task_begin() - called when a program begins in the task. This CPU has the task's events.
 * task_change_memory() - enters task->enters on this CPU, and drops the former memory.
 */
void task_begin(struct task *t);
void task_change_memory(struct task *t);

#endif
