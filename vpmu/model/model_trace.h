/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_trace.h - branches that are traced into the guest's memory: the common part of Branch Trace
 * Store (model_bts.c) and Intel Processor Trace (model_pt.c). Both need a report of each branch,
 * and a stop of the guest before the log of them is full; otherwise CPUID has neither.
 *
 * Writes to registers change registers only. The calls below write to memory, before the guest's
 * next instruction.
 */
#ifndef VPMU_MODEL_MODEL_TRACE_H
#define VPMU_MODEL_MODEL_TRACE_H

#include "vpmu/model/model.h"

/* The bits of MODE.Exec. */
enum vpmu_mode { VPMU_CODE16, VPMU_CODE64, VPMU_CODE32 };

/* The guest's context. */
struct vpmu_at {
	enum vpmu_ring ring;
	uint8_t mode; /* enum vpmu_mode */
	uint64_t ip, cr3, tsc;
};

/* Memory by linear and by physical addresses. */
struct vpmu_memories {
	const struct vpmu_memory *linear, *physical;
};

/* vpmu_model_offer_trace() - from now on Branch Trace Store and Processor Trace exist (`offers`),
 * or neither does. */
void vpmu_model_offer_trace(struct vpmu_model *m, bool offers);

/* vpmu_model_traces() - whether branches are traced in any ring. vpmu_model_traces_at() - whether
 * they are traced in this context. */
bool vpmu_model_traces(const struct vpmu_model *m);
bool vpmu_model_traces_at(const struct vpmu_model *m, const struct vpmu_at *at);

/* vpmu_model_trace_control() - called after an exit, if vpmu_model_trace_is_changed() by a write of
 * registers. vpmu_model_trace_begin() - called when the guest runs on and no event is delivered
 * first. */
bool vpmu_model_trace_is_changed(const struct vpmu_model *m);
void vpmu_model_trace_control(struct vpmu_model *m, const struct vpmu_at *at,
			      const struct vpmu_memories *memories);
void vpmu_model_trace_begin(struct vpmu_model *m, const struct vpmu_at *at,
			    const struct vpmu_memories *memories);

/* vpmu_model_traces_cr3() - whether each MOV to CR3 must be reported by vpmu_model_trace_cr3(),
 * after it has completed. */
bool vpmu_model_traces_cr3(const struct vpmu_model *m);
void vpmu_model_trace_cr3(struct vpmu_model *m, const struct vpmu_at *at,
			  const struct vpmu_memories *memories);

/* vpmu_model_trace() - a branch, or a delivered event (`delivered`), has led to `at`.
 * vpmu_model_trace_lost(): some branches before `at` are lost. */
void vpmu_model_trace(struct vpmu_model *m, const struct branch_logged *branch, bool delivered,
		      const struct vpmu_at *at, const struct vpmu_memories *memories);
void vpmu_model_trace_lost(struct vpmu_model *m, const struct vpmu_at *at,
			   const struct vpmu_memories *memories);

/* vpmu_model_trace_room() - branches after which a PMI may be due, or the log may be full. */
uint64_t vpmu_model_trace_room(const struct vpmu_model *m, const struct vpmu_memories *memories);

/* model_bts.c. */
bool vpmu_bts_is_on(const struct vpmu_model *m);
bool vpmu_bts_is_on_in(const struct vpmu_model *m, enum vpmu_ring ring);
void vpmu_bts_store(struct vpmu_model *m, const struct branch_logged *branch,
		    const struct vpmu_memory *memory);
uint64_t vpmu_bts_room(const struct vpmu_model *m, const struct vpmu_memory *memory);

/* model_pt.c. */
bool vpmu_pt_is_on(const struct vpmu_model *m);
bool vpmu_pt_is_on_at(const struct vpmu_model *m, const struct vpmu_at *at);
void vpmu_pt_control(struct vpmu_model *m, const struct vpmu_at *at,
		     const struct vpmu_memory *physical);
void vpmu_pt_begin(struct vpmu_model *m, const struct vpmu_at *at,
		   const struct vpmu_memory *physical);
void vpmu_pt_branch(struct vpmu_model *m, const struct branch_logged *branch, bool delivered,
		    const struct vpmu_at *at, const struct vpmu_memory *physical);
bool vpmu_pt_tells_cr3(const struct vpmu_model *m);
void vpmu_pt_cr3(struct vpmu_model *m, const struct vpmu_at *at,
		 const struct vpmu_memory *physical);
void vpmu_pt_lose(struct vpmu_model *m, const struct vpmu_at *at,
		  const struct vpmu_memory *physical);

/* The low bits of IA32_RTIT_OUTPUT_MASK_PTRS are always set, and are no address. */
#define PT_MASK_LOW 0x7full

/* pt_output.c: vpmu_pt_put() - writes the next bytes of the trace. vpmu_pt_room(): bytes until a
 * PMI may be due; UINT64_MAX: none will be. */
void vpmu_pt_put(struct vpmu_model *m, const uint8_t *bytes, unsigned n,
		 const struct vpmu_memory *physical);
uint64_t vpmu_pt_room(const struct vpmu_model *m, const struct vpmu_memory *physical);

#endif
