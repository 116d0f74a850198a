/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * needs.h - the resources that a hardware event needs beside a counter, by the tables: a register
 * with a value, the next higher counter, exclusive use of a northbridge counter. For the image and
 * the planner. Pure functions, any context.
 */
#ifndef PMU_SCHED_NEEDS_H
#define PMU_SCHED_NEEDS_H

#include "lib/reason.h"
#include "pmu/sched/tick.h"
#include "pmu/uarch/uarch.h"

/*
 * pmu_register_value() - the register value for pmu_find_needs(): from the tables for a generic
 * cache event, else from `attr`. As in Linux, config1 of a generic event is ignored.
 */
uint64_t pmu_register_value(const struct uarch *uarch, const struct perf_event_attr *attr);

/*
 * pmu_find_needs() - sets extra, pair and northbridge of `e` for event select `select` with
 * `config1` (the register value in perf_event_attr) in Linux `version`, or UARCH_NOW. -EINVAL with
 * the reason: the register lacks these bits, or the event has no register.
 */
int pmu_find_needs(const struct uarch *uarch, uint64_t select, uint64_t config1, uint32_t version,
		   struct pmu_tick_event *e, struct reason *why);

#endif
