/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * witness.h - what an instruction is about to do, as far as sampling hardware would report it: its
 * memory operand and where it branches. Pure: bytes and registers in, a struct vpmu_op out.
 *
 * Known are 64-bit code and its general-purpose instructions. Whatever else there is (x87, vectors,
 * far transfers) is reported as neither a load, a store nor a branch.
 */
#ifndef VPMU_MODEL_WITNESS_H
#define VPMU_MODEL_WITNESS_H

#include "vpmu/model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers by their numbers in instructions: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, ...
 */
struct witness_regs {
	uint64_t rip;
	uint64_t gpr[16];
	uint64_t fs_base, gs_base;
};

struct witness {
	struct vpmu_op op;     /* but for `target` and `taken` */
	uint64_t fall_through; /* the next instruction; 0: it is not known */
};

/*
 * witness_before() - looks at the `n` bytes of `code` that stand at regs->rip. witness_after() -
 * the same instruction has completed, and the next one is at `rip`.
 */
void witness_before(struct witness *w, const uint8_t *code, size_t n,
		    const struct witness_regs *regs);
void witness_after(struct witness *w, uint64_t rip);

#endif
