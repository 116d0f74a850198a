// SPDX-License-Identifier: BSD-2-Clause
/*
 * turn.c - policy perf: the turn of equal groups. The usual load is one context with more groups of
 * one event each than counters, where all events can use the same counters. There a rotation moves
 * the last group to the head, so one event comes and one goes: the last one that counted. No
 * decision is needed. The event that comes gets its first counter. If another event has that one,
 * it moves to the counter of the event that goes. So at most two event selects change.
 *
 * The result equals that of pmu_decide_perf(), except that the latter may choose other counters
 * where two events have the same first counter.
 *
 * An event is on the same counter in the same slice of each round: when the first groups of the
 * list count, in the order of opening, each has just got its first counter, and no two of them have
 * the same one. From there on each round takes the same course.
 *
 * Invariant: while `turning` is set and its groups are the `same`, running[] has the events of the
 * first `n` groups from `head` on, and running[slot] is that of the last one.
 */
#include "pmu/sched/decision.h"

/* True where all groups have one event that can use the same counters, all of which are open. */
static bool are_alike(const struct pmu_tick *t, const struct pmu_tick_context *context)
{
	const uint64_t counters = context->flexible->events->constraint.counters;

	if (counters & ~pmu_common_counters(t))
		return false;
	pmu_tick_each (g, context->flexible)
		if (!g->plain || g->events->constraint.counters != counters)
			return false;
	return true;
}

/* The only context with groups; NULL: there are two, or none. */
static struct pmu_tick_context *only_context(const struct pmu_tick *t)
{
	struct pmu_tick_context *only = NULL;

	pmu_each_context (t, context) {
		if (!context->pinned && !context->flexible)
			continue;
		if (only)
			return NULL;
		only = context;
	}
	return only;
}

void pmu_turn_begin(struct pmu_tick *t)
{
	struct pmu_tick_context *context = only_context(t);

	t->turning = NULL;
	if (!context || context->pinned || !context->multiplex || !t->n || !are_alike(t, context))
		return;
	context->same = true;
	t->turning = context;
	t->head = t->last = context->flexible;
	for (unsigned i = 1; i < t->n; i++)
		t->last = t->last->next;
	t->slot = t->n - 1;
	t->open = pmu_common_counters(t);
}

/* The event that has this counter; NULL: none. */
static struct pmu_tick_event *holder_of(const struct pmu_tick *t, uint8_t counter)
{
	if (!(t->used >> counter & 1))
		return NULL;
	for (unsigned i = 0; i < t->n; i++)
		if (t->running[i]->counter == counter)
			return t->running[i];
	return NULL;
}

/*
 * The group that goes is the first that waits. The next one was that before, and those behind it
 * waited for room already.
 */
static inline void set_waits(struct pmu_tick_group *comes, struct pmu_tick_group *goes)
{
	if (goes->next != comes)
		goes->next->wait = PMU_WAIT_BLOCKED;
	goes->wait = PMU_WAIT_ROOM;
	comes->wait = PMU_RUNS;
}

static inline void replace_event(struct pmu_tick *t, struct pmu_tick_event *comes,
				 struct pmu_tick_event *goes)
{
	const uint8_t counter = (uint8_t)(comes->first_counter - 1), left = goes->counter;
	struct pmu_tick_event *holder = NULL;

	goes->counter = PMU_NO_COUNTER;
	if (counter != left) {
		holder = holder_of(t, counter);
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

/* The event that comes may be new, and the one that goes may have lost its counter since. */
bool pmu_tick_turn(struct pmu_tick *t)
{
	const struct pmu_tick_context *context = t->turning;
	struct pmu_tick_group *comes = context->flexible, *goes = t->last;

	if (!context->same || comes->next != t->head || t->open != pmu_common_counters(t) ||
	    !comes->events->first_counter || goes->events->counter == PMU_NO_COUNTER)
		return false;
	replace_event(t, comes->events, goes->events);
	set_waits(comes, goes);
	t->head = comes;
	t->last = goes->prev;
	t->failed = false;
	return true;
}
