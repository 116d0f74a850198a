/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * placing.h - the greedy assignment of assign.h for events that come group by group, where each
 * group fits as a whole or not at all. After each group the result equals that of
 * pmu_assign_greedy() for all events so far. Only the new events are placed, as long as they cannot
 * displace the others. Pure functions, any context; the caller provides the storage. The final
 * counters may differ: see pmu/sched/first_counter.c.
 *
 * Rules of use: pmu_placing_begin(); then for each group pmu_placing_offer() for each of its
 * events, and pmu_placing_accept(). Event i of the accepted ones, in the order offered, is on
 * index[i].
 *
 * Invariant: index[0..n) are different counters, each allowed by its event's constraint. The same
 * holds for the events offered since. Once `unclear`, it holds only for those before event
 * `placed`, which may displace others. `free` has the counters that no event uses.
 */
#ifndef PMU_SCHED_PLACING_H
#define PMU_SCHED_PLACING_H

#include "pmu/sched/assign.h"

#define PMU_PLACING_CLOSED 0x100 /* heavier than any event */

struct pmu_placing {
	uint64_t free;     /* counters without an event */
	uint64_t wanted;   /* counters that at least one event could use */
	unsigned heaviest; /* greatest weight, in the greedy order; PMU_PLACING_CLOSED: no short way
			    */
	unsigned n;        /* accepted events */
	unsigned end;      /* accepted and offered events */
	bool unclear;      /* an offered event may displace others: accepting decides */
	uint8_t flags;
	uint8_t index[PMU_COUNTERS + 1];
	const struct pmu_constraint *events[PMU_COUNTERS + 1];
	unsigned placed,
		reopen; /* when it became unclear: number of placed events; value of `heaviest` */
};

/* pmu_placing_begin() - starts without events. `flags`: enum pmu_assign_flag. */
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

/* The slow paths of the two functions below. */
void pmu_placing_offer_other(struct pmu_placing *p);
bool pmu_placing_accept_other(struct pmu_placing *p, uint8_t general_max);

/*
 * pmu_placing_choice() - the free counter that the greedy order takes: the lowest fixed one, else
 * the lowest. PMU_NO_COUNTER: there is none.
 */
static inline uint8_t pmu_placing_choice(uint64_t counters)
{
	if (counters & PMU_FIXED_MASK)
		counters &= PMU_FIXED_MASK;
	return counters ? (uint8_t)__builtin_ctzll(counters) : PMU_NO_COUNTER;
}

/*
 * pmu_placing_offer() - adds an event to the group that is accepted or refused next. Keeps the
 * pointer to the constraint. Up to and beyond PMU_COUNTERS events may be offered; too many are
 * refused.
 */
static inline void pmu_placing_offer(struct pmu_placing *p, const struct pmu_constraint *c)
{
	uint64_t can = c->counters & p->free;
	unsigned i = p->end, at;

	if (i > PMU_COUNTERS)
		return;
	p->events[i] = c;
	p->end = i + 1;
	/* The heaviest event comes last in the greedy order, and displaces no other. */
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
 * pmu_placing_accept() - accepts all events offered since the last call, if all so far fit on at
 * most `general_max` general counters. That limit may only decrease from call to call. False: they
 * do not fit; the offered events are dropped, and nothing else changes.
 *
 * O(events offered), unless new events may displace others: then O(all events).
 */
static inline bool pmu_placing_accept(struct pmu_placing *p, uint8_t general_max)
{
	if (p->unclear || p->end > general_max)
		return pmu_placing_accept_other(p, general_max);
	p->n = p->end;
	return true;
}

#endif
