// SPDX-License-Identifier: BSD-2-Clause
/*
 * exchange.c - a fast switch between two tasks with equal events: a parent and its child, or two
 * tasks that are measured in the same way. The scheduling decision stays valid. On each counter,
 * the event of the next task replaces that of the previous one, and only the values of counters
 * change.
 *
 * Contexts are equal if they have the same groups of the same events in the same order, and all
 * events count whenever their task runs. A context is switched in the general way (event_tasks.c)
 * if an event has other needs than a counter, or other work than counting. The same holds if an
 * event wants to count and was not scheduled yet, such as the sibling of a disabled leader that was
 * closed.
 *
 * If nothing samples, the counters themselves go on, too: the value of one is where the next task's
 * event begins. It interrupts before it wraps, whosever event it has.
 *
 * Two contexts found equal get the same `shape` until one changes, so the comparison happens once;
 * `order` has their events without groups. Whatever takes an event off its counter, or makes it
 * ineligible, clears its context's shape or leaves the context multiplexed.
 */
#include "pmu/core/exchange.h"

#include <stddef.h>

/* True where the event needs one of its counters and no other resource, and has already had one. */
static bool is_exchangeable(const struct pmu_event *e)
{
	const struct pmu_tick_event *t = &e->tick;

	return e->class->hardware && e->state >= PMU_STATE_INACTIVE && t->first_counter &&
	       !e->pebs && !e->page && !e->rate.interval && !e->rate.throttled && !e->limit &&
	       !t->extra.registers && !e->branches && !t->pair && !t->corrupting && !t->northbridge;
}

static bool is_eligible(const struct pmu_context *context)
{
	return !(context->nbound + context->nsoftware + context->nswitch) &&
	       context->nevents <= PMU_EXCHANGE_MOST;
}

/* Fills in `order` if all events are exchangeable. */
static bool put_in_order(struct pmu_context *context)
{
	unsigned n = 0;

	if (!is_eligible(context))
		return false;
	for (struct pmu_event *l = context->leaders; l; l = l->next_leader) {
		if (l->attr.exclusive)
			return false;
		pmu_for_each (e, l) {
			if (!is_exchangeable(e))
				return false;
			context->order[n++] = e;
		}
	}
	return true;
}

/*
 * True where each event is on a counter: an event without one has no place for the other task's
 * event.
 */
static bool all_count(const struct pmu_context *context)
{
	for (unsigned i = 0; i < context->nevents; i++)
		if (context->order[i]->state != PMU_STATE_ACTIVE)
			return false;
	return true;
}

/*
 * True for equal event selects and rings, if both or neither sample, and both are leaders of the
 * same kind or siblings.
 */
static bool is_alike(const struct pmu_event *a, const struct pmu_event *b)
{
	return a->config == b->config && !a->period == !b->period &&
	       (a->leader == a) == (b->leader == b) && a->attr.pinned == b->attr.pinned;
}

/* A number that no other context has. */
static uint64_t new_shape(void)
{
	return ++pmu.shapes * PMU_MAX_CPUS + pmu.number;
}

bool pmu_exchange_compare(struct pmu_context *from, struct pmu_context *to)
{
	if (from->nevents != to->nevents || !put_in_order(from) || !put_in_order(to) ||
	    !all_count(from))
		return false;
	for (unsigned i = 0; i < from->nevents; i++)
		if (!is_alike(from->order[i], to->order[i]))
			return false;
	if (!from->shape)
		from->shape = new_shape();
	to->shape = from->shape;
	return true;
}

static inline void exchange_loaded(struct pmu_event *e, struct pmu_event *from, uint64_t now)
{
	pmu_counter_update(from);
	pmu_leave_counter(from, now);
	pmu_take_counter_over(e, from, now);
	pmu_counter_load_plain(e);
}

void pmu_exchange_samples(struct pmu_context *from, struct pmu_context *to)
{
	for (unsigned i = 0; i < to->nevents; i++)
		exchange_loaded(to->order[i], from->order[i], pmu.now);
}
