// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_trace.c - see model_trace.h.
 */
#include "vpmu/model/model_trace.h"

#include "vpmu/model/model_priv.h"

void vpmu_model_offer_trace(struct vpmu_model *m, bool offers)
{
	m->has_trace = offers && m->has_branches && !is_amd(m);
	if (m->has_trace)
		m->misc_enable &= ~MISC_ENABLE_BTS_UNAVAILABLE;
	else
		m->misc_enable |= MISC_ENABLE_BTS_UNAVAILABLE;
}

bool vpmu_model_traces(const struct vpmu_model *m)
{
	return vpmu_bts_is_on(m);
}

bool vpmu_model_traces_in(const struct vpmu_model *m, enum vpmu_ring ring)
{
	return vpmu_bts_is_on_in(m, ring);
}

void vpmu_model_trace(struct vpmu_model *m, const struct branch_logged *branch, enum vpmu_ring ring,
		      const struct vpmu_memory *linear)
{
	if (vpmu_bts_is_on_in(m, ring) && branch->from & LOGGED_TAKEN)
		vpmu_bts_store(m, branch, linear);
}

uint64_t vpmu_model_trace_room(const struct vpmu_model *m, const struct vpmu_memory *linear)
{
	const uint64_t room = BRANCH_LOGGED - BRANCH_LOG_SPARE, wanted = vpmu_bts_room(m, linear);

	return wanted < room ? wanted : room;
}
