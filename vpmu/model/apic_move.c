// SPDX-License-Identifier: BSD-2-Clause
/* apic_move.c - see apic_move.h. AMD APM vol. 3, "MOV", "XCHG", "Opcode and Operand Encodings". */
#include "vpmu/model/apic_move.h"

#include "lib/insn_decode.h"

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

/* A move of 32 bits between memory and a register or a constant. */
static bool is_move(const struct insn *insn, const struct row *row)
{
	const uint8_t sizes = INSN_OPERAND_SIZE | INSN_ADDRESS_SIZE | INSN_REP | INSN_REPNE;

	return row && insn->length && insn_has_memory(insn) && !(insn->prefixes & sizes) &&
	       !(insn->rex & INSN_REX_W) && !(row->constant && insn_field(insn));
}

bool apic_move_decode(const uint8_t *code, size_t n, struct apic_move *move)
{
	const struct row *row;
	struct insn insn;

	insn_decode(&insn, code, n, 64);
	row = insn.opcode_bytes == 1 ? find_move(insn.opcode) : NULL;
	if (!is_move(&insn, row))
		return false;
	*move = (struct apic_move){
		.loads = row->loads,
		.stores = row->stores,
		.constant = row->constant,
		.gpr = (uint8_t)insn_reg(&insn),
		.value = (uint32_t)insn.immediate,
	};
	return true;
}
