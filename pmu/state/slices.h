/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices.h - records the slices in which an event counts, for slices.c; each is added to sums as it
 * ends. This runs in every time slice, so the common case is inline. Paused; times and count are up
 * to date.
 *
 * A slice ends when the event has waited, or with the time slice if others wait. A stop of its task
 * or CPU does not end it: its enabled time does not advance then.
 *
 * Where equal groups take turns, most events share a span: the time from one turn to the next one.
 * Its length, the inverse of that, and the weight of two spans in a row are computed once a turn.
 * The count and the times of an event that stays are then not brought up to date: only its slices
 * are, so they may be ahead.
 */
#ifndef PMU_STATE_SLICES_H
#define PMU_STATE_SLICES_H

#include "lib/math.h"
#include "pmu/state/state.h"

#define PMU_RATE_SHIFT 32 /* rates are occurrences per ns, times 2^32 */
#define PMU_RATE_LIMIT 6  /* of any event: 2^6 per ns */
#define PMU_RATE_MOST  (1ull << (PMU_RATE_SHIFT + PMU_RATE_LIMIT))

/* pmu_slice_add_parts() - the other term of a slice between two gaps, of which it has these parts.
 */
void pmu_slice_add_parts(struct pmu_slices *s, uint64_t before, uint64_t behind);

/* pmu_slice_rate() - rounded down; false: it exceeds the limit, or there are 0 ns. */
static inline bool pmu_slice_rate(uint64_t count, uint64_t ns, uint64_t *rate)
{
	if (__builtin_expect(count >> PMU_RATE_LIMIT >= ns, 0))
		return false;
	*rate = div_128(count >> (64 - PMU_RATE_SHIFT), count << PMU_RATE_SHIFT, ns);
	return true;
}

/* pmu_slice_weight() - of the change from a slice of `was` to one of `ns`, not both of 0 ns. */
static inline uint64_t pmu_slice_weight(uint64_t was, uint64_t ns)
{
	const unsigned __int128 product = (unsigned __int128)was * ns;

	return div_128((uint64_t)(product >> 64), (uint64_t)product, was + ns);
}

/* pmu_slice_square() - the change of the rate, squared and weighted. */
static inline unsigned __int128 pmu_slice_square(int64_t change, uint64_t weight)
{
	int64_t weighted;

	if (__builtin_expect(__builtin_mul_overflow(change, (int64_t)weight, &weighted), 0))
		return (unsigned __int128)((__int128)change * change) * weight;
	return (unsigned __int128)((__int128)weighted * change);
}

/*
 * pmu_slice_gap() - adds the gap in front of the first slice, or between two slices. Returns the
 * part of it for which the later slice, of `ns`, stands.
 */
static inline uint64_t pmu_slice_gap(struct pmu_slices *s, uint64_t ns, uint64_t count)
{
	const uint64_t gap = s->gap, high = gap >> 32;
	uint64_t both = s->last.ns + ns, times, mine;

	if (__builtin_expect_with_probability(high >= both, 0, 1))
		both = high + 1;                /* 2^32 such slices: nothing is known of the gap */
	times = div_128(high, gap << 32, both); /* gap / both, times 2^32 */
	mine = (uint64_t)((unsigned __int128)ns * times >> 32);
	s->sums.weights += (unsigned __int128)gap * times >> 32;
	s->sums.filled += (unsigned __int128)(s->last.count + count) * times;
	if (__builtin_expect(s->last.stands != 0, 0))
		pmu_slice_add_parts(s, s->last.stands, gap - mine);
	s->gap = 0;
	return mine;
}

/* pmu_slice_add() - a slice has ended, and the next one begins. */
static inline void pmu_slice_add(struct pmu_slices *s, const struct pmu_edge *slice,
				 uint64_t weight)
{
	s->sums.changes += pmu_slice_square((int64_t)(slice->rate - s->last.rate), weight);
	s->sums.n++;
	s->last = *slice;
	s->running += slice->ns;
	s->count += slice->count;
}

/* pmu_slice_end() - ends the present slice and begins another one. */
void pmu_slice_end(struct pmu_event *e);

/* --- Spans --- */

#define PMU_SPAN_LEAST 65536 /* ns: with shorter ones rates do not fit into 64 bits */

/* pmu_span_break() - a decision stopped or started events: their slices are no spans. */
static inline void pmu_span_break(struct pmu_span *span)
{
	span->series++;
}

/* pmu_span_next() - a turn at `now` ends the span and begins the next one. */
static inline void pmu_span_next(struct pmu_span *span, uint64_t now)
{
	uint64_t ns = now - span->began;

	if (__builtin_expect(ns < PMU_SPAN_LEAST, 0)) {
		pmu_span_break(span);
		ns = PMU_SPAN_LEAST;
	}
	span->weight = pmu_slice_weight(span->ns, ns);
	span->inverse = div_128(1, 0, ns);
	span->ns = ns;
	span->began = now;
}

/*
 * pmu_span_end_slice() - ends a slice with `count` occurrences that is the last span, and begins
 * the next one. False: the event's slice is another one.
 */
static inline __attribute__((always_inline)) bool pmu_span_end_slice(struct pmu_slices *s,
								     const struct pmu_span *span,
								     uint64_t count)
{
	const uint64_t rate = (uint64_t)((unsigned __int128)count * span->inverse >> 32);
	struct pmu_edge slice = {.count = count, .ns = span->ns, .rate = rate};

	if (__builtin_expect(s->series == span->series, 1)) {
		pmu_slice_add(s, &slice, span->weight);
		return true;
	}
	if (s->series != ~span->series)
		return false;
	s->series = span->series;
	slice.stands = pmu_slice_gap(s, span->ns, count);
	pmu_slice_add(s, &slice, pmu_slice_weight(s->last.ns, span->ns));
	return true;
}

/*
 * pmu_slice_begin() - the event starts to count: ends the previous slice if the event has waited
 * since. pmu_span_begin_slice() - the same for an event that comes by a turn. The number of its
 * series tells that a gap is in front of the slice.
 */
static inline bool pmu_slice_begin(struct pmu_event *e)
{
	struct pmu_slices *s = &e->slices;
	const uint64_t waited = e->times.enabled - e->times.running;

	if (waited == s->waited)
		return false;
	if (e->times.running != s->running)
		pmu_slice_end(e);
	s->gap += waited - s->waited;
	s->waited = waited;
	return true;
}

static inline void pmu_span_begin_slice(struct pmu_event *e, const struct pmu_span *span)
{
	const bool alone = !pmu_slice_begin(e) | (e->slices.log != NULL);

	e->slices.series = __builtin_expect(alone, 0) ? 0 : ~span->series;
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
