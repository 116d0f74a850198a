/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_records.h - the last branches of a CPU, as vpmu and QEMU's plugin keep them together: vpmu
 * says which ones before a run, the plugin adds those that the guest takes in it, and vpmu those
 * that it emulates. How registers show them is the model's (vpmu/model/model_branch.c).
 *
 * The guest may write a stack in the page: its members hold any bytes, and are no `bool`.
 *
 * Any context; a stack belongs to one of the two at a time.
 */
#ifndef PERF0_BRANCH_RECORDS_H
#define PERF0_BRANCH_RECORDS_H

#include <stdint.h>

/* In the order of the bits of MSR_LBR_SELECT. */
enum branch_kind {
	BRANCH_KIND_JCC,
	BRANCH_KIND_REL_CALL,
	BRANCH_KIND_IND_CALL,
	BRANCH_KIND_RETURN,
	BRANCH_KIND_IND_JUMP,
	BRANCH_KIND_REL_JUMP,
	BRANCH_KIND_FAR, /* also interrupts, exceptions, and what returns from them */
	BRANCH_KINDS
};

#define BRANCH_RECORDS 32 /* the most */

/* What is told of a branch beside its addresses: layout as in IA32_LBR_x_INFO, the type being enum
 * branch_kind. */
#define BRANCH_MISPREDICTED  (1ull << 63)
#define BRANCH_TIMED         (1ull << 60) /* cycles are told */
#define BRANCH_KIND_SHIFT    56
#define BRANCH_KIND_OF(info) ((enum branch_kind)((info) >> BRANCH_KIND_SHIFT & 0xf))
#define BRANCH_CYCLES        0xffffull

struct branch_record {
	uint64_t from, to; /* linear addresses; 0, 0: none */
	uint64_t info;
};

struct branch_stack {
	uint8_t depth;  /* 8, 16 or 32 */
	uint8_t newest; /* its index; older ones stand below, modulo the depth */
	uint8_t calls;  /* a return takes the newest away: what is left are the callers */
	uint8_t on;     /* branches of the guest are told to the plugin */
	/* By 1 << enum branch_kind: those that are recorded in the ring in which the guest runs,
	 * and in the one in which it has stopped. */
	uint8_t wanted, wanted_then;
	uint8_t enters; /* no code of this run has been seen yet: it goes on at */
	uint8_t reserved7;
	uint64_t enters_at;
	uint64_t enters_from; /* where it does not, an event was delivered, that came there */
	struct branch_record record[BRANCH_RECORDS];
};
_Static_assert(sizeof(struct branch_stack) == 24 + 24 * BRANCH_RECORDS, "layout");

/* branch_stack_add() - one that was taken. The guest may write a stack in the page: each index is
 * read once and masked. */
static inline void branch_stack_add(struct branch_stack *s, enum branch_kind kind,
				    struct branch_record r)
{
	const uint8_t mask = (uint8_t)(s->depth - 1) & (BRANCH_RECORDS - 1);
	const uint8_t newest = s->newest & mask;

	if (!(s->wanted >> kind & 1))
		return;
	if (s->calls && kind == BRANCH_KIND_RETURN) {
		s->record[newest] = (struct branch_record){0};
		s->newest = (uint8_t)(newest - 1) & mask;
		return;
	}
	r.info |= (uint64_t)kind << BRANCH_KIND_SHIFT;
	s->newest = (uint8_t)(newest + 1) & mask;
	s->record[(uint8_t)(newest + 1) & mask] = r;
}

/* branch_stack_take() - what is at `page` into `s`, which keeps its own depth and ways. */
static inline void branch_stack_take(struct branch_stack *s, const struct branch_stack *page)
{
	const uint8_t depth = s->depth;
	const uint8_t calls = s->calls;

	*s = *page;
	s->depth = depth;
	s->calls = calls;
	s->newest = depth ? s->newest & (uint8_t)(depth - 1) : 0;
}

/* branch_stack_at() - number `n` from the newest one, which is 0. */
static inline struct branch_record *branch_stack_at(struct branch_stack *s, unsigned n)
{
	return &s->record[(s->newest - n) & (s->depth - 1)];
}

#endif
