// SPDX-License-Identifier: BSD-2-Clause
/*
 * placing.c - see placing.h. The short way adds an event to n placed events and moves none of them.
 *
 * The greedy order goes from light events to heavy ones, so heavier events choose their counters
 * after the new event. Their choices stay the same if the new event takes a counter that no event
 * has. Two cases guarantee that: no event is heavier, or the first choice of the new event is free.
 * In all other cases the group is `unclear`. It is refused if no counter is left for it. Otherwise
 * pmu_assign_greedy() places all events anew, with the backtracking that overlapping constraints
 * need.
 */
#include "pmu/sched/placing.h"

#include "lib/bits.h"

static void place_event_at(struct pmu_placing *p, unsigned i, unsigned at)
{
	const struct pmu_constraint *c = p->events[i];

	p->index[i] = (uint8_t)at;
	p->free &= ~(1ull << at);
	p->wanted |= c->counters;
	if (c->weight > p->heaviest)
		p->heaviest = c->weight;
}

/*
 * The counter on which the event displaces no other; PMU_NO_COUNTER: it is not certain that there
 * is one.
 */
static unsigned clear_choice(const struct pmu_placing *p, const struct pmu_constraint *c)
{
	unsigned at = pmu_placing_choice(c->counters);

	if (p->heaviest == PMU_PLACING_CLOSED || c->overlap || at == PMU_NO_COUNTER)
		return PMU_NO_COUNTER;
	return p->free >> at & 1 ? at : PMU_NO_COUNTER;
}

void pmu_placing_offer_other(struct pmu_placing *p)
{
	unsigned i = p->end - 1, at;

	if (p->unclear)
		return;
	at = clear_choice(p, p->events[i]);
	if (at != PMU_NO_COUNTER) {
		place_event_at(p, i, at);
		return;
	}
	p->unclear = true;
	p->placed = i;
	p->reopen = p->heaviest;
	p->heaviest = PMU_PLACING_CLOSED;
}

/* Restores the state of the accepted events, each on its counter. */
static void restore_placing(struct pmu_placing *p)
{
	unsigned n = p->n;
	bool overlap = false;

	pmu_placing_begin(p, p->flags);
	p->n = p->end = n;
	for (unsigned i = 0; i < n; i++) {
		overlap |= p->events[i]->overlap;
		place_event_at(p, i, p->index[i]);
	}
	if (overlap)
		p->heaviest = PMU_PLACING_CLOSED;
}

/*
 * True where no free counter could be used by a placed event or by the first event without a place.
 * Then there is no room for that event, however the others are placed.
 */
static bool lacks_counters(const struct pmu_placing *p)
{
	return p->unclear && !((p->wanted | p->events[p->placed]->counters) & p->free);
}

static bool place_all(struct pmu_placing *p, uint8_t general_max)
{
	struct pmu_constraint events[PMU_COUNTERS];
	uint8_t index[PMU_COUNTERS];
	const struct pmu_assign_job job = {
		.events = events, .n = p->end, .general_max = general_max, .flags = p->flags};

	if (p->end > PMU_COUNTERS)
		return false;
	for (unsigned i = 0; i < p->end; i++)
		events[i] = *p->events[i];
	if (!pmu_assign_greedy(&job, index))
		return false;
	for (unsigned i = 0; i < p->end; i++)
		p->index[i] = index[i];
	p->n = p->end;
	return true;
}

static bool is_placing_within(const struct pmu_placing *p, uint8_t general_max)
{
	return bits_count(~p->free & PMU_GENERAL_MASK) <= general_max;
}

/* Drops the offered events. `heaviest` alone has to be restored if the first of them was the
 * unclear one: then none of them has a counter. */
static void forget_placing(struct pmu_placing *p)
{
	if (!p->unclear || p->placed > p->n)
		restore_placing(p);
	else
		p->heaviest = p->reopen;
	p->end = p->n;
}

bool pmu_placing_accept_other(struct pmu_placing *p, uint8_t general_max)
{
	bool accepted = true;

	if (!p->unclear && is_placing_within(p, general_max)) {
		p->n = p->end;
		return true;
	}
	if (!lacks_counters(p) && place_all(p, general_max)) {
		restore_placing(p);
	} else {
		forget_placing(p);
		accepted = false;
	}
	p->unclear = false;
	return accepted;
}
