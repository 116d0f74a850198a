/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * needs.h - what a hardware event takes beside a counter of its own, by the tables: a register with
 * a value, the counter above, the right of way in the northbridge. For the image and the planner.
 * Pure, any context.
 */
#ifndef PMU_SCHED_NEEDS_H
#define PMU_SCHED_NEEDS_H

#include "lib/reason.h"
#include "pmu/sched/tick.h"
#include "pmu/uarch/uarch.h"

/*
 * pmu_register_value() - for pmu_find_needs(): what the tables say for a generic cache event, else
 * what `attr` says. As Linux does it, a generic event's own config1 means nothing.
 */
uint64_t pmu_register_value(const struct uarch *uarch, const struct perf_event_attr *attr);

/*
 * pmu_find_needs() - sets extra, pair and northbridge of `e` for event select `select` with
 * `config1` (perf_event_attr's: the value of the register) in Linux `version`, or UARCH_NOW.
 * -EINVAL with the reason: bits that the register does not have, or the event has no register.
 */
int pmu_find_needs(const struct uarch *uarch, uint64_t select, uint64_t config1, uint32_t version,
		   struct pmu_tick_event *e, struct reason *why);

#endif
