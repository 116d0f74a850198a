/* SPDX-License-Identifier: BSD-2-Clause */
/* task.h - tasks: what runs in ring 3, with the events that count while it does. The rules of use
 * are pmu.h's. */
#ifndef PMU_API_TASK_H
#define PMU_API_TASK_H

#include "pmu/api/event.h"

#include <stdbool.h>
#include <stdint.h>

#define PMU_MAX_EVENTS 255 /* that can be open for one task, and for one CPU */

/* Records of calls that are put away while another task runs: as the registers had them, newest
 * first. */
#define PMU_BRANCHES_MOST 32
struct pmu_saved_branches {
	uint8_t n;
	uint8_t newest; /* the number of its register */
	struct {
		uint64_t from, to, info;
	} record[PMU_BRANCHES_MOST];
};

/*
 * A task: something that runs in ring 3, with the events that count while it does. The storage is
 * the caller's; the members are the event core's.
 */
struct pmu_task {
	struct pmu_context context;
	uint32_t pid, tid;
	uint32_t parent_pid, parent_tid; /* 0: it has none */
	uint32_t set;                    /* of tasks that events of a CPU can be for; 0: none */
	struct pmu_task *next;
	struct pmu_saved_branches calls; /* of events that sample stacks of calls */
};

/*
 * pmu_task_init() - the core knows it from now on, by `tid`, which no other task has. It does not
 * run. With a `parent` (NULL: none) it inherits the parent's set and its events with attr.inherit,
 * group by group: each gets an event of its own, which counts for the one that was opened.
 * -EMFILE: no room for all of them; none is inherited then, the task is known all the same.
 * pmu_task_exit() - the task is gone: its events that were opened count no more, but can be read,
 * and what those that were inherited counted is part of their ancestors' counts. It must not run.
 * Task context, both.
 */
int pmu_task_init(struct pmu_task *task, uint32_t pid, uint32_t tid, struct pmu_task *parent);
void pmu_task_exit(struct pmu_task *task);

/* pmu_task_set_tid() - it is known by `tid` from now on, which no other task has any more. Any
 * context. */
void pmu_task_set_tid(struct pmu_task *task, uint32_t tid);

/* pmu_task_anew() - `task`, which does not run, keeps its events, and was on no CPU yet. Task
 * context. */
void pmu_task_anew(struct pmu_task *task);

/*
 * pmu_task_find() - the task `tid`; 0: the one that runs. NULL: there is none. Task context, while
 * no other one begins or ends. pmu_task_pid() - of which process it is; 0: there is none. Also
 * while others begin and end. Task context.
 */
struct pmu_task *pmu_task_find(int tid);
uint32_t pmu_task_pid(int tid);

/*
 * pmu_task_move() - into another set of tasks, as a process moves into another cgroup; when it
 * runs, schedules. Any number of sets exists; 0 is no set.
 */
void pmu_task_move(struct pmu_task *task, uint32_t set);

/* pmu_task_move_id() - likewise task `tid`; also while others begin and end. -ESRCH. Task context.
 */
int pmu_task_move_id(int tid, uint32_t set);

/* pmu_task_enable_all(), pmu_task_disable_all() - each event of the task, as prctl(2)'s
 * PR_TASK_PERF_EVENTS_ENABLE and _DISABLE. */
void pmu_task_enable_all(struct pmu_task *task);
void pmu_task_disable_all(struct pmu_task *task);

/* pmu_task_exec() - a new program starts: events with remove_on_exec are the task's no more, and
 * those with enable_on_exec are enabled, once for each event. */
void pmu_task_exec(struct pmu_task *task);

/*
 * pmu_task_sched_in(), pmu_task_sched_out() - right before ring 3 is entered, first after it was
 * left. The latter is for the task that runs; where none does it does nothing, so that a task may
 * end in its sleep. Schedules when events of the task's set fall asleep with it.
 *
 * pmu_task_switch() - both at once, from the task that runs (if any) to `next` (NULL: to none), and
 * cheaper: what the two have alike stays as it is. `preempted`: the one that ran would have gone
 * on; its SWITCH record says so. A task that comes from another CPU has one migration more.
 *
 * A task runs on one CPU at a time: when it is to come here, it must have been switched out where
 * it ran. On that CPU it may be used again as soon as its switch has returned. Ring 0, of this
 * CPU; interrupts on or off.
 */
void pmu_task_sched_in(struct pmu_task *task);

/* pmu_task_leaves() - before the task that runs is no more the one of pmu_host.current: makes the
 * samples that wait to be made. Context as above. */
void pmu_task_leaves(void);
void pmu_task_sched_out(void);
void pmu_task_switch(struct pmu_task *next, bool preempted);

/*
 * pmu_task_fits() - whether all events of the task that are enabled, or will be by pmu_task_exec(),
 * can count at the same time. -EBUSY: `why` names one that cannot, and what holds its counters.
 * Changes nothing. Task context.
 */
int pmu_task_fits(struct pmu_task *task, struct reason *why);

/*
 * pmu_task_passes() - the smallest number of runs of the task such that each group of `leaders`, up
 * to PMU_PASSES_GROUPS flexible groups of its own, counts all the time of one of them; see
 * passes.h. What the CPU counts, and the pinned groups of the task, count in all. Returns -1, or
 * the number of a group that has no room even in a run of its own; `n`: those in all have not.
 * Changes nothing. Task context, one at a time; takes as much stack as passes.h says.
 */
struct pmu_passes;
int pmu_task_passes(struct pmu_task *task, struct pmu_event *const *leaders, unsigned n,
		    struct pmu_passes *passes);

#endif
