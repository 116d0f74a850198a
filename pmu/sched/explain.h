/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.h - explains in a sentence why a group does not count. It lifts one restriction after the
 * other until the group would fit. For people, so outside of the scheduler's fast path; it changes
 * nothing. Pure functions, any context.
 */
#ifndef PMU_SCHED_EXPLAIN_H
#define PMU_SCHED_EXPLAIN_H

#include "lib/reason.h"
#include "pmu/sched/tick.h"

/*
 * pmu_tick_explain() - after pmu_tick(): why `g` waits; "" when it counts. Names the event, the
 * counters that it could use, and their holders. O(events * counters).
 */
void pmu_tick_explain(const struct pmu_tick *t, const struct pmu_tick_group *g, struct reason *why);

/* pmu_explain_misfit() - why a group that pmu_tick_fits() refused fits on no idle PMU. */
void pmu_explain_misfit(const struct pmu_tick *t, const struct pmu_tick_group *g,
			struct reason *why);

/* pmu_counter_name() - writes "PMC2" or "FIXED1" to `text`, of 16 bytes, and returns it. */
const char *pmu_counter_name(unsigned counter, char *text);

#endif
