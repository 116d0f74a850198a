// SPDX-License-Identifier: BSD-2-Clause
/*
 * exchange.c - a switch between two tasks whose events are alike, as those of a parent and its
 * child are, or of two tasks that are measured in the same way. It is then decided already which
 * event counts where: on each counter the event of the next task takes the place of the event of
 * the previous one, and nothing of the PMU changes but what the counters stand at.
 *
 * Alike are lists with the same groups of the same events in the same order, all of which count
 * whenever their task runs. What an event needs beside a counter, or has to do beside counting,
 * makes its context one that is switched the long way (task.c); so does an event that wants to
 * count and was not scheduled yet, as the sibling of a disabled leader that was closed. Two
 * contexts that were found alike have the same `shape` until one of them changes, so that is found
 * out once; and `order` has the events without their groups. Whatever takes an event off its
 * counter, or makes it one that is not plain, has its context's shape forgotten, or leaves the
 * context multiplexed.
 */
#include "pmu/core/counter.h"
#include "pmu/core/exchange.h"

#include <stddef.h>

/* It wants one of its counters, has had one, and wants nothing else. */
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

/* The events in order, when all are plain. */
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

/* Each event is on a counter: an event without one has no place for the other task's event. */
static bool all_count(const struct pmu_context *context)
{
	for (unsigned i = 0; i < context->nevents; i++)
		if (context->order[i]->state != PMU_STATE_ACTIVE)
			return false;
	return true;
}

/* The same event select, and both sample or neither; leaders of the same kind, or siblings. */
static bool is_alike(const struct pmu_event *a, const struct pmu_event *b)
{
	return a->config == b->config && !a->period == !b->period &&
	       (a->leader == a) == (b->leader == b) && a->attr.pinned == b->attr.pinned;
}

/* No other context has it. */
static uint64_t new_shape(void)
{
	return ++pmu.shapes * PMU_MAX_CPUS + pmu.number;
}

static __attribute__((noinline)) bool compare_contexts(struct pmu_context *from,
						       struct pmu_context *to)
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

/*
 * No event of the two contexts waits for a counter, and no event that counts here has a frequency.
 * The CPU's own events need no record of switches, and count with all tasks: a switch wakes none
 * up. And the policy is not fair, whose decisions depend on what each context has had.
 */
static inline bool may_exchange(const struct pmu_context *from, const struct pmu_context *to)
{
	return !(from->tick.multiplex | to->tick.multiplex | pmu.rate.ticking) &&
	       !(pmu.cpu->nbound | pmu.cpu->nswitch) && !pmu.scheduler.tick.fair;
}

/* pmu_times_update() for one that counts; the stretch of time that it is in goes on when its task
 * comes back. */
static inline __attribute__((always_inline)) void leave_counter(struct pmu_event *e, uint64_t now)
{
	const uint64_t elapsed = now - e->times.stamp;

	pmu_counter_update(e);
	e->times.enabled += elapsed;
	e->times.running += elapsed;
	e->state = PMU_STATE_INACTIVE;
}

static inline __attribute__((always_inline)) void take_counter_over(struct pmu_event *e,
								    struct pmu_event *from,
								    uint64_t now)
{
	const unsigned counter = from->tick.counter;

	from->tick.counter = PMU_NO_COUNTER;
	e->tick.counter = (uint8_t)counter;
	pmu.counters.on[counter] = e;
	e->place = from->place;
	e->times.stamp = now;
	e->state = PMU_STATE_ACTIVE;
	pmu_counter_load_plain(e);
}

bool pmu_exchange(struct pmu_context *from, struct pmu_context *to)
{
	const uint64_t now = pmu.now;

	if (!may_exchange(from, to) ||
	    (__builtin_expect(from->shape != to->shape || !to->shape, 0) &&
	     !compare_contexts(from, to)))
		return false;
	for (unsigned i = 0, n = to->nevents; i < n; i++) {
		leave_counter(from->order[i], now);
		take_counter_over(to->order[i], from->order[i], now);
	}
	from->active = false;
	to->active = true;
	pmu.scheduler.tick.contexts[PMU_TICK_TASK] = &to->tick;
	pmu.scheduler.renamed = true;
	pmu.stats.exchanges++;
	return true;
}
