/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exchange.h - the fast way from one task to another one with equal events: see exchange.c. It is
 * inline, because its length is the cost of a task switch. Paused.
 */
#ifndef PMU_CORE_EXCHANGE_H
#define PMU_CORE_EXCHANGE_H

#include "pmu/core/counter.h"

/* pmu_exchange_compare() - compares two contexts; if they are equal, they get the same shape. */
bool pmu_exchange_compare(struct pmu_context *from, struct pmu_context *to);

/*
 * pmu_may_exchange() - true where pmu_exchange() can replace the events of `from` by those of `to`.
 * No event of the two contexts waits for a counter, no counting event has a frequency, and the
 * CPU's own events neither record switches nor depend on the task. Policy fair is excluded, because
 * its decisions depend on the past of each context.
 */
static inline bool pmu_may_exchange(struct pmu_context *from, struct pmu_context *to)
{
	if ((from->tick.multiplex | to->tick.multiplex | pmu.rate.ticking) ||
	    (pmu.cpu->nbound | pmu.cpu->nswitch) || pmu.scheduler.tick.fair)
		return false;
	return __builtin_expect(to->shape && from->shape == to->shape, 1) ||
	       pmu_exchange_compare(from, to);
}

/* pmu_times_update() for a counting event; its slice continues when its task returns. */
static inline __attribute__((always_inline)) void pmu_leave_counter(struct pmu_event *e,
								    uint64_t now)
{
	const uint64_t elapsed = now - e->times.stamp;

	e->times.enabled += elapsed;
	e->times.running += elapsed;
	e->state = PMU_STATE_INACTIVE;
}

/* `e` gets the counter of `from`. */
static inline __attribute__((always_inline)) void pmu_take_counter_over(struct pmu_event *e,
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
}

/* For counters of which none samples: they go on from where they are. */
static inline __attribute__((always_inline)) void pmu_exchange_counts(struct pmu_event *e,
								      struct pmu_event *from,
								      uint64_t now)
{
	const uint64_t value = rdpmc(from->place->rdpmc);

	from->count += (value - from->prev) & pmu.counter_mask;
	pmu_leave_counter(from, now);
	pmu_take_counter_over(e, from, now);
	e->prev = value;
}

/* pmu_exchange_samples() - the same for all events of both contexts, where a counter samples. */
void pmu_exchange_samples(struct pmu_context *from, struct pmu_context *to);

/* pmu_exchange() - the events of `to` count from now on; where pmu_may_exchange(). */
static inline __attribute__((always_inline)) void pmu_exchange(struct pmu_context *from,
							       struct pmu_context *to)
{
	const uint64_t now = pmu.now;

	if (__builtin_expect(pmu.counters.sampling != 0, 0))
		pmu_exchange_samples(from, to);
	else
		for (unsigned i = 0; i < to->nevents; i++)
			pmu_exchange_counts(to->order[i], from->order[i], now);
	from->active = false;
	to->active = true;
	pmu.scheduler.tick.contexts[PMU_TICK_TASK] = &to->tick;
	pmu.scheduler.renamed = true;
	pmu.stats.exchanges++;
}

#endif
