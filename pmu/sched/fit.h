/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fit.h - a fast version of match.h that only decides whether events fit together. Counters that no
 * event can use are left out and the rest renumbered, general ones first, so that a state is small
 * and cheap to copy. A state does not record the event on a counter, only the counters that this
 * event could use; adding another event needs no more. Pure functions, any context.
 *
 * Invariant: as in match.h, as few general counters as possible are in use.
 */
#ifndef PMU_SCHED_FIT_H
#define PMU_SCHED_FIT_H

#include "pmu/sched/match.h"

#define PMU_FIT_COUNTERS 32

struct pmu_fit_rules {
	uint64_t counters; /* the counters that events can use, at most PMU_FIT_COUNTERS */
	uint32_t fixed;    /* mask of the fixed ones, by their new numbers */
	uint8_t n;
	uint8_t room; /* most events that fit */
	bool limited; /* there is a limit below the number of general counters */
	struct pmu_limits limits;
};

struct pmu_fit {
	uint32_t used;
	uint32_t wanted; /* counters that at least one event could use */
	uint8_t n;       /* number of events */
	bool corrupting;
	struct pmu_extras extras;
	uint32_t masks[PMU_FIT_COUNTERS]; /* by counter: the counters that its event could use */
};

/* A group with renumbered counters. */
struct pmu_fit_group {
	const uint32_t *masks;
	const struct pmu_extra *extras;
	uint8_t n;
	uint8_t nextras;
	bool corrupting;
};

/* pmu_fit_init() - false: too many counters. */
bool pmu_fit_init(struct pmu_fit_rules *r, uint64_t counters, const struct pmu_limits *limits);

/* pmu_fit_mask() - renumbers a mask. */
uint32_t pmu_fit_mask(const struct pmu_fit_rules *r, uint64_t mask);

void pmu_fit_begin(struct pmu_fit *f);

/* pmu_fit_add() - adds an event, ignoring limits. False: impossible. */
bool pmu_fit_add(struct pmu_fit *f, const struct pmu_fit_rules *r, uint32_t mask);

/*
 * pmu_fit_group() - sets `to` to `from` and all events of the group, within the limits. False: they
 * do not fit, and `to` is undefined. Usually O(events + counters), at most O(events * counters).
 */
bool pmu_fit_group(struct pmu_fit *to, const struct pmu_fit *from, const struct pmu_fit_rules *r,
		   const struct pmu_fit_group *g);

#endif
