// SPDX-License-Identifier: BSD-2-Clause
/* classify.c - see classify.h. Prefixes, then rows of opcodes. */
#include "lib/classify.h"

#define PREFIX_OPERAND 0x66
#define PREFIX_ADDRESS 0x67
#define PREFIX_REX     0x40 /* 0x40 to 0x4f */
#define ESCAPE         0x0f

#define FIELD(modrm)  ((modrm) >> 3 & 7)
#define MODE(modrm)   ((modrm) >> 6)
#define RM(modrm)     ((modrm)&7)
#define MODE_REGISTER 3
#define RM_SIB        4
#define RM_DISP32     5
#define SREG_SS       2

#define OPCODE_GROUP5  0xff
#define OPCODE_MOVSREG 0x8e

/* What is known by the opcode alone. `bytes`: behind it. */
struct row {
	uint8_t first, last;
	uint8_t kind;
	uint8_t bytes;
	bool saves_flags, loads_flags;
};

static const struct row one_byte[] = {
	{.first = 0x70, .last = 0x7f, .kind = INSN_JCC, .bytes = 1}, /* Jcc */
	{.first = 0x9c, .last = 0x9c, .kind = INSN_PLAIN, .saves_flags = true},
	{.first = 0x9d, .last = 0x9d, .kind = INSN_PLAIN, .loads_flags = true},
	{.first = 0xc2, .last = 0xc2, .kind = INSN_INDIRECT, .bytes = 2},     /* RET n */
	{.first = 0xc3, .last = 0xc3, .kind = INSN_INDIRECT},                 /* RET */
	{.first = 0xca, .last = 0xca, .kind = INSN_FAR, .bytes = 2},          /* RETF n */
	{.first = 0xcb, .last = 0xcb, .kind = INSN_FAR},                      /* RETF */
	{.first = 0xcc, .last = 0xcc, .kind = INSN_ENTER},                    /* INT3 */
	{.first = 0xcd, .last = 0xcd, .kind = INSN_ENTER, .bytes = 1},        /* INT n */
	{.first = 0xcf, .last = 0xcf, .kind = INSN_FAR, .loads_flags = true}, /* IRET */
	{.first = 0xe0, .last = 0xe3, .kind = INSN_JCC, .bytes = 1},          /* LOOP, JCXZ */
	{.first = 0xf1, .last = 0xf1, .kind = INSN_ENTER},                    /* INT1 */
};

static const struct row two_byte[] = {
	{.first = 0x05, .last = 0x05, .kind = INSN_ENTER},           /* SYSCALL */
	{.first = 0x34, .last = 0x34, .kind = INSN_ENTER},           /* SYSENTER */
	{.first = 0x80, .last = 0x8f, .kind = INSN_JCC, .bytes = 4}, /* Jcc */
};

/* Group 5, by the field of its ModRM byte: near and far, call and jump. */
static const uint8_t group5[8] = {
	[2] = INSN_INDIRECT, [3] = INSN_FAR, [4] = INSN_INDIRECT, [5] = INSN_FAR};

/* What is left of the bytes of an instruction. */
struct code {
	const uint8_t *at, *start, *end;
	bool operand;
};

static bool is_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = {PREFIX_OPERAND, PREFIX_ADDRESS, 0xf0, 0xf2, 0xf3, 0x26,
					   0x2e,           0x36,           0x3e, 0x64, 0x65};

	for (size_t i = 0; i < sizeof(prefixes); i++)
		if (prefixes[i] == byte)
			return true;
	return false;
}

/* A REX that is not the last prefix is without effect. */
static void skip_prefixes(struct code *c)
{
	while (c->at < c->end && (is_prefix(*c->at) || (*c->at & 0xf0) == PREFIX_REX))
		c->operand |= *c->at++ == PREFIX_OPERAND;
}

/* ModRM, SIB and displacement; false: cut off. */
static bool skip_modrm(struct code *c, uint8_t *modrm)
{
	static const uint8_t displacement[] = {0, 1, 4, 0};
	size_t bytes;

	if (c->at == c->end)
		return false;
	*modrm = *c->at++;
	bytes = displacement[MODE(*modrm)];
	if (MODE(*modrm) == 0 && RM(*modrm) == RM_DISP32)
		bytes = 4;
	if (MODE(*modrm) != MODE_REGISTER && RM(*modrm) == RM_SIB) {
		if (c->at == c->end)
			return false;
		if (MODE(*modrm) == 0 && RM(*c->at) == RM_DISP32)
			bytes = 4;
		bytes++;
	}
	if ((size_t)(c->end - c->at) < bytes)
		return false;
	c->at += bytes;
	return true;
}

static struct insn with_modrm(struct code *c, uint8_t opcode)
{
	struct insn insn = {.kind = INSN_PLAIN};
	uint8_t modrm;

	if (!skip_modrm(c, &modrm))
		return insn;
	if (opcode == OPCODE_GROUP5)
		insn.kind = group5[FIELD(modrm)];
	else
		insn.holds_traps = FIELD(modrm) == SREG_SS;
	if (insn.kind != INSN_PLAIN || insn.holds_traps)
		insn.length = (uint8_t)(c->at - c->start);
	return insn;
}

static struct insn by_row(const struct code *c, const struct row *rows, size_t n, uint8_t opcode)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *r = &rows[i];

		if (opcode < r->first || opcode > r->last || c->end - c->at < r->bytes)
			continue;
		return (struct insn){
			.kind = r->kind,
			.length = (uint8_t)(c->at - c->start + r->bytes),
			.saves_flags = r->saves_flags,
			.loads_flags = r->loads_flags,
			.flags_size = r->saves_flags ? (c->operand ? 2 : 8) : 0,
		};
	}
	return (struct insn){.kind = INSN_PLAIN};
}

struct insn insn_classify(const uint8_t *code, size_t n)
{
	struct code c = {code, code, code + (n < INSN_MAX_BYTES ? n : INSN_MAX_BYTES), false};
	uint8_t opcode;

	skip_prefixes(&c);
	if (c.at == c.end)
		return (struct insn){.kind = INSN_PLAIN};
	opcode = *c.at++;
	if (opcode == OPCODE_GROUP5 || opcode == OPCODE_MOVSREG)
		return with_modrm(&c, opcode);
	if (opcode != ESCAPE)
		return by_row(&c, one_byte, sizeof(one_byte) / sizeof(one_byte[0]), opcode);
	if (c.at == c.end)
		return (struct insn){.kind = INSN_PLAIN};
	opcode = *c.at++;
	return by_row(&c, two_byte, sizeof(two_byte) / sizeof(two_byte[0]), opcode);
}
