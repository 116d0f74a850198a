/* SPDX-License-Identifier: BSD-2-Clause */
/* attr.h - checks perf_event_attr: see attr.c. */
#ifndef PMU_ATTR_ATTR_H
#define PMU_ATTR_ATTR_H

#include "pmu/state/state.h"

/*
 * pmu_copy_attr() - copies an attr of any size to the known size, or -E2BIG.
 * pmu_check_attr() - refuses what is invalid for any event: -EINVAL.
 * pmu_check_support() - refuses what is not supported.
 */
int pmu_copy_attr(struct perf_event_attr *to, const struct perf_event_attr *from,
		  struct reason *why);
int pmu_check_attr(const struct perf_event_attr *attr, struct reason *why);
int pmu_check_support(const struct perf_event_attr *attr, struct reason *why);

#endif
