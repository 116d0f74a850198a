// SPDX-License-Identifier: BSD-2-Clause
/* classify.c - see classify.h. */
#include "lib/classify.h"

#include "lib/branchtype.h"
#include "lib/insn.h"

#define OPCODE_MOVSREG 0x8e
#define OPCODE_PUSHF   0x9c
#define OPCODE_POPF    0x9d
#define OPCODE_RETF    0xcb
#define OPCODE_RETF_N  0xca
#define OPCODE_IRET    0xcf
#define OPCODE_GROUP5  0xff
#define SREG_SS        2

/* In group 5 the fields of far calls and jumps are odd. */
static bool is_far(const struct insn *insn)
{
	return insn_is(insn, OPCODE_RETF) || insn_is(insn, OPCODE_RETF_N) ||
	       (insn_is(insn, OPCODE_GROUP5) && insn_field(insn) & 1);
}

static enum insn_kind kind_of(const struct insn *insn)
{
	switch (branch_type_of(insn)) {
	case BRANCH_TYPE_JCC:
		return INSN_JCC;
	case BRANCH_TYPE_RET:
	case BRANCH_TYPE_IND_CALL:
	case BRANCH_TYPE_IND_JMP:
		return is_far(insn) ? INSN_FAR : INSN_INDIRECT;
	case BRANCH_TYPE_IRET:
		return INSN_FAR;
	case BRANCH_TYPE_SYSCALL:
	case BRANCH_TYPE_INT:
		return INSN_ENTER;
	default:
		return INSN_PLAIN;
	}
}

static uint8_t pushed_flags(const struct insn *insn)
{
	if (!insn_is(insn, OPCODE_PUSHF))
		return 0;
	return insn->prefixes & INSN_OPERAND_SIZE ? 2 : 8;
}

struct insn_flow insn_classify(const uint8_t *code, size_t n)
{
	struct insn insn;

	insn_decode(&insn, code, n, 64);
	if (!insn.length)
		return (struct insn_flow){.kind = INSN_PLAIN};
	return (struct insn_flow){
		.kind = (uint8_t)kind_of(&insn),
		.length = insn.length,
		.saves_flags = insn_is(&insn, OPCODE_PUSHF),
		.loads_flags = insn_is(&insn, OPCODE_POPF) || insn_is(&insn, OPCODE_IRET),
		.holds_traps = insn_is(&insn, OPCODE_MOVSREG) && insn_field(&insn) == SREG_SS,
		.flags_size = pushed_flags(&insn),
	};
}
