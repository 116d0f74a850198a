/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_trace.h - branches that are traced into the guest's memory: Branch Trace Store
 * (model_bts.c). It needs to be told of each branch, and that the guest is stopped before the log
 * of them is full: else CPUID does not tell of it.
 */
#ifndef VPMU_MODEL_MODEL_TRACE_H
#define VPMU_MODEL_MODEL_TRACE_H

#include "vpmu/model/model.h"

/* vpmu_model_offer_trace() - from now on there is such a trace, or none. */
void vpmu_model_offer_trace(struct vpmu_model *m, bool offers);

/* vpmu_model_traces() - branches are traced, in some ring. vpmu_model_traces_in(): in this one,
 * too. */
bool vpmu_model_traces(const struct vpmu_model *m);
bool vpmu_model_traces_in(const struct vpmu_model *m, enum vpmu_ring ring);

/* vpmu_model_trace() - a branch, or an event that was delivered; it has led to `ring`. */
void vpmu_model_trace(struct vpmu_model *m, const struct branch_logged *branch, enum vpmu_ring ring,
		      const struct vpmu_memory *linear);

/* vpmu_model_trace_room() - branches from which on the guest may be about to get a PMI, or the log
 * to be full. */
uint64_t vpmu_model_trace_room(const struct vpmu_model *m, const struct vpmu_memory *linear);

/* model_bts.c. */
bool vpmu_bts_is_on(const struct vpmu_model *m);
bool vpmu_bts_is_on_in(const struct vpmu_model *m, enum vpmu_ring ring);
void vpmu_bts_store(struct vpmu_model *m, const struct branch_logged *branch,
		    const struct vpmu_memory *memory);
uint64_t vpmu_bts_room(const struct vpmu_model *m, const struct vpmu_memory *memory);

#endif
