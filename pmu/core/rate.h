/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rate.h - how often events sample: see rate.c. Calls are inline where they are on the short way
 * of a sample, and find out whether there is anything to do.
 */
#ifndef PMU_CORE_RATE_H
#define PMU_CORE_RATE_H

#include "pmu/state/state.h"

/* pmu_rate_init() - at start-up. */
void pmu_rate_init(void);

/* pmu_rate_check() - attr.freq and attr.sample_freq: 0, or -EINVAL with the reason. Task context.
 */
int pmu_rate_check(const struct perf_event_attr *attr, struct reason *why);

/* pmu_rate_open() - the first period of an event whose kind is known. Task context. */
void pmu_rate_open(struct pmu_event *e);

/*
 * pmu_rate_interval() - the ns from sample to sample that a frequency means on this CPU. Within an
 * operation. pmu_rate_set() - another period for an event that samples, or another frequency, which
 * means that interval, for one that has such. Paused.
 */
uint64_t pmu_rate_interval(uint64_t frequency);
void pmu_rate_set(struct pmu_event *e, uint64_t value, uint64_t interval);

/*
 * pmu_rate_count() - `e` sampled: is that too often? pmu_rate_burst() finds out, once the number is
 * reached. NMI, IRQ, paused.
 */
void pmu_rate_burst(struct pmu_event *e);

static inline void pmu_rate_count(struct pmu_event *e)
{
	if (__builtin_expect(++e->rate.burst >= pmu.rate.per_tick, false))
		pmu_rate_burst(e);
}

void pmu_rate_overflow(struct pmu_event *e); /* rate.c: adjusts its period. NMI, IRQ, paused */

/*
 * pmu_next_period() - `left` came to 0 or below: the next period begins. Several that went by
 * together are one, of that length. So always: what samples had as PERIOD, and this_period - left,
 * add up to the count.
 */
static inline void pmu_next_period(struct pmu_event *e)
{
	e->last_period = e->this_period;
	if (__builtin_expect(e->rate.interval != 0, 0))
		pmu_rate_overflow(e);
	e->this_period = e->period;
	e->left += (int64_t)e->period;
	if (__builtin_expect(e->left <= 0, 0)) {
		e->last_period += e->period - (uint64_t)e->left;
		e->left = (int64_t)e->period;
	}
}

/* pmu_rate_forget() - `e` goes. Paused. pmu_rate_shift() - it comes from a CPU whose pmu_time() is
 * `ns` behind; modulo 2^64. */
void pmu_rate_forget(struct pmu_event *e);
void pmu_rate_shift(struct pmu_event *e, uint64_t ns);

/* pmu_rate_update() - other events count now than before: arms the timer, or calls it off. Paused.
 * pmu_rate_update_timer(): `now` as of pmu_time(). IRQs off. */
void pmu_rate_update_timer(uint64_t now);

static inline bool pmu_rate_concerns(const struct pmu_context *context)
{
	return context->frequencies | context->throttled;
}

static inline void pmu_rate_update(void)
{
	if (__builtin_expect(pmu.rate.deadline != PMU_NEVER || pmu_rate_concerns(pmu.cpu) ||
				     (pmu.task && pmu_rate_concerns(&pmu.task->context)),
			     false))
		pmu_rate_update_timer(pmu.now);
}

#endif
