// SPDX-License-Identifier: BSD-2-Clause
/* model_trace.c - passes branches on to Branch Trace Store and Processor Trace. */
#include "vpmu/model/model_trace.h"

#include "vpmu/model/model_priv.h"

void vpmu_model_offer_trace(struct vpmu_model *m, bool offers)
{
	m->trace.exists = offers && m->lbr.exists && !is_amd(m);
	if (m->trace.exists)
		m->regs.misc_enable &= ~MISC_ENABLE_BTS_UNAVAILABLE;
	else
		m->regs.misc_enable |= MISC_ENABLE_BTS_UNAVAILABLE;
}

bool vpmu_model_traces(const struct vpmu_model *m)
{
	return vpmu_bts_is_on(m) || vpmu_pt_is_on(m);
}

bool vpmu_model_traces_at(const struct vpmu_model *m, const struct vpmu_at *at)
{
	return vpmu_bts_is_on_in(m, at->ring) || vpmu_pt_is_on_at(m, at);
}

bool vpmu_model_trace_is_changed(const struct vpmu_model *m)
{
	return m->pt.is_on != vpmu_pt_is_on(m);
}

void vpmu_model_trace_control(struct vpmu_model *m, const struct vpmu_at *at,
			      const struct vpmu_memories *memories)
{
	vpmu_pt_control(m, at, memories->physical);
}

void vpmu_model_trace_begin(struct vpmu_model *m, const struct vpmu_at *at,
			    const struct vpmu_memories *memories)
{
	vpmu_pt_begin(m, at, memories->physical);
}

bool vpmu_model_traces_cr3(const struct vpmu_model *m)
{
	return vpmu_pt_tells_cr3(m);
}

void vpmu_model_trace_cr3(struct vpmu_model *m, const struct vpmu_at *at,
			  const struct vpmu_memories *memories)
{
	vpmu_pt_cr3(m, at, memories->physical);
}

void vpmu_model_trace(struct vpmu_model *m, const struct branch_logged *branch, bool delivered,
		      const struct vpmu_at *at, const struct vpmu_memories *memories)
{
	if (vpmu_bts_is_on_in(m, at->ring) && branch->from & LOGGED_TAKEN)
		vpmu_bts_store(m, branch, memories->linear);
	vpmu_pt_branch(m, branch, delivered, at, memories->physical);
}

void vpmu_model_trace_lost(struct vpmu_model *m, const struct vpmu_at *at,
			   const struct vpmu_memories *memories)
{
	vpmu_pt_lose(m, at, memories->physical);
}

/* The most bytes that a branch adds, without packets that come periodically. */
#define BYTES_OF_BRANCH 9
#define LEAST_BRANCHES  32 /* the most branches that a PMI may be late */

static uint64_t branches_of_bytes(uint64_t bytes)
{
	const uint64_t n = bytes / BYTES_OF_BRANCH;

	return n > LEAST_BRANCHES ? n : LEAST_BRANCHES;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t vpmu_model_trace_room(const struct vpmu_model *m, const struct vpmu_memories *memories)
{
	uint64_t room = BRANCH_LOGGED - BRANCH_LOG_SPARE;

	if (vpmu_bts_is_on(m))
		room = smaller(room, vpmu_bts_room(m, memories->linear));
	if (vpmu_pt_is_on(m))
		room = smaller(room, branches_of_bytes(vpmu_pt_room(m, memories->physical)));
	return room;
}
