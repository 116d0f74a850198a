/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn_decode.h - decodes one instruction of 16-, 32- or 64-bit code: prefixes, opcode, ModRM, SIB,
 * displacement, immediate, and so its length. AMD APM vol. 3, "Instruction Encoding"; SDM vol. 2,
 * "Instruction Format" and appendix A, "Opcode Map".
 *
 * The decoder covers the one-byte opcodes and the two-byte ones (0F). It gives no length for the
 * other maps (0F 38, 0F 3A, VEX, EVEX, XOP), for LES, LDS and BOUND, which share a first byte with
 * VEX and EVEX, and for 0F 78. It does not check that a CPU accepts the instruction.
 *
 * All functions are pure and run in any context.
 */
#ifndef LIB_INSN_DECODE_H
#define LIB_INSN_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSN_MAX_BYTES 15 /* length of the longest instruction */
#define INSN_ESCAPE    0x0f

/* Prefixes, one bit each. */
enum insn_prefix {
	INSN_OPERAND_SIZE = 1 << 0, /* 66 */
	INSN_ADDRESS_SIZE = 1 << 1, /* 67 */
	INSN_LOCK = 1 << 2,
	INSN_REPNE = 1 << 3, /* only the last of REP and REPNE is set */
	INSN_REP = 1 << 4,
	INSN_FS = 1 << 5, /* only the last of FS and GS is set */
	INSN_GS = 1 << 6,
	INSN_SEGMENT = 1 << 7, /* ES, CS, SS or DS, which 64-bit code ignores */
};

enum insn_rex { INSN_REX_B = 1, INSN_REX_X = 2, INSN_REX_R = 4, INSN_REX_W = 8 };

/* The decoder fills the fields up to the first byte that is missing, and leaves the others 0. */
struct insn {
	uint8_t length;             /* bytes; 0: unknown, or a byte is missing */
	uint8_t start;              /* bytes of prefixes, which stand before the opcode */
	uint8_t prefixes;           /* enum insn_prefix */
	uint8_t rex;                /* enum insn_rex; 0 unless REX stands right before the opcode */
	uint8_t opcode_bytes;       /* 1; 2: INSN_ESCAPE and `opcode`; 0: no opcode */
	uint8_t opcode;             /* last byte of the opcode */
	uint8_t modrm, sib;         /* 0 where there is none */
	uint8_t modrm_bytes;        /* bytes of ModRM and SIB together: 0, 1, 2 */
	uint8_t displacement_bytes; /* 0, 1, 2, 4 */
	uint8_t immediate_bytes;    /* 0 to 8, also of an address in the place of an immediate */
	int32_t displacement;
	uint64_t immediate; /* not sign-extended */
};

/*
 * insn_decode() - decodes the instruction at `code`, of which `n` bytes can be read. `bits` is the
 * size of the code: 16, 32 or 64.
 */
void insn_decode(struct insn *insn, const uint8_t *code, size_t n, unsigned bits);

/*
 * insn_is() - true where the opcode is the one byte `opcode`.
 * insn_is_0f() - true where the opcode is 0F and `opcode`.
 */
static inline bool insn_is(const struct insn *insn, uint8_t opcode)
{
	return insn->opcode_bytes == 1 && insn->opcode == opcode;
}

static inline bool insn_is_0f(const struct insn *insn, uint8_t opcode)
{
	return insn->opcode_bytes == 2 && insn->opcode == opcode;
}

/* insn_one_byte() - the opcode of one byte; INSN_ESCAPE: there is none, or it has two bytes. */
static inline uint8_t insn_one_byte(const struct insn *insn)
{
	return insn->opcode_bytes == 1 ? insn->opcode : INSN_ESCAPE;
}

/*
 * insn_field() - ModRM.reg without REX, which is part of the opcode in some instructions.
 * insn_reg(), insn_rm() - the numbers of the general registers in ModRM.reg and ModRM.rm, from 0 to
 * 15: RAX, RCX, RDX, RBX, RSP, ...
 */
static inline unsigned insn_field(const struct insn *insn)
{
	return insn->modrm >> 3 & 7;
}

static inline unsigned insn_reg(const struct insn *insn)
{
	return insn_field(insn) | (insn->rex & INSN_REX_R ? 8 : 0);
}

static inline unsigned insn_rm(const struct insn *insn)
{
	return (insn->modrm & 7) | (insn->rex & INSN_REX_B ? 8 : 0);
}

/* insn_has_memory() - true where ModRM names memory, not a register. */
static inline bool insn_has_memory(const struct insn *insn)
{
	return insn->modrm_bytes && insn->modrm < 0xc0;
}

/*
 * insn_address() - the offset of ModRM's memory operand in its segment, in 64-bit code. `gpr` has
 * the general registers by their numbers. `rip` is the address of the instruction. The length of
 * the instruction must be known.
 */
uint64_t insn_address(const struct insn *insn, const uint64_t gpr[16], uint64_t rip);

#endif
