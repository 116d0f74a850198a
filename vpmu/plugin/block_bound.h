/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * block_bound.h - how much a block of instructions can add to a count at most, whatever its
 * accesses and branches meet. Pure: without QEMU.
 */
#ifndef VPMU_PLUGIN_BLOCK_BOUND_H
#define VPMU_PLUGIN_BLOCK_BOUND_H

#include "vpmu/plugin/insn_counts.h"

/* What a block has; or, of several blocks, the most of each. */
struct bound {
	uint32_t tally[TALLY_COUNTS];
	uint32_t accesses, bytes, branches, uops, busy;
	uint32_t borders; /* of lines, within its bytes; the most that there can be, or the very
			     ones */
	bool is_fetched;  /* all of it lies in the line that was fetched last */
};

/* bound_add() - the instruction of `size` bytes belongs to the block, too. */
void bound_add(struct bound *b, const struct decoded *d, size_t size, const struct geometry *g);

/* bound_join() - `most` becomes the most of itself and of `b`. */
void bound_join(struct bound *most, const struct bound *b);

/* bound_of() - what a block with that much adds to `count` at most; with one branch before it, of
 * which only its run tells where it went. `g` may be NULL, then there is no model. */
uint64_t bound_of(const struct bound *b, const struct geometry *g, enum events_count count);

#endif
