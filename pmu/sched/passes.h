/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * passes.h - counting all events without multiplexing. It finds the smallest number of runs of the
 * same workload in which every group has its counters all the time, and the groups of each run.
 *
 * Exact: a lower bound by counters (the passes that the events would need if groups could be
 * split), then branch and bound from there upwards, hard groups first. Pure; any context; takes 8
 * KB of stack and 100 bytes more for each group and counter.
 *
 * Cost: up to PMU_PASSES_STEPS steps of O(counters^2) each. There are few in practice, and none for
 * single events without limits, whatever their number. Sets of up to 24 events are proven within
 * the steps, except three in a thousand with corrupting events and their limit: `proven` tells.
 */
#ifndef PMU_SCHED_PASSES_H
#define PMU_SCHED_PASSES_H

#include "pmu/sched/match.h"

#define PMU_PASSES_GROUPS 64
#define PMU_PASSES_STEPS  (1u << 21)

struct pmu_passes {
	unsigned n;                      /* passes */
	unsigned bound;                  /* lower bound */
	bool proven;                     /* no smaller number works */
	uint8_t pass[PMU_PASSES_GROUPS]; /* pass of each group, from 0; the first group has 0 */
	uint32_t steps;                  /* steps of the search */
	struct pmu_match matches[PMU_PASSES_GROUPS]; /* state of each pass, for the search */
};

/*
 * pmu_passes() - distributes `groups`, at most PMU_PASSES_GROUPS, beside the events that `start`
 * holds in every pass. Returns -1, or the index of the first group that fits into no pass.
 */
int pmu_passes(const struct pmu_demand *groups, unsigned n, const struct pmu_match *start,
	       const struct pmu_limits *limits, struct pmu_passes *p);

#endif
