/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched.h - which task has which CPU.
 *
 * Each CPU has a queue of tasks that could run, and one that does; they take turns, a slice each,
 * in the order in which they came. As long as no task waits, no timer is armed. A task that has
 * had a whole slice without sleeping gives way to tasks that wake: they are first in the queue, and
 * its turn ends. So a task that sleeps for a short time gets on beside one that never sleeps, even
 * where each slice would end while that one holds a lock that both take. The scheduler's
 * loop lies on the CPU's own stack: it enters ring 3 with the task's registers, and goes on when
 * user_leave() drops what ring 0 had to do for it. So ring 0 is never preempted, and a task that
 * sleeps takes no stack.
 *
 * A task is on one queue, or runs on one CPU, or sleeps, or has ended: always one of them. What a
 * queue holds, and which of these a task is, changes under the lock of the queue of the CPU that
 * the task belongs to. A new or woken task goes to the CPU with the fewest tasks of those that it
 * may run on: of equal ones to that where it was, or else to the first. A CPU that has nothing to
 * do takes the oldest task of the longest queue.
 */
#ifndef RT_TASK_SCHED_H
#define RT_TASK_SCHED_H

#include "lib/percpu.h"
#include "rt/task/task.h"

/* sched_init() - this CPU can run tasks from now on. Once on each, interrupts off. */
void sched_init(void);

/* sched_loop() - runs tasks, and halts while there are none, until `done()` (NULL: for ever), which
 * is asked with interrupts off while no task runs. Task context, on the CPU's main stack. */
void sched_loop(bool (*done)(void));

/* sched_current() - the task that this CPU runs, or is in a system call or fault of; NULL: none.
 * Any context. */
extern PERCPU struct task *sched_running;
static inline struct task *sched_current(void)
{
	return sched_running;
}

/* sched_new(), sched_wake() - a new task, or one that slept, can run from now on. False: it did not
 * sleep. Interrupts off; any CPU. */
void sched_new(struct task *t);
bool sched_wake(struct task *t);

/*
 * sched_prepare_sleep() - from now on sched_wake() wakes the current task, even before it is off
 * the CPU; its system call will return `result`, or is made `again` from its start when it has the
 * CPU again, and may prepare the next sleep. sched_stop() - the same, outside of any system call:
 * the scheduler puts it to sleep where it stands. sched_stay_awake() - it does not
 * sleep after all.
 */
void sched_prepare_sleep(long result, bool again);
void sched_stop(void);
void sched_stay_awake(void);

/*
 * Ways out of a system call or a fault of the current task, which do not return. sched_sleep() - as
 * prepared. sched_yield() - behind the tasks that wait, if there are any; returns where there are
 * none. sched_check_place() - to another CPU where its affinity has that; else it returns.
 * sched_exit() - it has ended. sched_restart() - it goes on at task->start in task->enters.
 * sched_take_signals() - its system call has `result`, and signals are delivered behind it.
 * sched_stop_at_call() - its tracer is asked before the call is made.
 * sched_leave_handler() - rt_sigreturn(2): it goes on where a signal came to it.
 */
_Noreturn void sched_sleep(void);
void sched_yield(void);
void sched_check_place(void);
_Noreturn void sched_exit(void);
_Noreturn void sched_restart(void);
_Noreturn void sched_take_signals(long result);
_Noreturn void sched_stop_at_call(void);
_Noreturn void sched_leave_handler(void);

/* sched_set_affinity() - on these CPUs alone; it moves if it has to, the current one by
 * sched_check_place(). -EINVAL: none of them is there. Interrupts off. */
int sched_set_affinity(struct task *t, const struct cpumask *cpus);

/* sched_allow_rdpmc() - ring 3 of this CPU may use RDPMC, until another task comes. */
void sched_allow_rdpmc(bool allow);

/* sched_enter_nothing() - ring 3 of this CPU, which runs no task, has no memory. Interrupts off. */
void sched_enter_nothing(void);

/* sched_kick_all() - every CPU looks at what it runs, and whether that may go on. Interrupts off.
 */
void sched_kick_all(void);

/* sched_set_slice_ms(), sched_slice_ms() - how long a turn is while others wait. -EINVAL: not in
 * the range. */
#define SCHED_SLICE_MS      10
#define SCHED_SLICE_MS_MOST 1000
int sched_set_slice_ms(uint64_t ms);
uint64_t sched_slice_ms(void);

/* sched_counts() - of all CPUs, since start-up. */
struct sched_counts {
	uint64_t switches;   /* a task that goes on gave up the CPU */
	uint64_t migrations; /* a task came that had run on another one */
	uint64_t user_ns;    /* of tasks that have left the CPU, in ring 3 */
	uint64_t sys_ns;     /* and in ring 0 */
};
struct sched_counts sched_counts(void);

/* sched_counts_of() - of one CPU, which is there. */
struct sched_counts sched_counts_of(unsigned cpu);

#endif
