/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branches.h - the last branches in samples (PERF_SAMPLE_BRANCH_STACK): validation of an event's
 * request, recording, and filtering of the records for samples.
 */
#ifndef PMU_CORE_BRANCHES_H
#define PMU_CORE_BRANCHES_H

#include "pmu/state/state.h"

/*
 * pmu_branches_init() - prepares an event that samples branches. Its possible counters are already
 * known. -EOPNOTSUPP, -EINVAL with the reason. Task context, on the event's CPU.
 */
int pmu_branches_init(struct pmu_event *e, struct reason *why);

/* pmu_branches_use(), pmu_branches_leave() - called when such an event gets a counter, or loses it.
 * Paused. */
void pmu_branches_use(const struct pmu_event *e);
void pmu_branches_leave(const struct pmu_event *e);

/*
 * pmu_branches_switch() - called when another task follows the running one: call stacks move with
 * their tasks, other records are dropped. Paused; `prev` may be NULL.
 */
void pmu_branches_switch_now(struct pmu_task *prev);
static inline void pmu_branches_switch(struct pmu_task *prev)
{
	if (__builtin_expect(pmu.branches.users, 0))
		pmu_branches_switch_now(prev);
	else if (prev)
		prev->calls.n = 0;
}

/*
 * pmu_branches_stop() - stops recording, once no counter counts or the NMI has begun.
 * pmu_branches_start() - resumes it. Paused, and NMI context.
 */
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

/*
 * pmu_branches_add() - adds the branches that `e` wants to the data of its sample. Recording is
 * stopped; valid until the next call.
 */
void pmu_branches_add(const struct pmu_event *e, struct pmu_sample_data *data);

#endif
