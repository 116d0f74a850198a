/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * apic_move.h - decodes the instructions by which software accesses registers of the local APIC:
 * MOV and XCHG of 32 bits between memory and a register, and MOV of a constant to memory. Pure, any
 * context.
 */
#ifndef VPMU_MODEL_APIC_MOVE_H
#define VPMU_MODEL_APIC_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct apic_move {
	bool loads, stores; /* XCHG does both */
	bool constant;      /* `value` is stored, else the register is */
	uint8_t gpr;        /* by its number in instructions: RAX, RCX, RDX, RBX, RSP, ... */
	uint32_t value;
};

/*
 * apic_move_decode() - decodes the instruction of 64-bit code at `code`, of which `n` bytes can be
 * read. False: it is another instruction.
 */
bool apic_move_decode(const uint8_t *code, size_t n, struct apic_move *move);

#endif
