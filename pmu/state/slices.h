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

#include "pmu/api/event.h"

/* pmu_slice_end() - ends the present slice and begins another one. */
void pmu_slice_end(struct pmu_event *e);

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
