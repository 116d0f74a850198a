/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task.h - tasks: what runs in ring 3, in the memory of its process (process.h), and comes back
 * whatever it does: exit, fault, time-out, ^C.
 *
 * Tasks have ids from 1 on: the first one of a command's workload is always task 1, known to the
 * event core whether it runs or not, and what it spawns has the next ones. Which runs when and
 * where: sched.h.
 */
#ifndef RT_TASK_TASK_H
#define RT_TASK_TASK_H

#include "arch/x86/cpu/user.h"
#include "lib/cpumask.h"
#include "pmu/api/pmu.h"
#include "rt/clock/hrtimer.h"
#include "rt/task/onfault.h"
#include "rt/task/process.h"
#include "rt/perf/trace.h"
#include "rt/task/workload.h"

#include <stdbool.h>
#include <stdint.h>

#define TASK_PID  1
#define TASK_COMM TRACE_COMM
#define TASK_MAX  512 /* at the same time, with those that have ended and are waited for */

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
	TASK_ENDED,    /* its parent may still ask for its status */
};

struct task {
	struct user_state user; /* how ring 3 goes on */
	struct pmu_task events;
	struct process *process; /* changes under task.c's lock; NULL: it has left it */
	uint32_t pid, tid;
	char comm[TASK_COMM];
	unsigned stack; /* its number among those of its process */
	struct onfault onfault;
	struct region_stack *regions;

	/* The tree of tasks, under task.c's lock. */
	struct task *next_task, *parent; /* NULL: none, or it has ended */
	bool waits_for_child;
	enum task_end end;
	int status;
	bool gone; /* nothing but its status is left */

	/* The scheduler's, under the lock of the queue of `cpu`: see sched.h. */
	enum task_state state;
	unsigned cpu; /* it is on this CPU's queue, runs there, or was there last */
	bool on_cpu;  /* its registers and events are there still: no other CPU may run it */
	struct task *next_waiting;
	struct cpumask affinity;

	/* What happens when it has the CPU next. */
	volatile bool killed;       /* it ends */
	bool begins;                /* a program begins in it: enable_on_exec */
	bool announced;             /* its name and memory are in the records */
	struct process *enters;     /* sched_restart(): its memory behind that */
	bool slept;                 /* it comes out of a sleep */
	bool migrated;              /* it was on another CPU */
	struct process_start start; /* sched_restart(): where it begins anew */

	/* The system call in which it sleeps. */
	struct hrtimer timer;
	long syscall;      /* its number; -1: none */
	bool told_unknown; /* that it made a system call that there is not */
	long result;       /* of it */
	/* Works the result out when it wakes; NULL: `result` is it. */
	long (*again)(struct task *t);
	uint64_t status_to; /* WAIT: where the status goes; 0: nowhere */
	int wait_for;       /* WAIT: the tid of a child, or -1: any */
	uint64_t wait_on;   /* WAIT_ON: the address; 0: it does not */
	uint64_t polls;     /* PERF_SYS_POLL: the handle */

	/* Times in ns; of system calls in ticks of the TSC, which cost less to take. */
	uint64_t since;    /* it has the CPU, or sleeps */
	uint64_t entered;  /* the system call that it is in; 0: none */
	uint64_t inside;   /* system calls that are over */
	uint64_t in_ring3; /* with system calls */
	uint64_t ran;      /* had the CPU */
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
 * task_run() - `call` with fresh memory; events with enable_on_exec start with its first
 * instruction. Returns when it and all that it spawned have ended; until then this CPU runs tasks.
 * `timeout_ns` 0: none; else that ends them all. Returns the exit status. What the first task left
 * in its memory can be read by copy_from_user() until the next one, or task_forget_memory(): that
 * gives it back. Task context of CPU 0.
 */
int task_run(const struct workload_call *call, uint64_t timeout_ns, struct task_outcome *outcome);
void task_forget_memory(void);

/* task_on_start() - of each run from now on: `fn` is called, interrupts off, right before the first
 * task can run; NULL: nothing is. Task context. */
void task_on_start(void (*fn)(void));

/*
 * task_interrupt() - ^C: ends all tasks, or those of the next task_run() before they start. IRQ
 * context, CPU 0. task_forget_interrupt(): the ^C was meant for something else. task_runs(): there
 * is something to end.
 */
void task_interrupt(void);
bool task_runs(void);
void task_forget_interrupt(void);

/* task_must_end() - it may not go on in ring 3: killed, time-out, ^C. Any context. */
bool task_must_end(const struct task *t);

/* task_events() - task 1 as the event core knows it; it may run or not. Any context. */
struct pmu_task *task_events(void);

/* task_comm() - the name of the task that runs here, or of task 1. Any context. */
const char *task_comm(void);

/*
 * task_share_event() - task 1 of the next task_run() sees the control page of `e` as page `i` of
 * WORKLOAD_EVENTS, and RDPMC may be used from now on. task_unshare_events() - it sees and may no
 * more. Errors as pmu_event_set_page(). Task context, while nothing runs.
 */
int task_share_event(unsigned i, struct pmu_event *e);
void task_unshare_events(void);

/* task_share_rdpmc() - task 1 of the next task_run() may use RDPMC, or not. Task context, while
 * nothing runs. */
void task_share_rdpmc(bool share);

/* task_current() - what ring 3 runs on this CPU, kept up to date; the same address on every CPU. */
const struct pmu_current *task_current(void);

/* --- For system calls: of the task that runs here, interrupts off --- */

struct task_spawn {
	const struct workload_call *call; /* a process of its own; NULL: a thread */
	uint64_t entry;                   /* 0: where the program starts; else here, with `args` */
	uint64_t args[6];
};

/* task_spawn() - the tid of a new task. -EAGAIN, -ENOMEM, -EFAULT (entry), -ENOEXEC. */
long task_spawn(struct task *parent, const struct task_spawn *how);

/* task_exec() - another program in place of this one: does not return but where it cannot. */
long task_exec(struct task *t, const struct workload_call *call);

/* task_wait() - as system call WAIT; `status_to` is an address of ring 3, or 0. May sleep, and not
 * return then. */
long task_wait(struct task *t, int tid, uint64_t status_to, bool hang);

/* task_kill() - as system call KILL. task_set_comm() - another name, cut to what a name has. */
int task_kill(struct task *t, int tid);
void task_set_comm(struct task *t, const char *name);

/* task_with() - calls `fn` with task `tid`, which stays while it runs; its result, -ESRCH: there is
 * none. `fn` neither sleeps nor calls other CPUs. */
int task_with(int tid, int (*fn)(struct task *t, void *arg), void *arg);

/* task_each() - calls `fn` for each task there is, likewise. */
void task_each(void (*fn)(struct task *t, void *arg), void *arg);

/* task_allow_rdpmc() - the process of `t`, which runs here, may use RDPMC from now on. Interrupts
 * off. */
void task_allow_rdpmc(struct task *t);

/* --- For the scheduler --- */

/* task_gone() - it has ended and is off the CPU; another space is entered. */
void task_gone(struct task *t);

/* task_begin() - a program begins in it, on this CPU: its events are in. task_change_memory() - it
 * is in task->enters from now on, which this CPU enters, and what it had is given back. */
void task_begin(struct task *t);
void task_change_memory(struct task *t);

#endif
