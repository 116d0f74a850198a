// SPDX-License-Identifier: BSD-2-Clause
/* branchtype.c - see branchtype.h. */
#include "lib/branchtype.h"

#define GROUP5 0xff
#define CALL   0xe8

struct row {
	uint8_t first, last;
	enum branch_type type;
};

static const struct row one_byte[] = {
	{0x70, 0x7f, BRANCH_TYPE_JCC},  {0xc2, 0xc3, BRANCH_TYPE_RET},
	{0xca, 0xcb, BRANCH_TYPE_RET},  {0xcc, 0xce, BRANCH_TYPE_INT},
	{0xcf, 0xcf, BRANCH_TYPE_IRET}, {0xe0, 0xe3, BRANCH_TYPE_JCC},
	{CALL, CALL, BRANCH_TYPE_CALL}, {0xe9, 0xe9, BRANCH_TYPE_JMP},
	{0xeb, 0xeb, BRANCH_TYPE_JMP},  {0xf1, 0xf1, BRANCH_TYPE_INT},
};

static const struct row two_byte[] = {
	{0x05, 0x05, BRANCH_TYPE_SYSCALL}, {0x07, 0x07, BRANCH_TYPE_SYSRET},
	{0x34, 0x34, BRANCH_TYPE_SYSCALL}, {0x35, 0x35, BRANCH_TYPE_SYSRET},
	{0x80, 0x8f, BRANCH_TYPE_JCC},
};

/* By the field of the ModRM byte. */
static const enum branch_type group5[8] = {
	[2] = BRANCH_TYPE_IND_CALL,
	[3] = BRANCH_TYPE_IND_CALL,
	[4] = BRANCH_TYPE_IND_JMP,
	[5] = BRANCH_TYPE_IND_JMP,
};

static enum branch_type find_type(const struct row *rows, size_t n, uint8_t opcode)
{
	for (size_t i = 0; i < n; i++)
		if (opcode >= rows[i].first && opcode <= rows[i].last)
			return rows[i].type;
	return BRANCH_TYPE_NONE;
}

#define FIND_TYPE(rows, opcode) find_type(rows, sizeof(rows) / sizeof(*(rows)), opcode)

/* A call over no distance goes to the next instruction. */
static bool is_zero_call(const struct insn *insn)
{
	return insn_is(insn, CALL) && insn->immediate_bytes && !insn->immediate;
}

enum branch_type branch_type_of(const struct insn *insn)
{
	if (!insn->opcode_bytes)
		return BRANCH_TYPE_NONE;
	if (is_zero_call(insn))
		return BRANCH_TYPE_ZERO_CALL;
	if (insn_is(insn, GROUP5))
		return insn->modrm_bytes ? group5[insn_field(insn)] : BRANCH_TYPE_NONE;
	return insn->opcode_bytes == 1 ? FIND_TYPE(one_byte, insn->opcode)
				       : FIND_TYPE(two_byte, insn->opcode);
}

enum branch_type branch_type(const uint8_t *code, size_t n)
{
	struct insn insn;

	insn_decode(&insn, code, n, 64);
	return branch_type_of(&insn);
}
