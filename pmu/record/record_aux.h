/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_aux.h - outputs of an event to the AUX area of its ring, each reported by a
 * PERF_RECORD_AUX.
 *
 * A record that finds no room is not lost: its part of the area is reported together with the next
 * one. So the sizes in AUX records always add up to what was produced. If data is missing between
 * such parts, the record has PERF_AUX_FLAG_PARTIAL.
 */
#ifndef PMU_RECORD_RECORD_AUX_H
#define PMU_RECORD_RECORD_AUX_H

#include "pmu/state/state.h"
#include "rb/aux.h"

/*
 * pmu_aux_begin() - false: the event has no ring with an AUX area, or another output is under way.
 * Paused, or with interrupts off.
 */
bool pmu_aux_begin(struct pmu_event *e, struct rb_aux_output *o);

/*
 * pmu_aux_end() - ends an output. `flags`: PERF_AUX_FLAG_TRUNCATED if there was no room for further
 * data, or for any. Context as pmu_aux_begin().
 */
void pmu_aux_end(struct pmu_event *e, struct rb_aux_output *o, uint64_t flags);

/*
 * pmu_aux_tell_rest() - writes the pending AUX record, if there is room. On the CPU that writes the
 * ring.
 */
void pmu_aux_tell_rest(struct pmu_event *e);

#endif
