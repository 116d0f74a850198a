/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rate.h - the rate of samples: see rate.c. Functions on the fast path of a sample are inline, and
 * check whether there is anything to do.
 */
#ifndef PMU_CORE_RATE_H
#define PMU_CORE_RATE_H

#include "pmu/state/state.h"

/* pmu_rate_init() - called at start-up. */
void pmu_rate_init(void);

/*
 * pmu_rate_check() - checks attr.freq and attr.sample_freq: 0, or -EINVAL with the reason. Task
 * context.
 */
int pmu_rate_check(const struct perf_event_attr *attr, struct reason *why);

/* pmu_rate_open() - sets the first period of an event whose kind is known. Task context. */
void pmu_rate_open(struct pmu_event *e);

/*
 * pmu_rate_interval() - the ns between samples for a frequency on this CPU. Within an operation.
 * pmu_rate_set() - sets another period, or another frequency with its interval for an event that
 * has one. Paused.
 */
uint64_t pmu_rate_interval(uint64_t frequency);
void pmu_rate_set(struct pmu_event *e, uint64_t value, uint64_t interval);

/*
 * pmu_rate_count() - counts a sample of `e`. At the limit, pmu_rate_burst() decides whether that
 * was too fast. NMI, IRQ, paused.
 */
void pmu_rate_burst(struct pmu_event *e);

static inline void pmu_rate_count(struct pmu_event *e)
{
	if (__builtin_expect(++e->rate.burst >= pmu.rate.per_tick, false))
		pmu_rate_burst(e);
}

void pmu_rate_overflow(struct pmu_event *e); /* adjusts its period: see rate.c. NMI, IRQ, paused */

/*
 * pmu_next_period() - called when `left` is 0 or less: begins the next period. Several periods that
 * ended together become one of their total length. So the PERIODs of all samples, and this_period -
 * left, always add up to the count.
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

/*
 * pmu_rate_forget() - called when `e` is removed. Paused.
 * pmu_rate_shift() - called when `e` comes from a CPU whose pmu_time() is less by `ns`, modulo
 * 2^64.
 */
void pmu_rate_forget(struct pmu_event *e);
void pmu_rate_shift(struct pmu_event *e, uint64_t ns);

/*
 * pmu_rate_update() - called when the set of counting events changes: arms or cancels the timer.
 * Paused.
 * pmu_rate_update_timer() - the same; `now` is in pmu_time(). IRQs off.
 */
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
