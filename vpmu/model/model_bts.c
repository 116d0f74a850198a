// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_bts.c - Branch Trace Store: each taken branch, interrupt and exception leaves a record in
 * the BTS half of the guest's DS area. SDM vol. 3, "Branch Trace Store (BTS)", "BTS and DS Save
 * Area", "64 Bit Format of the DS Save Area".
 */
#include "vpmu/model/model_priv.h"
#include "vpmu/model/model_trace.h"

/* The start of the DS buffer management area, with 64-bit fields. */
struct bts_buffer {
	uint64_t base, index, maximum, threshold;
};

struct bts_record {
	uint64_t from, to, flags;
};
_Static_assert(sizeof(struct bts_record) == 24, "layout");
#define BTS_PREDICTED (1ull << 4)

/* A pending PMI without a status bit: software looks at the index. */
#define PMI_OF_BTS (1ull << 61)

bool vpmu_bts_is_on(const struct vpmu_model *m)
{
	const uint64_t both = DEBUGCTL_TR | DEBUGCTL_BTS;

	return m->trace.exists && (m->regs.debugctl & both) == both;
}

bool vpmu_bts_is_on_in(const struct vpmu_model *m, enum vpmu_ring ring)
{
	return vpmu_bts_is_on(m) && !(m->regs.debugctl & (ring == VPMU_USR ? DEBUGCTL_BTS_OFF_USR
									   : DEBUGCTL_BTS_OFF_OS));
}

static bool read_buffer(const struct vpmu_model *m, const struct vpmu_memory *memory,
			struct bts_buffer *b)
{
	return memory->read(m->pebs.ds_area, b, sizeof(*b)) && b->index >= b->base;
}

static bool has_room(const struct bts_buffer *b)
{
	return b->index + sizeof(struct bts_record) <= b->maximum;
}

/* Without an interrupt the buffer is a ring. */
static void store_record(struct vpmu_model *m, const struct bts_record *r,
			 const struct vpmu_memory *memory)
{
	const bool interrupts = m->regs.debugctl & DEBUGCTL_BTINT;
	struct bts_buffer b;
	bool was_below;

	if (!read_buffer(m, memory, &b))
		return;
	if (!has_room(&b) && !interrupts)
		b.index = b.base;
	if (!has_room(&b) || !memory->write(b.index, r, sizeof(*r)))
		return;
	was_below = b.index < b.threshold;
	b.index += sizeof(*r);
	if (!interrupts && !has_room(&b))
		b.index = b.base;
	memory->write(m->pebs.ds_area + offsetof(struct bts_buffer, index), &b.index,
		      sizeof(b.index));
	if (interrupts && was_below && b.index >= b.threshold)
		m->pmi.pending |= PMI_OF_BTS;
}

void vpmu_bts_store(struct vpmu_model *m, const struct branch_logged *branch,
		    const struct vpmu_memory *memory)
{
	const struct bts_record r = {
		.from = branch_logged_from(branch),
		.to = branch->to,
		.flags = branch->from & LOGGED_MISPREDICTED ? 0 : BTS_PREDICTED,
	};

	store_record(m, &r, memory);
}

uint64_t vpmu_bts_room(const struct vpmu_model *m, const struct vpmu_memory *memory)
{
	struct bts_buffer b;

	if (!(m->regs.debugctl & DEBUGCTL_BTINT) || !read_buffer(m, memory, &b) ||
	    b.index >= b.threshold)
		return UINT64_MAX;
	return (b.threshold - b.index + sizeof(struct bts_record) - 1) / sizeof(struct bts_record);
}
