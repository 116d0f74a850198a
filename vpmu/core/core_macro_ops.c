// SPDX-License-Identifier: BSD-2-Clause
/* core_macro_ops.c - see core_macro_ops.h. */
#include "vpmu/core/core_macro_ops.h"

#include "vpmu/model/cores/core_key.h"

static bool names_memory(const ZydisDecodedOperand *o)
{
	return core_operand_kind(o) == CORE_MEMORY;
}

static bool names_vector(const ZydisDecodedOperand *o)
{
	const enum core_kind kind = core_operand_kind(o);

	return kind == CORE_MMX || kind == CORE_XMM || kind == CORE_YMM || kind == CORE_ZMM ||
	       kind == CORE_MASK;
}

static bool names_general(const ZydisDecodedOperand *o)
{
	const enum core_kind kind = core_operand_kind(o);

	return kind == CORE_R8 || kind == CORE_HIGH8 || kind == CORE_R16 || kind == CORE_R32 ||
	       kind == CORE_R64;
}

/* Whether one of the operands that are written in it is so. */
static bool names_any(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
		      bool (*is)(const ZydisDecodedOperand *))
{
	for (unsigned k = 0; k < i->operand_count_visible; k++)
		if (is(&o[k]))
			return true;
	return false;
}

/* Two, whatever their operands are. */
static bool is_double(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_COMISS:
	case ZYDIS_MNEMONIC_COMISD:
	case ZYDIS_MNEMONIC_UCOMISS:
	case ZYDIS_MNEMONIC_UCOMISD:
	case ZYDIS_MNEMONIC_VCOMISS:
	case ZYDIS_MNEMONIC_VCOMISD:
	case ZYDIS_MNEMONIC_VUCOMISS:
	case ZYDIS_MNEMONIC_VUCOMISD:
	case ZYDIS_MNEMONIC_KORTESTB:
	case ZYDIS_MNEMONIC_KORTESTW:
	case ZYDIS_MNEMONIC_KORTESTD:
	case ZYDIS_MNEMONIC_KORTESTQ:
	case ZYDIS_MNEMONIC_XCHG:
	case ZYDIS_MNEMONIC_XADD:
	case ZYDIS_MNEMONIC_MUL:
	case ZYDIS_MNEMONIC_MULX:
		return true;
	default:
		return false;
	}
}

/* From a vector register to a general one, or to memory. */
static bool is_single_from_vector(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_MOVD:
	case ZYDIS_MNEMONIC_MOVQ:
	case ZYDIS_MNEMONIC_VMOVD:
	case ZYDIS_MNEMONIC_VMOVQ:
	case ZYDIS_MNEMONIC_PMOVMSKB:
	case ZYDIS_MNEMONIC_VPMOVMSKB:
	case ZYDIS_MNEMONIC_MOVMSKPS:
	case ZYDIS_MNEMONIC_MOVMSKPD:
	case ZYDIS_MNEMONIC_VMOVMSKPS:
	case ZYDIS_MNEMONIC_VMOVMSKPD:
	case ZYDIS_MNEMONIC_KMOVB:
	case ZYDIS_MNEMONIC_KMOVW:
	case ZYDIS_MNEMONIC_KMOVD:
	case ZYDIS_MNEMONIC_KMOVQ:
		return true;
	default:
		return false;
	}
}

static bool stores_part(ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_MOVHPS:
	case ZYDIS_MNEMONIC_MOVHPD:
	case ZYDIS_MNEMONIC_VMOVHPS:
	case ZYDIS_MNEMONIC_VMOVHPD:
	case ZYDIS_MNEMONIC_PEXTRB:
	case ZYDIS_MNEMONIC_PEXTRW:
	case ZYDIS_MNEMONIC_PEXTRD:
	case ZYDIS_MNEMONIC_PEXTRQ:
	case ZYDIS_MNEMONIC_VPEXTRB:
	case ZYDIS_MNEMONIC_VPEXTRW:
	case ZYDIS_MNEMONIC_VPEXTRD:
	case ZYDIS_MNEMONIC_VPEXTRQ:
		return true;
	default:
		return false;
	}
}

static bool is_long_lea(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	return i->mnemonic == ZYDIS_MNEMONIC_LEA && core_lea_shape(&o[1].mem) == CORE_LEA_THREE;
}

static bool has_index(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	for (unsigned k = 0; k < i->operand_count_visible; k++)
		if (names_memory(&o[k]) && o[k].mem.index != ZYDIS_REGISTER_NONE)
			return true;
	return false;
}

static unsigned vector_ops(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			   const struct core_insn *insn, unsigned computes)
{
	const bool to_general = names_general(&o[0]);

	if (insn->stores)
		return stores_part(i->mnemonic) ? 2 : computes;
	if (to_general && is_single_from_vector(i->mnemonic))
		return 1;
	/* Without the prefix of AVX they merge with the rest of the register. */
	if (i->mnemonic == ZYDIS_MNEMONIC_VMOVD || i->mnemonic == ZYDIS_MNEMONIC_VMOVQ)
		return 1;
	if (to_general || names_any(i, o, names_general))
		return computes < 2 ? 2 : computes;
	return computes;
}

static unsigned general_ops(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			    const struct core_insn *insn, unsigned computes)
{
	const bool stack =
		i->meta.category == ZYDIS_CATEGORY_PUSH || i->meta.category == ZYDIS_CATEGORY_POP;
	unsigned wanted = 1;

	if (!names_any(i, o, names_memory))
		wanted =
			i->mnemonic == ZYDIS_MNEMONIC_IMUL && i->operand_count_visible == 1 ? 2 : 1;
	else if (stack || is_long_lea(i, o) || (insn->loads && insn->stores) ||
		 i->meta.category == ZYDIS_CATEGORY_CMOV || i->mnemonic == ZYDIS_MNEMONIC_BT)
		wanted = 2;
	else if (insn->stores || (insn->loads && computes))
		wanted = has_index(i, o) ? 2 : 1;
	return computes > wanted ? computes : wanted;
}

unsigned core_macro_ops(const struct core_insn *insn, const ZydisDecodedInstruction *i,
			const ZydisDecodedOperand *o, unsigned computes)
{
	unsigned n;

	if (names_any(i, o, names_vector))
		n = vector_ops(i, o, insn, computes);
	else
		n = general_ops(i, o, insn, computes);
	if (n < 2 && is_double(i->mnemonic))
		return 2;
	return n ? n : 1;
}
