/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * explain.h - the exact reason why a group does not count, in a sentence: found by taking away one
 * restriction after the other until the group would fit. For people, so not on the way of
 * scheduling; nothing is changed. Pure, any context.
 */
#ifndef PMU_SCHED_EXPLAIN_H
#define PMU_SCHED_EXPLAIN_H

#include "lib/reason.h"
#include "pmu/sched/tick.h"

/*
 * pmu_tick_explain() - after pmu_tick(): why `g` waits. "" when it counts. Names the event, the
 * counters that it could use, and what holds them. O(events * counters).
 */
void pmu_tick_explain(const struct pmu_tick *t, const struct pmu_tick_group *g, struct reason *why);

/* pmu_explain_misfit() - why a group that pmu_tick_fits() refused fits on no idle PMU. */
void pmu_explain_misfit(const struct pmu_tick *t, const struct pmu_tick_group *g,
			struct reason *why);

/* pmu_counter_name() - "PMC2", "FIXED1"; `text` has room for 16 bytes. Returns `text`. */
const char *pmu_counter_name(unsigned counter, char *text);

#endif
