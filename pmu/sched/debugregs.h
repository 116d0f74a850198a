/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugregs.h - checks which breakpoints the debug registers can hold, at any address; for the
 * image and the planner. SDM vol. 3, "Debug Registers". Pure functions, any context.
 */
#ifndef PMU_SCHED_DEBUGREGS_H
#define PMU_SCHED_DEBUGREGS_H

#include "lib/reason.h"

#include <linux/perf_event.h>

/*
 * pmu_debugregs_check() - returns 0, or -EINVAL with the reason: length, alignment, or kind of
 * access.
 */
int pmu_debugregs_check(const struct perf_event_attr *attr, struct reason *why);

#endif
