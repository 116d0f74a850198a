// SPDX-License-Identifier: BSD-2-Clause
/* branchtype.c - see branchtype.h. */
#include "lib/branchtype.h"

#include "lib/string.h"

#include <stdbool.h>

#define ESCAPE 0x0f
#define GROUP5 0xff
#define REX    0x40 /* 0x40 to 0x4f */
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

static bool is_branch_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = {0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x26,
					   0x2e, 0x36, 0x3e, 0x64, 0x65};

	for (size_t i = 0; i < sizeof(prefixes); i++)
		if (prefixes[i] == byte)
			return true;
	return (byte & 0xf0) == REX;
}

static enum branch_type find_type(const struct row *rows, size_t n, uint8_t opcode)
{
	for (size_t i = 0; i < n; i++)
		if (opcode >= rows[i].first && opcode <= rows[i].last)
			return rows[i].type;
	return BRANCH_TYPE_NONE;
}

/* Its distance follows; 0: it goes nowhere but on. */
static enum branch_type call_type(const uint8_t *distance, size_t n)
{
	static const uint8_t none[4] = {0};

	return n >= sizeof(none) && !memcmp(distance, none, sizeof(none)) ? BRANCH_TYPE_ZERO_CALL
									  : BRANCH_TYPE_CALL;
}

enum branch_type branch_type(const uint8_t *code, size_t n)
{
	size_t at = 0;
	uint8_t opcode;

	if (n > BRANCH_TYPE_BYTES)
		n = BRANCH_TYPE_BYTES;
	while (at < n && is_branch_prefix(code[at]))
		at++;
	if (at == n)
		return BRANCH_TYPE_NONE;
	opcode = code[at++];
	if (opcode == CALL)
		return call_type(code + at, n - at);
	if (opcode != ESCAPE && opcode != GROUP5)
		return find_type(one_byte, sizeof(one_byte) / sizeof(one_byte[0]), opcode);
	if (at == n)
		return BRANCH_TYPE_NONE;
	if (opcode == GROUP5)
		return group5[code[at] >> 3 & 7];
	return find_type(two_byte, sizeof(two_byte) / sizeof(two_byte[0]), code[at]);
}
