/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * passes.h - counting everything without multiplexing: the smallest number of runs of the same
 * workload in which every group has its counters all the time, and what counts in which.
 *
 * Exact: bounds from below by counters (how many passes the events would need if groups could be
 * torn apart), then branch and bound from there on upwards, hard groups first. Pure; any context;
 * takes 8 KB of stack and 100 bytes more for each group and counter.
 *
 * Cost: up to PMU_PASSES_STEPS steps of O(counters^2) each; few in practice, and none for single
 * events without limits, whatever their number. Sets of up to 24 events are proven within them, but
 * for three in a thousand with corrupting events and the limit that these bring: `proven` says so.
 */
#ifndef PMU_SCHED_PASSES_H
#define PMU_SCHED_PASSES_H

#include "pmu/sched/match.h"

#define PMU_PASSES_GROUPS 64
#define PMU_PASSES_STEPS  (1u << 21)

struct pmu_passes {
	unsigned n;                                  /* passes */
	unsigned bound;                              /* fewer are impossible */
	bool proven;                                 /* no smaller number works */
	uint8_t pass[PMU_PASSES_GROUPS];             /* of each group, from 0; the first has 0 */
	uint32_t steps;                              /* that the search took */
	struct pmu_match matches[PMU_PASSES_GROUPS]; /* of each pass; for the search */
};

/*
 * pmu_passes() - `groups`, up to PMU_PASSES_GROUPS, beside what `start` holds in every pass.
 * Returns -1, or the number of the first group that fits in no pass at all.
 */
int pmu_passes(const struct pmu_demand *groups, unsigned n, const struct pmu_match *start,
	       const struct pmu_limits *limits, struct pmu_passes *p);

#endif
