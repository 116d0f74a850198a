/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turn.h - one turn of equal groups: see turn.c. It is inline, because most time slices end with
 * it, and its length is most of the cost of the decision.
 */
#ifndef PMU_SCHED_TURN_H
#define PMU_SCHED_TURN_H

#include "pmu/sched/placing.h"
#include "pmu/sched/tick.h"

#include <stddef.h>

/* pmu_turn_holder() - the event that has this counter; NULL: none. */
static inline struct pmu_tick_event *pmu_turn_holder(const struct pmu_tick *t, uint8_t counter)
{
	if (!(t->used >> counter & 1))
		return NULL;
	for (unsigned i = 0; i < t->n; i++)
		if (t->running[i]->counter == counter)
			return t->running[i];
	return NULL;
}

/*
 * pmu_turn_waits() - the group that goes is the first that waits. The next one was that before, and
 * those behind it were blocked already.
 */
static inline void pmu_turn_waits(struct pmu_tick_group *comes, struct pmu_tick_group *goes)
{
	if (goes->next != comes)
		goes->next->wait = PMU_WAIT_BLOCKED;
	goes->wait = PMU_WAIT_ROOM;
	comes->wait = PMU_RUNS;
}

/* pmu_turn_replace() - one event comes, one goes, and a third one may move. */
static inline __attribute__((always_inline)) void pmu_turn_replace(struct pmu_tick *t,
								   struct pmu_tick_event *comes,
								   struct pmu_tick_event *goes)
{
	const uint8_t counter = (uint8_t)(comes->first_counter - 1), left = goes->counter;
	struct pmu_tick_event *holder = NULL;

	goes->counter = PMU_NO_COUNTER;
	if (__builtin_expect(counter != left, 0)) {
		holder = pmu_turn_holder(t, counter);
		if (holder)
			holder->counter = left;
		else
			t->used = (t->used & ~(1ull << left)) | 1ull << counter;
	}
	comes->counter = counter;
	t->running[t->slot] = comes;
	t->slot = (t->slot ? t->slot : t->n) - 1;
	t->came = comes;
	t->moved = holder;
	t->went = goes;
}

/* pmu_turn_is_on() - equal groups take turns, and none has changed. */
static inline bool pmu_turn_is_on(const struct pmu_tick *t)
{
	return t->turning && t->turning->same;
}

/*
 * pmu_turn_next() - takes the turn, where that is on; `comes` is the last group of the list before
 * it is rotated. False: a decision is needed. The event that comes may be new, and the one that
 * goes may have lost its counter since.
 */
static inline __attribute__((always_inline)) bool pmu_turn_next(struct pmu_tick *t,
								struct pmu_tick_group *comes)
{
	struct pmu_tick_group *goes = t->last;
	const uint64_t open = t->counters & ~t->taken & ~t->sibling_corrupting;

	if (t->open != open || !comes->events->first_counter ||
	    goes->events->counter == PMU_NO_COUNTER)
		return false;
	pmu_turn_replace(t, comes->events, goes->events);
	pmu_turn_waits(comes, goes);
	t->head = comes;
	t->last = goes->prev;
	return true;
}

#endif
