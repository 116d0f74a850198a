/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fit.h - the question of match.h alone, fast: do these events fit together? Counters that no
 * event asks for are left out, the others numbered anew, general ones first, so that a state is
 * small and soon copied. A state does not say which event is on a counter, only which counters that
 * event could use: adding another event needs no more. Pure, any context.
 *
 * Invariant: as in match.h; as few general counters are in use as possible.
 */
#ifndef PMU_SCHED_FIT_H
#define PMU_SCHED_FIT_H

#include "pmu/sched/match.h"

#define PMU_FIT_COUNTERS 32

struct pmu_fit_rules {
	uint64_t counters; /* those in question, up to PMU_FIT_COUNTERS */
	uint32_t fixed;    /* of these, by their new numbers */
	uint8_t n;
	uint8_t room; /* events that fit at most */
	bool limited; /* fewer general counters may be used than there are */
	struct pmu_limits limits;
};

struct pmu_fit {
	uint32_t used;
	uint32_t wanted; /* counters that one of the events could use */
	uint8_t n;       /* events */
	bool corrupting;
	struct pmu_extras extras;
	uint32_t masks[PMU_FIT_COUNTERS]; /* by counter: where its event could go */
};

/* A group by new numbers. */
struct pmu_fit_group {
	const uint32_t *masks;
	const struct pmu_extra *extras;
	uint8_t n;
	uint8_t nextras;
	bool corrupting;
};

/* pmu_fit_init() - false: too many counters. */
bool pmu_fit_init(struct pmu_fit_rules *r, uint64_t counters, const struct pmu_limits *limits);

/* pmu_fit_mask() - a mask by new numbers. */
uint32_t pmu_fit_mask(const struct pmu_fit_rules *r, uint64_t mask);

void pmu_fit_begin(struct pmu_fit *f);

/* pmu_fit_add() - one event more, without a look at limits. False: there is no way. */
bool pmu_fit_add(struct pmu_fit *f, const struct pmu_fit_rules *r, uint32_t mask);

/*
 * pmu_fit_group() - `to` becomes `from` and all events of the group, within the limits. False: they
 * do not fit; `to` means nothing then. O(events + counters), seldom O(events * counters).
 */
bool pmu_fit_group(struct pmu_fit *to, const struct pmu_fit *from, const struct pmu_fit_rules *r,
		   const struct pmu_fit_group *g);

#endif
