/* SPDX-License-Identifier: BSD-2-Clause */
/* attr.h - what perf_event_attr may ask for: see attr.c. */
#ifndef PMU_ATTR_ATTR_H
#define PMU_ATTR_ATTR_H

#include "pmu/state/state.h"

/*
 * pmu_copy_attr() - into the size that we know, or -E2BIG. pmu_check_attr() - what in `attr` is
 * invalid, whatever the event: -EINVAL. pmu_check_support() - what in it is not done here.
 */
int pmu_copy_attr(struct perf_event_attr *to, const struct perf_event_attr *from,
		  struct reason *why);
int pmu_check_attr(const struct perf_event_attr *attr, struct reason *why);
int pmu_check_support(const struct perf_event_attr *attr, struct reason *why);

#endif
