/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sched_parts.h - interfaces between the parts of the scheduler: queues and the states of tasks
 * in sched_queue.c, the switch in sched_switch.c, ring 3 and the ways out of it in sched.c. Only
 * these include it. Interrupts off.
 */
#ifndef LINUX_TASK_SCHED_PARTS_H
#define LINUX_TASK_SCHED_PARTS_H

#include "linux/task/sched.h"

/* sched_queue_init() - lets this CPU take tasks. */
void sched_queue_init(void);

/*
 * sched_waiting() - the number of tasks that wait on this CPU.
 * sched_may_run() - true where `cpu` is present, and in the task's affinity.
 */
unsigned sched_waiting(void);
bool sched_may_run(const struct task *t, unsigned cpu);

/*
 * sched_pick_next() - picks the next task; NULL: none. `t` has the CPU (NULL: no task has it), and
 * may keep it if it can continue.
 * sched_let_go() - allows other CPUs to take the task from now on.
 */
struct task *sched_pick_next(struct task *t);
void sched_let_go(struct task *t);

/* sched_gives_way() - true where the current task has used a whole slice, and a task that woke
 * since then is first in the queue. */
bool sched_gives_way(void);

/* sched_own_counts() - the counts of this CPU. */
struct sched_counts *sched_own_counts(void);

/*
 * sched_switch_to() - switches from one task to the next; either may be NULL: none.
 * sched_switch_init() - called once on each CPU.
 */
void sched_switch_to(struct task *from, struct task *to);
void sched_switch_init(void);

/* sched_start_slice() - begins a slice of the current task, if other tasks wait. */
void sched_start_slice(void);

/* sched_end_turn_early() - ends the turn of the current task as soon as it is in ring 3. */
void sched_end_turn_early(void);

#endif
