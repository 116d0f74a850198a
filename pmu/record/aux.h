/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aux.h - outputs of an event into the AUX area of its ring, each told by a PERF_RECORD_AUX.
 *
 * A record that finds no room is not lost: its part of the area is told together with the next one.
 * So the sizes in AUX records add up to what was produced, always. Where something is missing
 * between such parts the record says that it has a gap (PERF_AUX_FLAG_PARTIAL).
 */
#ifndef PMU_RECORD_AUX_H
#define PMU_RECORD_AUX_H

#include "pmu/state/state.h"
#include "rb/aux.h"

/*
 * pmu_aux_begin() - false: the event has no ring with an AUX area, or something else writes there.
 * Paused, or with interrupts off.
 */
bool pmu_aux_begin(struct pmu_event *e, struct rb_aux_output *o);

/*
 * pmu_aux_end() - `flags`: PERF_AUX_FLAG_TRUNCATED, where there was no room for what would have
 * come behind it, or for anything at all. As pmu_aux_begin().
 */
void pmu_aux_end(struct pmu_event *e, struct rb_aux_output *o, uint64_t flags);

/* pmu_aux_tell_rest() - the AUX record of what was not told yet, where there is room for it. On the
 * CPU that writes the ring. */
void pmu_aux_tell_rest(struct pmu_event *e);

#endif
