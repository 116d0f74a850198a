// SPDX-License-Identifier: BSD-2-Clause
/*
 * apic_move.c - see apic_move.h. AMD APM vol. 3, "MOV", "XCHG", "Opcode and Operand Encodings".
 */
#include "vpmu/model/apic_move.h"

#include "lib/string.h"

#define PREFIX_REX_MASK 0xf0
#define PREFIX_REX      0x40
#define REX_W           0x08
#define REX_R           0x04

#define MODRM_MOD(b) ((b) >> 6)
#define MODRM_REG(b) ((b) >> 3 & 7)
#define MOD_REGISTER 3

static const struct row {
	uint8_t opcode;
	bool loads, stores, constant;
} rows[] = {
	{0x87, true, true, false},
	{0x89, false, true, false},
	{0x8b, true, false, false},
	{0xc7, false, true, true},
};

static const struct row *find_move(uint8_t opcode)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].opcode == opcode)
			return &rows[i];
	return NULL;
}

/* Segment prefixes and LOCK do not change the moved value; an operand-size prefix would. */
static bool is_idle_prefix(uint8_t byte)
{
	return (byte & 0xe7) == 0x26 || (byte & 0xfe) == 0x64 || byte == 0xf0;
}

bool apic_move_decode(const uint8_t *code, size_t length, struct apic_move *move)
{
	const struct row *row;
	uint8_t rex = 0;
	size_t at = 0;

	while (at < length && is_idle_prefix(code[at]))
		at++;
	if (at < length && (code[at] & PREFIX_REX_MASK) == PREFIX_REX)
		rex = code[at++];
	row = at + 1 < length && !(rex & REX_W) ? find_move(code[at]) : NULL;
	if (!row || MODRM_MOD(code[at + 1]) == MOD_REGISTER ||
	    (row->constant && (MODRM_REG(code[at + 1]) || length < at + 6)))
		return false;
	*move = (struct apic_move){
		.loads = row->loads,
		.stores = row->stores,
		.constant = row->constant,
		.gpr = (uint8_t)(MODRM_REG(code[at + 1]) | (rex & REX_R ? 8 : 0)),
	};
	if (row->constant)
		memcpy(&move->value, code + length - sizeof(move->value), sizeof(move->value));
	return true;
}
