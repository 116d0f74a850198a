/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugregs.h - which breakpoints the debug registers can be set to, at whatever address: for the
 * image and the planner. SDM vol. 3, "Debug Registers". Pure, any context.
 */
#ifndef PMU_SCHED_DEBUGREGS_H
#define PMU_SCHED_DEBUGREGS_H

#include "lib/reason.h"

#include <linux/perf_event.h>

/* pmu_debugregs_check() - 0, or -EINVAL with the reason: length, alignment, or kind of access. */
int pmu_debugregs_check(const struct perf_event_attr *attr, struct reason *why);

#endif
