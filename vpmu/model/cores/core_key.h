// SPDX-License-Identifier: BSD-2-Clause
/*
 * The key of an instruction's form: 32 bits that say what decides its execution. Two instructions
 * with one key differ in registers, addresses and values alone. The tables of the cores have a row
 * for each key.
 *
 *   31      21 20    17 16    14 13   10 9     6 5     2 1      0
 *   mnemonic   encoding detail   kinds of operands 0, 1, 2, fourth
 *
 * Mnemonics are the numbers of Zydis 4.0 (core_number.h); CORE_KEY_ZYDIS says whether another
 * Zydis has them all. Registers of masks ({k1}) are no operands here; the encoding says whether
 * there is one.
 */
#ifndef PERF0_VPMU_MODEL_CORES_CORE_KEY_H
#define PERF0_VPMU_MODEL_CORES_CORE_KEY_H

#include <stdbool.h>
#include <stdint.h>
#include <Zydis/Zydis.h>
#include "vpmu/model/cores/core_number.h"

#define CORE_KEY_ZYDIS                                                                        \
	CORE_NUMBER(ZYDIS_MNEMONIC_MAX_VALUE) /* the tables note it; another value is another \
						 numbering */

enum core_encoding {
	CORE_LEGACY,
	CORE_LOCK,
	CORE_REP,
	CORE_VEX,
	CORE_XOP,  /* and 3DNow! */
	CORE_EVEX, /* + 1 with a mask that merges, + 2 with one that zeroes */
	CORE_EVEX_BROADCAST = CORE_EVEX + 3,
};

/* The kind of an operand. 0: there is none. */
enum core_kind {
	CORE_R8 = 1,
	CORE_HIGH8, /* ah, bh, ch, dh */
	CORE_R16,
	CORE_R32,
	CORE_R64,
	CORE_XMM,
	CORE_YMM,
	CORE_ZMM,
	CORE_MASK,
	CORE_MMX,
	CORE_X87,
	CORE_SYSTEM, /* the detail says which registers */
	CORE_MEMORY, /* the detail says its size */
	CORE_IMMEDIATE,
	CORE_ONE, /* the 1 of a shift's short form */
};

enum core_fourth {
	CORE_FOURTH_NONE,
	CORE_FOURTH_REGISTER,
	CORE_FOURTH_MEMORY,
	CORE_FOURTH_IMMEDIATE
};

/* The detail: a size of memory in bits, system registers, an immediate of 0 (ADC, SBB), or LEA's
 * shape. */
enum core_detail {
	CORE_NO_DETAIL = 0,
	CORE_M8 = 0,
	CORE_M16,
	CORE_M32,
	CORE_M64,
	CORE_M80, /* and 48: far pointers */
	CORE_M128,
	CORE_M256,
	CORE_M512, /* and all other sizes */
	CORE_SEGMENT = 0,
	CORE_CONTROL,
	CORE_DEBUG,
	CORE_OTHER_SYSTEM,
	CORE_ZERO = 1,
	CORE_LEA_PLAIN = 0, /* one register, or one with a displacement, or a displacement alone */
	CORE_LEA_TWO,       /* a base and an index */
	CORE_LEA_SCALED,    /* an index with a scale, with a displacement or without */
	CORE_LEA_TWO_SCALED,
	CORE_LEA_THREE, /* a base, an index and a displacement */
	CORE_LEA_RIP,
};

#define CORE_KEY(mnemonic, encoding, detail, k0, k1, k2, fourth)                              \
	((uint32_t)(mnemonic) << 21 | (uint32_t)(encoding) << 17 | (uint32_t)(detail) << 14 | \
	 (uint32_t)(k0) << 10 | (uint32_t)(k1) << 6 | (uint32_t)(k2) << 2 | (uint32_t)(fourth))

static inline enum core_kind core_register_kind(ZydisRegister reg)
{
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR8:
		return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH ? CORE_HIGH8 : CORE_R8;
	case ZYDIS_REGCLASS_GPR16:
		return CORE_R16;
	case ZYDIS_REGCLASS_GPR32:
		return CORE_R32;
	case ZYDIS_REGCLASS_GPR64:
		return CORE_R64;
	case ZYDIS_REGCLASS_X87:
		return CORE_X87;
	case ZYDIS_REGCLASS_MMX:
		return CORE_MMX;
	case ZYDIS_REGCLASS_XMM:
		return CORE_XMM;
	case ZYDIS_REGCLASS_YMM:
		return CORE_YMM;
	case ZYDIS_REGCLASS_ZMM:
		return CORE_ZMM;
	case ZYDIS_REGCLASS_MASK:
		return CORE_MASK;
	default:
		return CORE_SYSTEM;
	}
}

static inline enum core_kind core_operand_kind(const ZydisDecodedOperand *operand)
{
	switch (operand->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		return core_register_kind(operand->reg.value);
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return CORE_MEMORY;
	default:
		return operand->visibility == ZYDIS_OPERAND_VISIBILITY_IMPLICIT ? CORE_ONE
										: CORE_IMMEDIATE;
	}
}

static inline enum core_fourth core_fourth_kind(const ZydisDecodedOperand *operand)
{
	switch (operand->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		return CORE_FOURTH_REGISTER;
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return CORE_FOURTH_MEMORY;
	default:
		return CORE_FOURTH_IMMEDIATE;
	}
}

static inline uint32_t core_encoding_of(const ZydisDecodedInstruction *insn)
{
	switch (insn->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
		return CORE_VEX;
	case ZYDIS_INSTRUCTION_ENCODING_XOP:
	case ZYDIS_INSTRUCTION_ENCODING_3DNOW:
		return CORE_XOP;
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		return (insn->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID &&
					!insn->avx.broadcast.is_static
				? CORE_EVEX_BROADCAST
				: CORE_EVEX) +
		       (insn->avx.mask.mode <= ZYDIS_MASK_MODE_DISABLED ? 0
			: insn->avx.mask.mode == ZYDIS_MASK_MODE_ZEROING ||
					insn->avx.mask.mode == ZYDIS_MASK_MODE_CONTROL_ZEROING
				? 2
				: 1);
	default:
		if (insn->attributes &
		    (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE))
			return CORE_REP;
		/* XCHG with memory locks without the prefix. */
		return insn->attributes & ZYDIS_ATTRIB_HAS_LOCK &&
				       insn->mnemonic != ZYDIS_MNEMONIC_XCHG
			       ? CORE_LOCK
			       : CORE_LEGACY;
	}
}

static inline enum core_detail core_lea_shape(const ZydisDecodedOperandMem *mem)
{
	const bool scaled = mem->index != ZYDIS_REGISTER_NONE && mem->scale > 1;

	if (mem->base == ZYDIS_REGISTER_RIP || mem->base == ZYDIS_REGISTER_EIP)
		return CORE_LEA_RIP;
	if (mem->base != ZYDIS_REGISTER_NONE && mem->index != ZYDIS_REGISTER_NONE)
		return mem->disp.has_displacement ? CORE_LEA_THREE
		       : scaled                   ? CORE_LEA_TWO_SCALED
						  : CORE_LEA_TWO;
	return scaled ? CORE_LEA_SCALED : CORE_LEA_PLAIN;
}

static inline enum core_detail core_memory_size(unsigned bits)
{
	switch (bits) {
	case 8:
		return CORE_M8;
	case 16:
		return CORE_M16;
	case 32:
		return CORE_M32;
	case 64:
		return CORE_M64;
	case 48:
	case 80:
		return CORE_M80;
	case 128:
		return CORE_M128;
	case 256:
		return CORE_M256;
	default:
		return CORE_M512;
	}
}

static inline enum core_detail core_system_register(ZydisRegister reg)
{
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_SEGMENT:
		return CORE_SEGMENT;
	case ZYDIS_REGCLASS_CONTROL:
		return CORE_CONTROL;
	case ZYDIS_REGCLASS_DEBUG:
		return CORE_DEBUG;
	default:
		return CORE_OTHER_SYSTEM;
	}
}

/* The detail that one operand gives; 0 where it gives none. */
static inline enum core_detail core_detail_of(const ZydisDecodedInstruction *insn,
					      const ZydisDecodedOperand *operand)
{
	const enum core_kind kind = core_operand_kind(operand);

	if (kind == CORE_MEMORY)
		return insn->mnemonic == ZYDIS_MNEMONIC_LEA ? core_lea_shape(&operand->mem)
							    : core_memory_size(operand->size);
	if (kind == CORE_SYSTEM)
		return core_system_register(operand->reg.value);
	if (kind == CORE_IMMEDIATE &&
	    (insn->mnemonic == ZYDIS_MNEMONIC_ADC || insn->mnemonic == ZYDIS_MNEMONIC_SBB))
		return operand->imm.value.u ? CORE_NO_DETAIL : CORE_ZERO;
	return CORE_NO_DETAIL;
}

/*
 * Returns the key of a decoded instruction. `operands` has at least the visible ones, in Zydis'
 * order. Any context: it only reads its arguments.
 */
static inline uint32_t core_key(const ZydisDecodedInstruction *insn,
				const ZydisDecodedOperand *operands)
{
	uint32_t kinds[3] = {0}, fourth = CORE_FOURTH_NONE, detail = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < insn->operand_count_visible && n < 4; i++) {
		const ZydisDecodedOperand *operand = &operands[i];

		if (operand->encoding == ZYDIS_OPERAND_ENCODING_MASK)
			continue;
		detail |= core_detail_of(insn, operand);
		if (n < 3)
			kinds[n] = core_operand_kind(operand);
		else
			fourth = core_fourth_kind(operand);
		n++;
	}
	return CORE_KEY(core_number((int)insn->mnemonic), core_encoding_of(insn), detail, kinds[0],
			kinds[1], kinds[2], fourth);
}

#endif
