/* SPDX-License-Identifier: BSD-2-Clause */
/* block_bound.h - the most that a block of instructions can add to a count, whatever its accesses
 * hit and wherever its branches go. Pure: without QEMU. */
#ifndef VPMU_PLUGIN_BLOCK_BOUND_H
#define VPMU_PLUGIN_BLOCK_BOUND_H

#include "vpmu/core/timed_core.h"
#include "vpmu/model/geometry.h"
#include "vpmu/plugin/insn_counts.h"

/* The contents of a block; or the maximum over several blocks. */
struct bound {
	uint32_t tally[TALLY_COUNTS];
	uint32_t accesses, bytes, branches;
	uint32_t uops, executed, cycles; /* with all accesses in L1 */
	uint32_t borders; /* line borders within its bytes: the exact number, or the most */
	bool is_fetched;  /* all of it is in the last fetched line */
};

/* bound_add() - adds an instruction of `size` bytes to the block; `timed`: its description for the
 * core in time, or NULL. */
void bound_add(struct bound *b, const struct decoded *d, size_t size,
	       const struct core_insn *timed);

/* bound_join() - `most` becomes the maximum of itself and `b`. */
void bound_join(struct bound *most, const struct bound *b);

/* bound_of() - the most that the block adds to `count`, including a branch before it whose target
 * only this block reveals. `g`: NULL without a model. bound_of_ahead(): the most that what is under
 * way for so many cycles adds to it. */
uint64_t bound_of(const struct bound *b, const struct geometry *g, enum events_count count);
uint64_t bound_of_ahead(uint64_t cycles, const struct geometry *g, enum events_count count);

#endif
