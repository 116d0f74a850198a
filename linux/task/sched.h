/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched.h - the scheduler. Each CPU runs one task, and has a queue of tasks that are ready. They
 * take turns of one slice each, in order of arrival. While no task waits, no timer is armed.
 *
 * A task that has used a whole slice without sleeping gives way to tasks that wake: they go to the
 * front of the queue, and its turn ends. So a task that sleeps briefly gets a lock that another
 * task releases only for short moments.
 *
 * The scheduler's loop runs on the CPU's own stack. It enters ring 3 with the task's registers. It
 * continues when user_leave() abandons the work of ring 0 for the task. So ring 0 is never
 * preempted, and a sleeping task needs no stack.
 *
 * A task is in exactly one state: on one queue, running on one CPU, sleeping, or ended. The lock of
 * the queue of the task's CPU guards queues and states. A new or woken task goes to the least
 * loaded CPU that it may run on. Among equally loaded CPUs it prefers its last CPU, and then the
 * first one. An idle CPU takes the oldest task of the longest queue.
 */
#ifndef LINUX_TASK_SCHED_H
#define LINUX_TASK_SCHED_H

#include "lib/percpu.h"
#include "linux/task/task.h"

/* sched_init() - prepares this CPU to run tasks. Once on each, interrupts off. */
void sched_init(void);

/* sched_loop() - runs tasks, and halts while there are none. It ends when `done()` returns true,
 * which is called with interrupts off while no task runs; NULL: it never ends. Task context, on the
 * CPU's main stack. */
void sched_loop(bool (*done)(void));

/* sched_current() - the task that this CPU runs, also during its system calls and faults; NULL:
 * none. Any context. */
extern PERCPU struct task *sched_running;
static inline struct task *sched_current(void)
{
	return sched_running;
}

/*
 * sched_new() - makes a new task ready.
 * sched_wake() - makes a sleeping task ready; false: it did not sleep.
 * Interrupts off; any CPU.
 */
void sched_new(struct task *t);
bool sched_wake(struct task *t);

/*
 * sched_prepare_sleep() - begins a sleep of the current task: from now on sched_wake() wakes it,
 * even before it has left the CPU. Its system call will return `result`. With `again` the call is
 * made again from its start, and may prepare the next sleep.
 * sched_stop() - begins a sleep outside of a system call. The task continues where it was.
 * sched_stay_awake() - cancels the sleep.
 */
void sched_prepare_sleep(long result, bool again);
void sched_stop(void);
void sched_stay_awake(void);

/*
 * These functions leave a system call or a fault of the current task. They do not return, unless
 * their line says so.
 * sched_sleep() - the task sleeps, as prepared.
 * sched_yield() - the task goes to the end of the queue. Returns if no task waits.
 * sched_check_place() - the task goes to another CPU, if its affinity excludes this one. Otherwise
 * it returns.
 * sched_exit() - the task has ended.
 * sched_restart() - the task continues at task->start in the memory task->enters.
 * sched_take_signals() - the system call has `result`, and then signals are delivered.
 * sched_stop_at_call() - the task stops for its tracer before the call is made.
 * sched_leave_handler() - rt_sigreturn(2): the task continues where the signal interrupted it.
 */
_Noreturn void sched_sleep(void);
void sched_yield(void);
void sched_check_place(void);
_Noreturn void sched_exit(void);
_Noreturn void sched_restart(void);
_Noreturn void sched_take_signals(long result);
_Noreturn void sched_stop_at_call(void);
_Noreturn void sched_leave_handler(void);

/* sched_set_affinity() - limits the task to these CPUs. It moves if it has to; the current task
 * moves by sched_check_place(). -EINVAL: none of the CPUs exists. Interrupts off. */
int sched_set_affinity(struct task *t, const struct cpumask *cpus);

/* sched_mark_copy() - tells QEMU's plugin that `t`, which is new, will begin where the current task
 * is. In a system call of that task. */
void sched_mark_copy(struct task *t);

/* sched_allow_rdpmc() - allows RDPMC in ring 3 of this CPU, until the next switch. */
void sched_allow_rdpmc(bool allow);

/* sched_enter_nothing() - gives this CPU, which runs no task, an empty address space for ring 3.
 * Interrupts off. */
void sched_enter_nothing(void);

/* sched_kick_all() - makes every CPU check whether its task may continue. Interrupts off. */
void sched_kick_all(void);

/* sched_set_slice_ms(), sched_slice_ms() - the length of a slice while others wait. -EINVAL: out
 * of range. */
#define SCHED_SLICE_MS      10
#define SCHED_SLICE_MS_MOST 1000
int sched_set_slice_ms(uint64_t ms);
uint64_t sched_slice_ms(void);

/* sched_counts() - sums of all CPUs, since start-up. */
struct sched_counts {
	uint64_t switches;   /* number of times that a live task left its CPU */
	uint64_t migrations; /* number of times that a task came from another CPU */
	uint64_t user_ns;    /* time in ring 3, of tasks that have left their CPU */
	uint64_t sys_ns;     /* likewise in ring 0 */
};
struct sched_counts sched_counts(void);

/* sched_counts_of() - the counts of one CPU, which has to be present. */
struct sched_counts sched_counts_of(unsigned cpu);

#endif
