/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices.h - records the slices in which an event counts, for slices.c; each is added to sums as it
 * ends. This runs in every time slice, so the common case is inline. Paused; times and count are up
 * to date.
 *
 * A slice ends when the event has waited, or with the time slice if others wait. A stop of its task
 * or CPU does not end it: its enabled time does not advance then.
 */
#ifndef PMU_STATE_SLICES_H
#define PMU_STATE_SLICES_H

#include "lib/math.h"
#include "pmu/api/event.h"

#define PMU_RATE_SHIFT 32 /* rates are occurrences per ns, times 2^32 */
#define PMU_RATE_LIMIT 6  /* of any event: 2^6 per ns */
#define PMU_RATE_MOST  (1ull << (PMU_RATE_SHIFT + PMU_RATE_LIMIT))

/* pmu_slice_rate() - rounded down; false: it exceeds the limit, or there are 0 ns. */
static inline bool pmu_slice_rate(uint64_t count, uint64_t ns, uint64_t *rate)
{
	if (__builtin_expect(count >> PMU_RATE_LIMIT >= ns, 0))
		return false;
	*rate = div_128(count >> (64 - PMU_RATE_SHIFT), count << PMU_RATE_SHIFT, ns);
	return true;
}

/*
 * pmu_slice_pair() - the change of the rate from the previous slice to one of `ns`, squared and
 * weighted by the product of both lengths by their sum. Without a previous slice it is 0.
 */
static inline unsigned __int128 pmu_slice_pair(const struct pmu_edge *was, uint64_t ns,
					       uint64_t rate)
{
	const unsigned __int128 product = (unsigned __int128)was->ns * ns;
	const uint64_t weight = div_128((uint64_t)(product >> 64), (uint64_t)product, was->ns + ns);
	const int64_t change = (int64_t)(rate - was->rate);
	int64_t weighted;

	if (__builtin_expect(__builtin_mul_overflow(change, (int64_t)weight, &weighted), 0))
		return (unsigned __int128)((__int128)change * change) * weight;
	return (unsigned __int128)((__int128)weighted * change);
}

/* pmu_slice_end() - ends the present slice and begins another one. */
void pmu_slice_end_unusual(struct pmu_event *e, uint64_t ns, uint64_t count);
static inline __attribute__((always_inline)) void pmu_slice_end(struct pmu_event *e)
{
	struct pmu_slices *s = &e->slices;
	const uint64_t ns = e->times.running - s->running, count = e->count - s->count;
	uint64_t rate;

	if ((s->gap | (uintptr_t)s->log) || !pmu_slice_rate(count, ns, &rate)) {
		pmu_slice_end_unusual(e, ns, count);
		return;
	}
	s->sums.changes += pmu_slice_pair(&s->last, ns, rate);
	s->sums.n++;
	s->last.count = count;
	s->last.ns = ns;
	s->last.rate = rate;
	s->last.stands = 0;
	s->running = e->times.running;
	s->count = e->count;
}

/*
 * pmu_slice_begin() - the event starts to count: ends the previous slice if the event has waited
 * since.
 */
static inline void pmu_slice_begin(struct pmu_event *e)
{
	const uint64_t waited = e->times.enabled - e->times.running;

	if (waited == e->slices.waited)
		return;
	pmu_slice_end(e);
	e->slices.gap += waited - e->slices.waited;
	e->slices.waited = waited;
}

/*
 * pmu_slices_forget() - drops the slices of `e` and of ended events inherited from it: recording
 * starts over.
 */
void pmu_slices_forget(struct pmu_event *e);

/*
 * pmu_slices_close() - adds the slices of `e` up to now to `to`, including the last one and the
 * present wait. `e` is unchanged.
 */
void pmu_slices_close(struct pmu_slice_sums *to, const struct pmu_event *e);

#endif
