/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn_decoder.h - decodes an instruction before it executes, as far as sampling hardware reports
 * it: its memory operand and its branch target. Pure: bytes and registers in, a struct vpmu_op out.
 *
 * It knows the general-purpose instructions of 64-bit code. Anything else (x87, vectors, far
 * transfers) is reported as neither a load, a store nor a branch.
 */
#ifndef VPMU_MODEL_INSN_DECODER_H
#define VPMU_MODEL_INSN_DECODER_H

#include "vpmu/model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_CODE_MAX 15 /* bytes of the longest instruction */

/* The registers, by the numbers that instructions have for them: RAX, RCX, RDX, RBX, RSP, RBP, RSI,
 * RDI, R8, ... */
struct insn_registers {
	uint64_t rip;
	uint64_t gpr[16];
	uint64_t fs_base, gs_base;
};

struct insn_decoder {
	struct vpmu_op op;     /* without `target` and `taken` */
	bool rip_relative;     /* `op.linear` is relative to the end of the instruction */
	uint64_t fall_through; /* the instruction behind a branch */
};

/* insn_decode_op() - decodes the `n` bytes of `code` at regs->rip. insn_completed() - that
 * instruction has completed, and the next one is at `rip`. Any context. */
void insn_decode_op(struct insn_decoder *w, const uint8_t *code, size_t n,
		    const struct insn_registers *regs);
void insn_completed(struct insn_decoder *w, uint64_t rip);

#endif
