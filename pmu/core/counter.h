/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter.h - the counter of one event, for the overflow path and the scheduler. The functions are
 * inline, because both paths count their instructions. NMI and paused context.
 */
#ifndef PMU_CORE_COUNTER_H
#define PMU_CORE_COUNTER_H

#include "arch/x86/insn.h"
#include "pmu/state/state.h"
#include "pmu/core/rate.h"

/* The least reload: some CPUs miss the overflow of a counter that is set to -1. */
#define PMU_LEAST_RELOAD 2

/* Value of the upper counter of a pair, with which both counters overflow at once. */
#define PMU_MERGED_TOP 0xffff

/* pmu_counter_update() - brings `count` and `left` up to date. */
static inline void pmu_counter_update(struct pmu_event *e)
{
	uint64_t now = rdpmc(e->place->rdpmc), delta = (now - e->prev) & pmu.counter_mask;

	e->prev = now;
	e->left -= (int64_t)delta;
	local_store(&e->count, e->count + delta);
}

/*
 * pmu_counter_count() - the up-to-date count, without changing anything. Any context: an NMI may
 * come in between and change both. `prev` alone does not reveal this, because a reload may leave it
 * unchanged.
 */
static inline uint64_t pmu_counter_count(const struct pmu_event *e)
{
	uint64_t prev, count, now;

	do {
		prev = local_load(&e->prev);
		count = local_load(&e->count);
		now = rdpmc(e->place->rdpmc);
	} while (local_load(&e->prev) != prev || local_load(&e->count) != count);
	return count + ((now - prev) & pmu.counter_mask);
}

/* pmu_fit_reload() - the nearest value from `events` on that the counter can be set to. */
static inline uint64_t pmu_fit_reload(const struct pmu_event *e, uint64_t events)
{
	const uint64_t fit = e->setting ? uarch_fit_setting(e->setting, events) : events;

	return fit <= pmu.hw.max_period ? fit : fit - e->setting->step;
}

/*
 * pmu_counter_first() - the value from which the counter overflows at the end of the period; a
 * period beyond its range takes several reloads.
 */
static inline uint64_t pmu_counter_first(struct pmu_event *e)
{
	uint64_t reload = (uint64_t)e->left;

	if (__builtin_expect(reload - PMU_LEAST_RELOAD > pmu.hw.max_period - PMU_LEAST_RELOAD, 0))
		reload = e->left < PMU_LEAST_RELOAD ? PMU_LEAST_RELOAD : pmu.hw.max_period;
	if (__builtin_expect(e->setting != NULL, 0))
		reload = pmu_fit_reload(e, reload);
	e->prev = -reload & pmu.counter_mask;
	return e->prev;
}

/*
 * pmu_counter_load() - sets the counter to that value. pmu_counter_load_plain() - the same for an
 * event that is not a pair.
 */
static inline void pmu_counter_load_plain(struct pmu_event *e)
{
	wrmsr(e->place->counter, pmu_counter_first(e));
}

static inline void pmu_counter_load(struct pmu_event *e)
{
	pmu_counter_load_plain(e);
	if (__builtin_expect(e->tick.pair, 0))
		wrmsr(e->place->counter + pmu.driver->stride, PMU_MERGED_TOP);
}

/*
 * pmu_counter_serve() - updates and reloads a counter that wrapped or may have wrapped. True: a
 * period ended, and the next one has begun.
 */
static inline bool pmu_counter_serve(struct pmu_event *e)
{
	bool over = false;

	pmu_counter_update(e);
	if (e->left <= 0) {
		over = e->period;
		if (__builtin_expect(over, 1))
			pmu_next_period(e);
		else
			e->left = (int64_t)pmu.hw.max_period;
	}
	pmu_counter_load(e);
	return over;
}

/* The classes of events on counters, and of slots while it leads metrics: topdown.c. */
extern const struct pmu_class pmu_hardware_class, pmu_slots_class;
/*
 * pmu_hardware_update() - brings `count` and `left` up to date. NMI and paused context.
 * pmu_hardware_count() - the up-to-date count, without changing anything. Any context.
 */
void pmu_hardware_update(struct pmu_event *e);
void pmu_hardware_reload(struct pmu_event *e); /* also sets the counter again. The same contexts */
uint64_t pmu_hardware_count(const struct pmu_event *e);

/*
 * pmu_counters_out() - takes events off the counters that they lose. Counters in `reused` get
 * another event and need no clearing.
 * pmu_counters_in() - puts events on the counters that they get.
 * pmu_counters_turn() - applies the turn that was taken: one event leaves its counter, another one
 * gets one, and a third one may go to another counter. pmu_counters_cut() - ends the slices of
 * events on counters that waited before and go on. All: paused; no event is at its limit.
 */
void pmu_counters_out(uint64_t reused);
void pmu_counters_in(const struct pmu_tick *t);
void pmu_counters_turn(void);
void pmu_counters_cut(void);

#endif
