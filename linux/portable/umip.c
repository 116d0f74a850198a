// SPDX-License-Identifier: BSD-2-Clause
/* umip.c - see umip.h. SDM vol. 2, the pages of the instructions. */
#include "linux/portable/umip.h"

#include "lib/insn_decode.h"
#include "lib/string.h"

/* Bases of the tables, and CR0 with PE, MP, ET and NE: the constants that Linux returns. */
#define DUMMY_GDT 0xfffffffffffe0000ull
#define DUMMY_IDT 0xffffffffffff0000ull
#define DUMMY_CR0 0x33ull

static uint64_t *reg_of(struct trap_frame *f, unsigned n)
{
	uint64_t *const regs[] = {&f->rax, &f->rcx, &f->rdx, &f->rbx, &f->rsp, &f->rbp,
				  &f->rsi, &f->rdi, &f->r8,  &f->r9,  &f->r10, &f->r11,
				  &f->r12, &f->r13, &f->r14, &f->r15};

	return regs[n & 15];
}

static uint64_t operand_address(const struct insn *insn, struct trap_frame *regs)
{
	uint64_t gpr[16];

	for (unsigned i = 0; i < 16; i++)
		gpr[i] = *reg_of(regs, i);
	return insn_address(insn, gpr, regs->rip);
}

enum which { SLDT, STR, SGDT, SIDT, SMSW, NONE };

static enum which find_instruction(const struct insn *insn)
{
	const unsigned field = insn_field(insn);

	if (insn_is_0f(insn, 0x00))
		return field == 0 ? SLDT : field == 1 ? STR : NONE;
	if (!insn_is_0f(insn, 0x01))
		return NONE;
	if (field == 4)
		return SMSW;
	return !insn_has_memory(insn) ? NONE : field == 0 ? SGDT : field == 1 ? SIDT : NONE;
}

/* The value is limit 0 and the base of a table, or selector 0, or the machine status word. */
static void set_value(struct umip_store *s, enum which which)
{
	const uint64_t base = which == SGDT ? DUMMY_GDT : DUMMY_IDT, word = DUMMY_CR0;

	memset(s->value, 0, sizeof(s->value));
	if (which == SGDT || which == SIDT)
		memcpy(s->value + 2, &base, sizeof(base));
	else if (which == SMSW)
		memcpy(s->value, &word, sizeof(word));
}

static unsigned operand_bytes(const struct insn *insn, enum which which)
{
	if (which == SGDT || which == SIDT)
		return UMIP_MOST;
	if (insn_has_memory(insn))
		return 2;
	return insn->rex & INSN_REX_W ? 8 : insn->prefixes & INSN_OPERAND_SIZE ? 2 : 4;
}

bool umip_decode(const uint8_t *code, size_t n, struct trap_frame *regs, struct umip_store *store)
{
	struct insn insn;
	enum which which;

	insn_decode(&insn, code, n, 64);
	which = find_instruction(&insn);
	if (!insn.length || insn.prefixes & ~INSN_OPERAND_SIZE || which == NONE)
		return false;
	*store = (struct umip_store){
		.length = insn.length,
		.bytes = (uint8_t)operand_bytes(&insn, which),
	};
	if (insn_has_memory(&insn))
		store->address = operand_address(&insn, regs);
	else
		store->reg = reg_of(regs, insn_rm(&insn));
	set_value(store, which);
	return true;
}
