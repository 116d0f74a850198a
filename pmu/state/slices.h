/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices.h - what slices.c works on: each stretch of time in which an event counts, put down as it
 * ends. On the way of every time slice, so inline. Paused; times and count are up to date.
 */
#ifndef PMU_CORE_SLICES_H
#define PMU_CORE_SLICES_H

#include "lib/math.h"
#include "pmu/api/event.h"

#define PMU_SLICES_SHIFT 32           /* of pmu_slices.squares */
#define PMU_SLICES_MAX   (1ull << 48) /* more, and its square does not fit: a day of cycles */

static inline void pmu_slice_begin(struct pmu_event *e)
{
	e->slices.begin_count = e->count;
	e->slices.begin_running = e->times.running;
}

static inline void pmu_slice_end(struct pmu_event *e)
{
	struct pmu_slices *s = &e->slices;
	uint64_t count = e->count - s->begin_count, ns = e->times.running - s->begin_running;
	unsigned __int128 square = (unsigned __int128)count * count << PMU_SLICES_SHIFT;

	if (!ns || count >= PMU_SLICES_MAX)
		return;
	s->n++;
	s->count += count;
	s->running += ns;
	s->squares += div_wide(square, ns);
}

/* pmu_slices_add() - those of another event that are over, as if they were its own. */
static inline void pmu_slices_add(struct pmu_slices *to, const struct pmu_slices *s)
{
	to->n += s->n;
	to->count += s->count;
	to->running += s->running;
	to->squares += s->squares;
}

#endif
