// SPDX-License-Identifier: BSD-2-Clause
/* test_branchtype.c - kinds of branches, by the bytes of their instructions. */
#include "lib/branchtype.h"

#include <string.h>

#include "tests/unit/test.h"

static const struct {
	uint8_t n;
	uint8_t code[8];
	enum branch_type type;
} cases[] = {
	{2, {0x74, 0x05}, BRANCH_TYPE_JCC},
	{2, {0x7f, 0x05}, BRANCH_TYPE_JCC},
	{2, {0xe2, 0x05}, BRANCH_TYPE_JCC}, /* LOOP */
	{2, {0xe3, 0x05}, BRANCH_TYPE_JCC}, /* JRCXZ */
	{6, {0x0f, 0x85, 1, 0, 0, 0}, BRANCH_TYPE_JCC},
	{2, {0xeb, 0x05}, BRANCH_TYPE_JMP},
	{5, {0xe9, 1, 0, 0, 0}, BRANCH_TYPE_JMP},
	{6, {0x3e, 0xe9, 1, 0, 0, 0}, BRANCH_TYPE_JMP},
	{5, {0xe8, 1, 0, 0, 0}, BRANCH_TYPE_CALL},
	{5, {0xe8, 0, 0, 0, 1}, BRANCH_TYPE_CALL},
	{5, {0xe8, 0, 0, 0, 0}, BRANCH_TYPE_ZERO_CALL},
	{4, {0xe8, 0, 0, 0}, BRANCH_TYPE_CALL}, /* cut off */
	{2, {0xff, 0xd0}, BRANCH_TYPE_IND_CALL},
	{3, {0x41, 0xff, 0xd4}, BRANCH_TYPE_IND_CALL},
	{6, {0xff, 0x15, 0, 0, 0, 0}, BRANCH_TYPE_IND_CALL},
	{3, {0x48, 0xff, 0x18}, BRANCH_TYPE_IND_CALL}, /* far */
	{2, {0xff, 0xe0}, BRANCH_TYPE_IND_JMP},
	{3, {0xf2, 0xff, 0xe0}, BRANCH_TYPE_IND_JMP},
	{6, {0xff, 0x2d, 0, 0, 0, 0}, BRANCH_TYPE_IND_JMP}, /* far */
	{1, {0xc3}, BRANCH_TYPE_RET},
	{2, {0xf3, 0xc3}, BRANCH_TYPE_RET},
	{3, {0xc2, 8, 0}, BRANCH_TYPE_RET},
	{1, {0xcb}, BRANCH_TYPE_RET},
	{2, {0x0f, 0x05}, BRANCH_TYPE_SYSCALL},
	{2, {0x0f, 0x34}, BRANCH_TYPE_SYSCALL},
	{3, {0x48, 0x0f, 0x07}, BRANCH_TYPE_SYSRET},
	{2, {0x0f, 0x35}, BRANCH_TYPE_SYSRET},
	{1, {0xcc}, BRANCH_TYPE_INT},
	{2, {0xcd, 0x80}, BRANCH_TYPE_INT},
	{2, {0x48, 0xcf}, BRANCH_TYPE_IRET},
	{1, {0x90}, BRANCH_TYPE_NONE},
	{2, {0xff, 0xc0}, BRANCH_TYPE_NONE}, /* INC */
	{2, {0xff, 0xf0}, BRANCH_TYPE_NONE}, /* PUSH */
	{2, {0x0f, 0x0b}, BRANCH_TYPE_NONE}, /* UD2 */
	{1, {0x0f}, BRANCH_TYPE_NONE},
	{1, {0xff}, BRANCH_TYPE_NONE},
	{2, {0x66, 0x48}, BRANCH_TYPE_NONE},
	{0, {0}, BRANCH_TYPE_NONE},
};

TEST(test_types)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (branch_type(cases[i].code, cases[i].n) != cases[i].type)
			fail_msg("case %zu: %x", i, branch_type(cases[i].code, cases[i].n));
}

/* The decoder reads neither beyond the given bytes nor beyond the longest instruction. */
TEST(test_prefixes)
{
	uint8_t code[32];

	memset(code, 0x66, sizeof(code));
	code[INSN_MAX_BYTES] = 0xc3;
	assert_int_equal(branch_type(code, sizeof(code)), BRANCH_TYPE_NONE);
	code[INSN_MAX_BYTES - 1] = 0xc3;
	assert_int_equal(branch_type(code, sizeof(code)), BRANCH_TYPE_RET);
	assert_int_equal(branch_type(code, INSN_MAX_BYTES - 1), BRANCH_TYPE_NONE);
}
