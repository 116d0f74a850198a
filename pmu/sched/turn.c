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
#include "pmu/sched/turn.h"

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

bool pmu_tick_turn(struct pmu_tick *t)
{
	struct pmu_tick_group *first;

	if (!pmu_turn_is_on(t))
		return false;
	first = t->turning->flexible;
	return first->next == t->head && pmu_turn_next(t, first);
}
