/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices.h - what slices.c works on: the slices in which an event counts, each summed up as it
 * ends. On the way of every time slice, so inline where there is nothing to do. Paused; times and
 * count are up to date.
 *
 * A slice ends when the event has waited, or with the time slice where others wait. That its task
 * or its CPU stops in between does not end it: its enabled time does not go on then.
 */
#ifndef PMU_STATE_SLICES_H
#define PMU_STATE_SLICES_H

#include "pmu/api/event.h"

/* pmu_slice_end() - the present slice is over, and another one begins. */
void pmu_slice_end(struct pmu_event *e);

/* pmu_slice_begin() - it counts from now on: the slice before is over if it has waited since. */
static inline void pmu_slice_begin(struct pmu_event *e)
{
	const uint64_t waited = e->times.enabled - e->times.running;

	if (waited == e->slices.waited)
		return;
	pmu_slice_end(e);
	e->slices.waited = waited;
}

/* pmu_slices_forget() - those of `e` and of what inherited from it and is gone: they begin anew. */
void pmu_slices_forget(struct pmu_event *e);

/* pmu_slices_close() - the slices of `e` up to now, the last one and what it waits now with them,
 * added to `to`. `e` stays as it is. */
void pmu_slices_close(struct pmu_slice_sums *to, const struct pmu_event *e);

#endif
