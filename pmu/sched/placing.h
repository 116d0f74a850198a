/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * placing.h - the greedy assignment of assign.h for events that come group by group, where each
 * group is in whole or not at all. After each group the outcome is what pmu_assign_greedy() gives
 * for all events so far; it is worked out for the new ones alone wherever they cannot change the
 * place of the others. Pure; any context; the caller's storage. Where they really go may be
 * another matter: see pmu/sched/first_counter.c.
 *
 * Rules of use: pmu_placing_begin(); then for each group pmu_placing_offer() each of its events,
 * and pmu_placing_accept(). Event number i of those accepted, in the order offered, is on index[i].
 *
 * Invariant: index[0..n) are different counters, each one that its event's constraint allows. So
 * are those of the events offered since; once `unclear`, only of those before event `placed`, which
 * may have to move others. `free` has the counters that these events leave.
 */
#ifndef PMU_SCHED_PLACING_H
#define PMU_SCHED_PLACING_H

#include "pmu/sched/assign.h"

#define PMU_PLACING_CLOSED 0x100 /* heavier than any event */

struct pmu_placing {
	uint64_t free;     /* counters that no event has */
	uint64_t wanted;   /* counters that one of the events could use */
	unsigned heaviest; /* greatest weight, in the greedy order; else PMU_PLACING_CLOSED */
	unsigned n;        /* events accepted */
	unsigned end;      /* and offered */
	bool unclear;
	uint8_t flags;
	uint8_t index[PMU_COUNTERS + 1];
	const struct pmu_constraint *events[PMU_COUNTERS + 1];
	unsigned placed, reopen; /* when it became unclear: events with a place; `heaviest` */
};

/* pmu_placing_begin() - no events yet. `flags`: enum pmu_assign_flag. */
static inline void pmu_placing_begin(struct pmu_placing *p, uint8_t flags)
{
	const uint8_t plain = PMU_ASSIGN_BY_WEIGHT | PMU_ASSIGN_FIXED_FIRST;

	p->free = UINT64_MAX;
	p->wanted = 0;
	p->heaviest = (flags & plain) == plain ? 0 : PMU_PLACING_CLOSED;
	p->n = 0;
	p->end = 0;
	p->unclear = false;
	p->flags = flags;
}

/* What the two below leave to the source file. */
void pmu_placing_offer_other(struct pmu_placing *p);
bool pmu_placing_accept_other(struct pmu_placing *p, uint8_t general_max);

/* pmu_placing_choice() - of free counters the one that the greedy order takes: a fixed one where
 * there is one, the lowest. PMU_NO_COUNTER: there are none. */
static inline uint8_t pmu_placing_choice(uint64_t counters)
{
	if (counters & PMU_FIXED_MASK)
		counters &= PMU_FIXED_MASK;
	return counters ? (uint8_t)__builtin_ctzll(counters) : PMU_NO_COUNTER;
}

/*
 * pmu_placing_offer() - one more event of the group that is to be accepted or refused next.
 * The constraint is looked at again later, and must stay. More than PMU_COUNTERS may be offered;
 * they are refused.
 */
static inline void pmu_placing_offer(struct pmu_placing *p, const struct pmu_constraint *c)
{
	uint64_t can = c->counters & p->free;
	unsigned i = p->end, at;

	if (i > PMU_COUNTERS)
		return;
	p->events[i] = c;
	p->end = i + 1;
	/* The heaviest event comes last in the greedy order, and moves no other. */
	if (c->weight < p->heaviest || c->overlap || !can) {
		pmu_placing_offer_other(p);
		return;
	}
	if (can & PMU_FIXED_MASK)
		can &= PMU_FIXED_MASK;
	at = (unsigned)__builtin_ctzll(can);
	p->index[i] = (uint8_t)at;
	p->free &= ~(1ull << at);
	p->wanted |= c->counters;
	p->heaviest = c->weight;
}

/*
 * pmu_placing_accept() - takes in all events offered since the last call, when all so far fit on at
 * most `general_max` general counters; which may become less from one call to the next, but not
 * more. False: they do not; those offered are forgotten, and nothing else changes.
 *
 * O(events offered), unless the new events may have to go before others: then O(all events).
 */
static inline bool pmu_placing_accept(struct pmu_placing *p, uint8_t general_max)
{
	if (p->unclear || p->end > general_max)
		return pmu_placing_accept_other(p, general_max);
	p->n = p->end;
	return true;
}

#endif
