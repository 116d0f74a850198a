/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * placing.h - the greedy assignment of assign.h for events that come group by group, where each
 * group is in whole or not at all. After each group the outcome is what pmu_assign_greedy() gives
 * for all events so far; it is worked out for the new ones alone wherever they cannot change the
 * place of the others. Pure; any context; the caller's storage.
 *
 * Rules of use: pmu_placing_begin(); then for each group pmu_placing_offer() each of its events,
 * and pmu_placing_accept(). Event number i of those accepted, in the order offered, is on index[i].
 *
 * Invariant: index[0..n) are different counters, now.used, each one that its constraint allows.
 */
#ifndef PMU_PLACING_H
#define PMU_PLACING_H

#include "pmu/assign.h"

/* What the events so far come to. */
struct pmu_placing_state {
	uint64_t used;    /* counters */
	uint64_t wanted;  /* counters that one of the events could use */
	uint8_t heaviest; /* greatest weight */
	bool kept;        /* all are where they were */
	bool plain;       /* by weight, fixed first, and going back is not a matter */
};

struct pmu_placing {
	struct pmu_placing_state now;
	uint8_t flags;
	unsigned n;   /* events accepted */
	unsigned end; /* and offered */
	uint8_t index[PMU_COUNTERS];
	uint8_t previous[PMU_COUNTERS + 1];
	struct pmu_constraint events[PMU_COUNTERS + 1];
};

/* pmu_placing_begin() - no events yet. `flags`: enum pmu_assign_flag. */
void pmu_placing_begin(struct pmu_placing *p, uint8_t flags);

/*
 * pmu_placing_offer() - one more event of the group that is to be accepted or refused next.
 * `previous`: the counter it had, or PMU_NO_COUNTER. More than PMU_COUNTERS may be offered; they
 * are refused.
 */
static inline void pmu_placing_offer(struct pmu_placing *p, struct pmu_constraint constraint,
				     uint8_t previous)
{
	if (p->end > PMU_COUNTERS)
		return;
	p->events[p->end] = constraint;
	p->previous[p->end++] = previous;
}

/*
 * pmu_placing_accept() - takes in all events offered since the last call, when all so far fit on at
 * most `general_max` general counters; which may become less from one call to the next, but not
 * more. False: they do not; those offered are forgotten, and nothing else changes.
 *
 * O(events offered), unless the new events may have to go before others: then O(all events).
 */
bool pmu_placing_accept(struct pmu_placing *p, uint8_t general_max);

#endif
