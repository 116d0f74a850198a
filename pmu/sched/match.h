/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * match.h - events on counters, exactly, one event after the other: a bipartite matching that grows
 * along augmenting paths. An event that was added stays, but may move to another counter. Pure, any
 * context; the caller's storage, to be copied as it likes.
 *
 * Invariant: among all assignments of the same events, this one uses as few general counters as
 * possible, so that a limit on these can be checked by looking. It holds because a path to a free
 * fixed counter is taken whenever there is one, and one event more can free at most one more of
 * them.
 */
#ifndef PMU_SCHED_MATCH_H
#define PMU_SCHED_MATCH_H

#include "pmu/sched/assign.h"
#include "pmu/sched/extra.h"

struct pmu_match {
	uint64_t used;                /* counters that have an event */
	uint64_t wanted;              /* all counters that one of the events could use */
	uint8_t n;                    /* events */
	bool corrupting;              /* one of the groups has a corrupting event */
	bool exclusive;               /* one of the groups wants to be alone */
	struct pmu_extras extras;     /* registers beside the counters that they need */
	uint8_t event[PMU_COUNTERS];  /* by counter: the number given to pmu_match_add() */
	uint64_t masks[PMU_COUNTERS]; /* by counter: where its event could go */
};

/* What may be in use at the same time; PMU_NO_LIMIT each. */
struct pmu_limits {
	uint8_t general;            /* general counters */
	uint8_t general_corrupting; /* the same, once there is a corrupting event */
	uint8_t total;              /* general and fixed counters */
};
#define PMU_UNLIMITED ((struct pmu_limits){PMU_NO_LIMIT, PMU_NO_LIMIT, PMU_NO_LIMIT})

/* The hardware events of a group, as far as counters and registers are concerned. */
struct pmu_demand {
	const uint64_t *masks;
	const uint8_t *previous; /* counter of each, or PMU_NO_COUNTER; NULL: none */
	const struct pmu_extra *extras;
	uint8_t n;
	uint8_t nextras;
	uint8_t first;   /* the number of its first event; the others follow */
	bool corrupting; /* one of them is */
	bool exclusive;
};

void pmu_match_init(struct pmu_match *m);

/*
 * pmu_match_add() - one more event with the counters `mask`; `number` is the caller's. Among the
 * counters that a path can end in, those in `prefer` come first. False: there is no way; `m` is as
 * it was. O(counters).
 */
bool pmu_match_add(struct pmu_match *m, uint64_t mask, uint8_t number, uint64_t prefer);

/* pmu_match_group() - all events of the group within the limits, or none. O(events * counters). */
bool pmu_match_group(struct pmu_match *m, const struct pmu_demand *d,
		     const struct pmu_limits *limits);

/* pmu_demand_same_extras() - both want the same registers. */
bool pmu_demand_same_extras(const struct pmu_demand *a, const struct pmu_demand *b);

#endif
