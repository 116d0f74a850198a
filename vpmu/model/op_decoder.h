/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * op_decoder.h - describes an instruction before it executes, as sampling hardware reports it: its
 * memory operand and its branch target. Pure: bytes and registers in, a struct vpmu_op out.
 *
 * It knows the general-purpose instructions of 64-bit code. Anything else (x87, vectors, far
 * transfers) is reported as neither a load, a store nor a branch.
 */
#ifndef VPMU_MODEL_OP_DECODER_H
#define VPMU_MODEL_OP_DECODER_H

#include "vpmu/model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers, by the numbers that instructions have for them: RAX, RCX, RDX, RBX, RSP, RBP, RSI,
 * RDI, R8, ... */
struct op_registers {
	uint64_t rip;
	uint64_t gpr[16];
	uint64_t fs_base, gs_base;
};

struct op_decoder {
	struct vpmu_op op;     /* without `target` and `taken` */
	uint64_t fall_through; /* the next instruction; 0: unknown */
};

/* op_decode() - describes the instruction in the `n` bytes of `code` at regs->rip. op_completed() -
 * that instruction has completed, and the next one is at `rip`. Any context. */
void op_decode(struct op_decoder *w, const uint8_t *code, size_t n,
	       const struct op_registers *regs);
void op_completed(struct op_decoder *w, uint64_t rip);

#endif
