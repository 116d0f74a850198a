// SPDX-License-Identifier: BSD-2-Clause
/*
 * turn.c - policy perf: the turn of equal groups. The usual load is one context with more groups of
 * one event each than counters, where all events can use the same counters. There a rotation moves
 * the last group to the head, so one event comes and one goes: the last one that counted. All
 * others keep their counters, and no decision is needed. The event that comes gets its first
 * counter if that is free, else the counter of the event that goes.
 *
 * The result equals that of pmu_decide_perf(), except that the latter may choose other counters
 * where two events have the same first counter.
 *
 * Invariant: while `turning` is set and its groups are the `same`, running[] has the events of the
 * first `n` groups from `head` on, in order.
 */
#include "pmu/sched/decision.h"

static bool are_alike(const struct pmu_tick_context *context)
{
	const uint64_t counters = context->flexible->events->constraint.counters;

	pmu_tick_each (g, context->flexible)
		if (!g->plain || g->events->constraint.counters != counters)
			return false;
	return true;
}

/* True where each event that counts has its first counter. */
static bool have_first_counters(const struct pmu_tick *t)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->running[i]->first_counter != t->running[i]->counter + 1)
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
	if (!context || context->pinned || !context->multiplex || !t->n || !are_alike(context) ||
	    !have_first_counters(t))
		return;
	context->same = true;
	t->turning = context;
	t->head = t->last = context->flexible;
	for (unsigned i = 1; i < t->n; i++)
		t->last = t->last->next;
	t->open = pmu_common_counters(t);
}

/*
 * True where the event that comes had a counter before, and none that stays has that one. The event
 * that goes may have lost its counter in the meantime.
 */
static bool gets_first_counter(const struct pmu_tick *t, const struct pmu_tick_event *comes,
			       const struct pmu_tick_event *goes)
{
	const uint64_t staying = t->used & ~(1ull << (goes->counter & 63));

	if (goes->counter == PMU_NO_COUNTER)
		return false;
	return comes->first_counter && !(staying >> (comes->first_counter - 1) & 1);
}

/* All groups behind the one that goes wait for it. */
static void block_others(struct pmu_tick_group *goes, const struct pmu_tick_group *head)
{
	goes->wait = PMU_WAIT_ROOM;
	for (struct pmu_tick_group *g = goes->next; g != head; g = g->next) {
		g->wait = PMU_WAIT_BLOCKED;
		g->blocker = goes;
	}
}

static void replace_event(struct pmu_tick *t, struct pmu_tick_event *comes,
			  struct pmu_tick_event *goes)
{
	const uint8_t counter = (uint8_t)(comes->first_counter - 1);

	t->used = (t->used & ~(1ull << goes->counter)) | 1ull << counter;
	goes->counter = PMU_NO_COUNTER;
	comes->counter = counter;
	for (unsigned i = t->n - 1; i > 0; i--)
		t->running[i] = t->running[i - 1];
	t->running[0] = comes;
	t->came = comes;
	t->went = goes;
}

bool pmu_tick_turn(struct pmu_tick *t)
{
	const struct pmu_tick_context *context = t->turning;
	struct pmu_tick_group *comes = context->flexible, *goes = t->last;

	if (!context->same || comes->next != t->head || t->open != pmu_common_counters(t) ||
	    !gets_first_counter(t, comes->events, goes->events))
		return false;
	replace_event(t, comes->events, goes->events);
	comes->wait = PMU_RUNS;
	block_others(goes, comes);
	t->head = comes;
	t->last = goes->prev;
	t->failed = false;
	return true;
}
