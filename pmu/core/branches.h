/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branches.h - the last branches in samples (PERF_SAMPLE_BRANCH_STACK): what an event may ask for,
 * when they are recorded, and what of the records its samples have.
 */
#ifndef PMU_CORE_BRANCHES_H
#define PMU_CORE_BRANCHES_H

#include "pmu/state/state.h"

/* pmu_branches_init() - the event, which has its counters, wants them. -EOPNOTSUPP, -EINVAL with
 * the reason. Task context, on the event's CPU. */
int pmu_branches_init(struct pmu_event *e, struct reason *why);

/* pmu_branches_use(), pmu_branches_leave() - such an event comes to a counter, and goes. Paused. */
void pmu_branches_use(const struct pmu_event *e);
void pmu_branches_leave(const struct pmu_event *e);

/* pmu_branches_switch() - the task that ran goes, and another one comes: stacks of calls go with
 * their tasks, other records are forgotten. Paused; `prev` may be NULL. */
void pmu_branches_switch(struct pmu_task *prev);

/* Paused, and NMI context. pmu_branches_stop() - nothing more is recorded, once no counter counts
 * or the NMI has begun; pmu_branches_start(): it is again. */
void pmu_branches_stop_now(void);
void pmu_branches_start_now(void);
static inline void pmu_branches_stop(void)
{
	if (__builtin_expect(pmu.branches.runs, 0))
		pmu_branches_stop_now();
}
static inline void pmu_branches_start(void)
{
	if (__builtin_expect(pmu.branches.users, 0))
		pmu_branches_start_now();
}

/* pmu_branches_add() - the branches, as `e` wants them, to what is known of its sample. Stopped;
 * valid until the next call. */
void pmu_branches_add(const struct pmu_event *e, struct pmu_sample_data *data);

#endif
