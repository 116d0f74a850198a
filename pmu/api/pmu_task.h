/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_task.h - tasks, and the events that count while they run in ring 3. pmu.h has the rules of
 * use.
 */
#ifndef PMU_API_PMU_TASK_H
#define PMU_API_PMU_TASK_H

#include "pmu/api/event.h"

#include <stdbool.h>
#include <stdint.h>

#define PMU_MAX_EVENTS 255 /* open events of one task or one CPU */

/* Saved call records of a task that does not run, in the registers' format, newest first. */
#define PMU_BRANCHES_MOST 32
struct pmu_saved_branches {
	uint8_t n;
	uint8_t newest; /* register number of the newest one */
	struct {
		uint64_t from, to, info;
	} record[PMU_BRANCHES_MOST];
};

/*
 * A task: something that runs in ring 3, with the events that count while it does. The caller
 * provides the storage; only the event core uses the members.
 */
struct pmu_task {
	struct pmu_context context;
	uint32_t pid, tid;
	uint32_t parent_pid, parent_tid; /* 0: it has none */
	uint32_t set;                    /* the set for which events of a CPU can count; 0: none */
	struct pmu_task *next;
	struct pmu_saved_branches calls; /* for events that sample stacks of calls */
};

/*
 * pmu_task_init() - makes a task known by `tid`, which must be unique. The task does not run yet.
 * It inherits the set of its `parent` (NULL: none) and the parent's events with attr.inherit, group
 * by group. Each gets an event of its own, which counts for the opened one. -EMFILE: no room for
 * all of them; then none is inherited, but the task is known. Task context.
 * pmu_task_exit() - the task, which must not run, has ended. Its opened events count no more, but
 * can be read. Counts of its inherited events are added to those of their ancestors. Task context.
 */
int pmu_task_init(struct pmu_task *task, uint32_t pid, uint32_t tid, struct pmu_task *parent);
void pmu_task_exit(struct pmu_task *task);

/* pmu_task_set_tid() - changes the task's `tid`, which must be unique. Any context. */
void pmu_task_set_tid(struct pmu_task *task, uint32_t tid);

/*
 * pmu_task_anew() - `task`, which does not run, keeps its events, and counts as never having run on
 * a CPU. Task context.
 */
void pmu_task_anew(struct pmu_task *task);

/*
 * pmu_task_find() - the task `tid`; 0: the running one. NULL: there is none. Task context, while no
 * other task begins or ends.
 * pmu_task_pid() - its process; 0: there is no such task. Other tasks may begin and end meanwhile.
 * Task context.
 */
struct pmu_task *pmu_task_find(int tid);
uint32_t pmu_task_pid(int tid);

/*
 * pmu_task_move() - moves the task to another set of tasks, as a process moves to another cgroup;
 * schedules if it runs. There may be any number of sets; 0 is no set.
 */
void pmu_task_move(struct pmu_task *task, uint32_t set);

/*
 * pmu_task_move_id() - the same for task `tid`; other tasks may begin and end meanwhile. -ESRCH.
 * Task context.
 */
int pmu_task_move_id(int tid, uint32_t set);

/*
 * pmu_task_enable_all(), pmu_task_disable_all() - apply to each event of the task, as
 * PR_TASK_PERF_EVENTS_ENABLE and _DISABLE of prctl(2).
 */
void pmu_task_enable_all(struct pmu_task *task);
void pmu_task_disable_all(struct pmu_task *task);

/*
 * pmu_task_exec() - a new program starts: events with remove_on_exec are removed from the task;
 * events with enable_on_exec are enabled, once each.
 */
void pmu_task_exec(struct pmu_task *task);

/*
 * pmu_task_sched_in(), pmu_task_sched_out() - called right before ring 3 is entered, and first
 * after it was left. pmu_task_sched_out() is for the running task. If none runs it does nothing, so
 * that a task may end while it sleeps. It schedules if events of the task's set stop with it.
 *
 * pmu_task_switch() - both at once, and cheaper: switches from the running task (if any) to `next`
 * (NULL: none). Equal events of the two tasks stay on their counters. `preempted`: the old task
 * could have continued; its SWITCH record says so. A task that comes from another CPU counts one
 * migration.
 *
 * A task runs on one CPU at a time: it must have been switched out there before it runs here. It
 * may be used on the new CPU as soon as that switch has returned. Ring 0, of this CPU; interrupts
 * on or off.
 */
void pmu_task_sched_in(struct pmu_task *task);

/*
 * pmu_task_leaves() - called before pmu_host.current changes from the running task: takes its
 * pending samples. Context as above.
 */
void pmu_task_leaves(void);
void pmu_task_sched_out(void);
void pmu_task_switch(struct pmu_task *next, bool preempted);

/*
 * pmu_task_fits() - checks that all events of the task which are enabled, or will be by
 * pmu_task_exec(), can count at the same time. -EBUSY: `why` names one that cannot, and the holders
 * of its counters. Changes nothing. Task context.
 */
int pmu_task_fits(struct pmu_task *task, struct reason *why);

/*
 * pmu_task_passes() - computes the smallest number of runs in which each group of `leaders` counts
 * all the time of one run; see passes.h. The leaders are up to PMU_PASSES_GROUPS flexible groups of
 * the task. The events of the CPU and the pinned groups of the task count in all runs. Returns -1,
 * or the index of a group that does not fit even in a run of its own; `n`: the groups that count in
 * all runs do not fit. Changes nothing. Task context, one call at a time; passes.h has its use of
 * the stack.
 */
struct pmu_passes;
int pmu_task_passes(struct pmu_task *task, struct pmu_event *const *leaders, unsigned n,
		    struct pmu_passes *passes);

#endif
