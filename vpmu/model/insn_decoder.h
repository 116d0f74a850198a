/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn_decoder.h - what an instruction is about to do, as far as sampling hardware would report it:
 * its memory operand and where it branches. Pure: bytes and registers in, a struct vpmu_op out.
 *
 * Known are 64-bit code and its general-purpose instructions. Whatever else there is (x87, vectors,
 * far transfers) is reported as neither a load, a store nor a branch.
 */
#ifndef VPMU_MODEL_INSN_DECODER_H
#define VPMU_MODEL_INSN_DECODER_H

#include "vpmu/model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_CODE_MAX 15 /* bytes of the longest instruction */

/* The registers by their numbers in instructions: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, ...
 */
struct insn_registers {
	uint64_t rip;
	uint64_t gpr[16];
	uint64_t fs_base, gs_base;
};

struct insn_decoder {
	struct vpmu_op op;     /* but for `target` and `taken` */
	bool rip_relative;     /* `op.linear` is from the end of the instruction on */
	uint64_t fall_through; /* of a branch: the next instruction */
};

/*
 * insn_decode() - looks at the `n` bytes of `code` that stand at regs->rip. insn_completed() -
 * the same instruction has completed, and the next one is at `rip`.
 */
void insn_decode(struct insn_decoder *w, const uint8_t *code, size_t n,
		 const struct insn_registers *regs);
void insn_completed(struct insn_decoder *w, uint64_t rip);

#endif
