/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * match.h - exact assignment of events to counters, one event after the other: a bipartite matching
 * that grows along augmenting paths. An added event stays, but may move to another counter. Pure
 * functions, any context. The caller provides the storage and may copy it.
 *
 * Invariant: among all assignments of the same events, this one uses the fewest general counters.
 * So a limit on these can be checked by counting. It holds because a path to a free fixed counter
 * is taken whenever there is one, and one more event can free at most one more of them.
 */
#ifndef PMU_SCHED_MATCH_H
#define PMU_SCHED_MATCH_H

#include "pmu/sched/assign.h"
#include "pmu/sched/extra.h"

struct pmu_match {
	uint64_t used;                /* counters with an event */
	uint64_t wanted;              /* counters that at least one event could use */
	uint8_t n;                    /* number of events */
	bool corrupting;              /* a group has a corrupting event */
	bool exclusive;               /* a group is exclusive */
	struct pmu_extras extras;     /* registers in use beside the counters */
	uint8_t event[PMU_COUNTERS];  /* by counter: the event's number from pmu_match_add() */
	uint64_t masks[PMU_COUNTERS]; /* by counter: the counters that its event could use */
};

/* Limits on the counters in use at the same time; each may be PMU_NO_LIMIT. */
struct pmu_limits {
	uint8_t general;            /* general counters */
	uint8_t general_corrupting; /* the same beside a corrupting event */
	uint8_t total;              /* general and fixed counters together */
};
#define PMU_UNLIMITED ((struct pmu_limits){PMU_NO_LIMIT, PMU_NO_LIMIT, PMU_NO_LIMIT})

/* The counters and registers that the hardware events of a group need. */
struct pmu_demand {
	const uint64_t *masks;
	const uint8_t *previous; /* counter of each, or PMU_NO_COUNTER; NULL: none */
	const struct pmu_extra *extras;
	uint8_t n;
	uint8_t nextras;
	uint8_t first;   /* the number of its first event; the others follow */
	bool corrupting; /* one of its events is corrupting */
	bool exclusive;
};

void pmu_match_init(struct pmu_match *m);

/*
 * pmu_match_add() - adds an event that can use the counters `mask`; `number` is for the caller. If
 * a path can end in several counters, those in `prefer` come first. False: impossible, and `m` is
 * unchanged. O(counters).
 */
bool pmu_match_add(struct pmu_match *m, uint64_t mask, uint8_t number, uint64_t prefer);

/*
 * pmu_match_group() - adds all events of the group within the limits, or none. O(events *
 * counters).
 */
bool pmu_match_group(struct pmu_match *m, const struct pmu_demand *d,
		     const struct pmu_limits *limits);

/* pmu_demand_same_extras() - true where both need the same registers. */
bool pmu_demand_same_extras(const struct pmu_demand *a, const struct pmu_demand *b);

#endif
