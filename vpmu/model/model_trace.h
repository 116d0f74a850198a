/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_trace.h - branches that are traced into the guest's memory, and what the two ways to do it
 * share: Branch Trace Store (model_bts.c) and Intel Processor Trace (model_pt.c). Both need to be
 * told of each branch, and that the guest is stopped before the log of them is full: else CPUID has
 * neither.
 *
 * The registers' writes only change registers; what follows from them is written into memory by the
 * calls below, before the guest's next instruction.
 */
#ifndef VPMU_MODEL_MODEL_TRACE_H
#define VPMU_MODEL_MODEL_TRACE_H

#include "vpmu/model/model.h"

/* The bits of MODE.Exec. */
enum vpmu_mode { VPMU_CODE16, VPMU_CODE64, VPMU_CODE32 };

/* Where the guest is. */
struct vpmu_at {
	enum vpmu_ring ring;
	uint8_t mode; /* enum vpmu_mode */
	uint64_t ip, cr3, tsc;
};

/* By linear addresses, and by physical ones. */
struct vpmu_memories {
	const struct vpmu_memory *linear, *physical;
};

/* vpmu_model_offer_trace() - from now on there is both, or none. */
void vpmu_model_offer_trace(struct vpmu_model *m, bool offers);

/* vpmu_model_traces() - branches are traced, in some ring. vpmu_model_traces_at(): there, too. */
bool vpmu_model_traces(const struct vpmu_model *m);
bool vpmu_model_traces_at(const struct vpmu_model *m, const struct vpmu_at *at);

/* vpmu_model_trace_control() - behind an exit, where vpmu_model_trace_is_changed() by registers.
 * vpmu_model_trace_begin(): the guest runs on, and nothing is delivered first. */
bool vpmu_model_trace_is_changed(const struct vpmu_model *m);
void vpmu_model_trace_control(struct vpmu_model *m, const struct vpmu_at *at,
			      const struct vpmu_memories *memories);
void vpmu_model_trace_begin(struct vpmu_model *m, const struct vpmu_at *at,
			    const struct vpmu_memories *memories);

/* vpmu_model_traces_cr3() - each MOV to CR3 is told, once it is done, by vpmu_model_trace_cr3(). */
bool vpmu_model_traces_cr3(const struct vpmu_model *m);
void vpmu_model_trace_cr3(struct vpmu_model *m, const struct vpmu_at *at,
			  const struct vpmu_memories *memories);

/* vpmu_model_trace() - a branch, or an event that was delivered (`delivered`); it has led to `at`.
 * vpmu_model_trace_lost(): some, before the guest came there. */
void vpmu_model_trace(struct vpmu_model *m, const struct branch_logged *branch, bool delivered,
		      const struct vpmu_at *at, const struct vpmu_memories *memories);
void vpmu_model_trace_lost(struct vpmu_model *m, const struct vpmu_at *at,
			   const struct vpmu_memories *memories);

/* vpmu_model_trace_room() - branches from which on the guest may be about to get a PMI, or the log
 * to be full. */
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

/* Of IA32_RTIT_OUTPUT_MASK_PTRS, always set; no bits of an address. */
#define PT_MASK_LOW 0x7full

/* pt_output.c: vpmu_pt_put() - the next bytes of the trace. vpmu_pt_room(): how many until a PMI
 * may be due; UINT64_MAX: none will be. */
void vpmu_pt_put(struct vpmu_model *m, const uint8_t *bytes, unsigned n,
		 const struct vpmu_memory *physical);
uint64_t vpmu_pt_room(const struct vpmu_model *m, const struct vpmu_memory *physical);

#endif
