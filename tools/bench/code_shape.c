// SPDX-License-Identifier: BSD-2-Clause
/* code_shape.c - see code_shape.h. */
#include "tools/bench/code_shape.h"

#include <errno.h>

#include <Zydis/Zydis.h>

static bool reads(const ZydisDecodedOperand *o)
{
	return o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
}

static bool writes(const ZydisDecodedOperand *o)
{
	return o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

/* Finds the number of the general register that contains `reg`; false: `reg` is of another kind. */
static bool general_number(ZydisRegister reg, unsigned *number)
{
	const ZydisRegister whole =
		ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return false;
	*number = (unsigned)(whole - ZYDIS_REGISTER_RAX);
	return true;
}

static void add_fixed(struct shape *s, const ZydisDecodedOperand *o)
{
	unsigned number;

	if (o->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return;
	if (ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_XMM)
		s->vector_fixed = true;
	if (!general_number(o->reg.value, &number))
		return;
	for (unsigned i = 0; i < s->nfixed; i++)
		if (s->fixed[i].number == number) {
			s->fixed[i].reads |= reads(o);
			s->fixed[i].writes |= writes(o);
			return;
		}
	if (s->nfixed < SHAPE_FIXED)
		s->fixed[s->nfixed++] = (struct shape_fixed){number, reads(o), writes(o)};
}

static unsigned real_bits(const ZydisDecodedOperand *o)
{
	switch (o->element_type) {
	case ZYDIS_ELEMENT_TYPE_FLOAT32:
		return 32;
	case ZYDIS_ELEMENT_TYPE_FLOAT64:
		return 64;
	default:
		return 0;
	}
}

static void add_operand(struct shape_operand *to, const ZydisDecodedOperand *o)
{
	to->is_address =
		o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type == ZYDIS_MEMOP_TYPE_AGEN;
	to->reads = reads(o) && !to->is_address;
	to->writes = writes(o) && !to->is_address;
	to->real_bits = real_bits(o);
}

static bool does_branch(const ZydisDecodedInstruction *insn)
{
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
		return true;
	default:
		return false;
	}
}

static void add_flags(struct shape *s, const ZydisDecodedInstruction *insn)
{
	const ZydisAccessedFlags *f = insn->cpu_flags;

	if (!f)
		return;
	s->reads_flags = f->tested & (ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF |
				      ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF);
	s->writes_flags = f->modified | f->set_0 | f->set_1 | f->undefined;
}

int shape_decode(struct shape *shape, const struct form *form, const uint8_t *code, size_t bytes)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;

	*shape = (struct shape){0};
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes, &insn, operands)))
		return -EINVAL;
	shape->is_known = insn.operand_count_visible == form->n;
	for (unsigned i = 0; i < insn.operand_count; i++) {
		const bool named = shape->is_known && i < form->n;

		if (named)
			add_operand(&shape->operand[i], &operands[i]);
		if (!named || form->operand[i].what == FORM_LITERAL)
			add_fixed(shape, &operands[i]);
	}
	add_flags(shape, &insn);
	shape->is_vex = insn.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
			insn.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
	shape->divides =
		insn.mnemonic == ZYDIS_MNEMONIC_DIV || insn.mnemonic == ZYDIS_MNEMONIC_IDIV;
	shape->branches = does_branch(&insn);
	return 0;
}
