/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_records.h - the last branches of a CPU, which vpmu and QEMU's plugin record together.
 * Before a run vpmu sets the kinds to record. The plugin adds the branches of the guest in the run,
 * and vpmu adds the branches that it emulates. The model presents them in registers
 * (vpmu/model/model_branch.c).
 *
 * The guest may write to a stack in the page. So the members may hold any bytes, and none is a
 * `bool`.
 *
 * Any context. At any time either vpmu or the plugin uses a stack, never both.
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
	BRANCH_KIND_FAR, /* also interrupts, exceptions, and returns from them */
	BRANCH_KINDS
};

#define BRANCH_RECORDS 32 /* the largest depth */

/*
 * Facts of a branch beside its addresses. The layout is that of IA32_LBR_x_INFO, with enum
 * branch_kind as the type.
 */
#define BRANCH_MISPREDICTED  (1ull << 63)
#define BRANCH_TIMED         (1ull << 60) /* the cycles are valid */
#define BRANCH_KIND_SHIFT    56
#define BRANCH_KIND_OF(info) ((enum branch_kind)((info) >> BRANCH_KIND_SHIFT & 0xf))
#define BRANCH_CYCLES        0xffffull

struct branch_record {
	uint64_t from, to; /* linear addresses; both 0: empty */
	uint64_t info;
};

struct branch_stack {
	uint8_t depth;  /* 8, 16 or 32 */
	uint8_t newest; /* index of the newest record; older ones lie below, modulo the depth */
	uint8_t calls;  /* call-stack mode: a return removes the newest call */
	uint8_t on;     /* the plugin records the guest's branches */
	/*
	 * Kinds to record, as bits by enum branch_kind: during a run, by the ring in which the run
	 * began; and after it, by the ring in which the guest has stopped.
	 */
	uint8_t wanted, wanted_then;
	uint8_t enters; /* 1: no code of this run has executed yet; it should start at enters_at */
	uint8_t reserved7;
	uint64_t enters_at;
	uint64_t enters_from; /* if it starts elsewhere, an event was delivered from here */
	struct branch_record record[BRANCH_RECORDS];
};
_Static_assert(sizeof(struct branch_stack) == 24 + 24 * BRANCH_RECORDS, "layout");

/*
 * branch_stack_add() - records a taken branch. The guest may write to a stack in the page, so each
 * index is read once and masked.
 */
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

/* branch_stack_take() - copies the stack at `page` to `s`, which keeps its own depth and mode. */
static inline void branch_stack_take(struct branch_stack *s, const struct branch_stack *page)
{
	const uint8_t depth = s->depth;
	const uint8_t calls = s->calls;

	*s = *page;
	s->depth = depth;
	s->calls = calls;
	s->newest = depth ? s->newest & (uint8_t)(depth - 1) : 0;
}

/* branch_stack_at() - record number `n`, counted from the newest one, which is 0. */
static inline struct branch_record *branch_stack_at(struct branch_stack *s, unsigned n)
{
	return &s->record[(s->newest - n) & (s->depth - 1)];
}

#endif
