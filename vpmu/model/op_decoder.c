// SPDX-License-Identifier: BSD-2-Clause
/*
 * op_decoder.c - tables of opcodes: the access of each to its ModRM operand and to implicit ones,
 * and the branches. AMD APM vol. 3, "Opcode and Operand Encodings"; SDM vol. 2, appendix A, "Opcode
 * Map".
 */
#include "vpmu/model/op_decoder.h"

#include "lib/insn_decode.h"

/* The access to the memory operand. */
#define LOADS  0x01
#define STORES 0x02
#define BOTH   (LOADS | STORES)
#define BRANCH 0x04
#define RETURN 0x08
#define BYTE   0x10 /* the operand is one byte, whatever the prefixes say */
#define WORD   0x20 /* two */
#define QUAD   0x40 /* eight: addresses and the stack */

enum where { MODRM, PUSHES, POPS, AT_RSI, AT_RDI, AT_RBP, OFFSET, NOWHERE };

#define ANY_REG       0xff
#define OPCODE_MOVSXD 0x63

struct row {
	uint8_t first, last; /* opcodes */
	uint8_t regs;        /* values of ModRM.reg that the row is for, as bits */
	uint8_t where;
	uint8_t does;
	uint8_t step; /* distance of the row's opcodes */
};

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* The first matching row counts, so exceptions from a group come before it. */
static const struct row one_byte[] = {
	/* ADD, OR, ADC, SBB, AND, SUB, XOR to memory; CMP; and all of them from memory. */
	{0x38, 0x38, ANY_REG, MODRM, LOADS | BYTE, 1},
	{0x39, 0x39, ANY_REG, MODRM, LOADS, 1},
	{0x00, 0x38, ANY_REG, MODRM, BOTH | BYTE, 8},
	{0x01, 0x39, ANY_REG, MODRM, BOTH, 8},
	{0x02, 0x3a, ANY_REG, MODRM, LOADS | BYTE, 8},
	{0x03, 0x3b, ANY_REG, MODRM, LOADS, 8},
	{0x50, 0x57, ANY_REG, PUSHES, STORES | QUAD, 1},
	{0x58, 0x5f, ANY_REG, POPS, LOADS | QUAD, 1},
	{0x63, 0x63, ANY_REG, MODRM, LOADS, 1}, /* MOVSXD, of 4 bytes: see operand_width() */
	{0x68, 0x6a, ANY_REG, PUSHES, STORES | QUAD, 2}, /* PUSH imm */
	{0x69, 0x6b, ANY_REG, MODRM, LOADS, 2},          /* IMUL */
	{0x70, 0x7f, ANY_REG, NOWHERE, BRANCH, 1},       /* Jcc */
	{0x80, 0x80, 1 << 7, MODRM, LOADS | BYTE, 1},    /* CMP */
	{0x81, 0x83, 1 << 7, MODRM, LOADS, 2},
	{0x80, 0x80, ANY_REG, MODRM, BOTH | BYTE, 1},
	{0x81, 0x83, ANY_REG, MODRM, BOTH, 2},
	{0x84, 0x84, ANY_REG, MODRM, LOADS | BYTE, 1}, /* TEST */
	{0x85, 0x85, ANY_REG, MODRM, LOADS, 1},
	{0x86, 0x86, ANY_REG, MODRM, BOTH | BYTE, 1}, /* XCHG */
	{0x87, 0x87, ANY_REG, MODRM, BOTH, 1},
	{0x88, 0x88, ANY_REG, MODRM, STORES | BYTE, 1}, /* MOV */
	{0x89, 0x89, ANY_REG, MODRM, STORES, 1},
	{0x8a, 0x8a, ANY_REG, MODRM, LOADS | BYTE, 1},
	{0x8b, 0x8b, ANY_REG, MODRM, LOADS, 1},
	{0x8c, 0x8c, ANY_REG, MODRM, STORES | WORD, 1}, /* MOV Sreg */
	{0x8e, 0x8e, ANY_REG, MODRM, LOADS | WORD, 1},
	{0x8f, 0x8f, 1 << 0, MODRM, STORES | QUAD, 1}, /* POP; its load is from the stack */
	{0x9c, 0x9c, ANY_REG, PUSHES, STORES | QUAD, 1},
	{0x9d, 0x9d, ANY_REG, POPS, LOADS | QUAD, 1},
	{0xa0, 0xa0, ANY_REG, OFFSET, LOADS | BYTE, 1}, /* MOV moffs */
	{0xa1, 0xa1, ANY_REG, OFFSET, LOADS, 1},
	{0xa2, 0xa2, ANY_REG, OFFSET, STORES | BYTE, 1},
	{0xa3, 0xa3, ANY_REG, OFFSET, STORES, 1},
	{0xa4, 0xa6, ANY_REG, AT_RSI, LOADS | BYTE, 2}, /* MOVS, CMPS: the first operand */
	{0xa5, 0xa7, ANY_REG, AT_RSI, LOADS, 2},
	{0xaa, 0xaa, ANY_REG, AT_RDI, STORES | BYTE, 1}, /* STOS */
	{0xab, 0xab, ANY_REG, AT_RDI, STORES, 1},
	{0xac, 0xac, ANY_REG, AT_RSI, LOADS | BYTE, 1}, /* LODS */
	{0xad, 0xad, ANY_REG, AT_RSI, LOADS, 1},
	{0xae, 0xae, ANY_REG, AT_RDI, LOADS | BYTE, 1}, /* SCAS */
	{0xaf, 0xaf, ANY_REG, AT_RDI, LOADS, 1},
	{0xc0, 0xc0, ANY_REG, MODRM, BOTH | BYTE, 1}, /* shifts */
	{0xc1, 0xc1, ANY_REG, MODRM, BOTH, 1},
	{0xc2, 0xc3, ANY_REG, POPS, LOADS | QUAD | BRANCH | RETURN, 1},
	{0xc6, 0xc6, 1 << 0, MODRM, STORES | BYTE, 1}, /* MOV imm */
	{0xc7, 0xc7, 1 << 0, MODRM, STORES, 1},
	{0xc9, 0xc9, ANY_REG, AT_RBP, LOADS | QUAD, 1}, /* LEAVE */
	{0xd0, 0xd2, ANY_REG, MODRM, BOTH | BYTE, 2},
	{0xd1, 0xd3, ANY_REG, MODRM, BOTH, 2},
	{0xe0, 0xe3, ANY_REG, NOWHERE, BRANCH, 1}, /* LOOP, JRCXZ */
	{0xe8, 0xe8, ANY_REG, PUSHES, STORES | QUAD | BRANCH, 1},
	{0xe9, 0xeb, ANY_REG, NOWHERE, BRANCH, 2},
	{0xf6, 0xf6, 1 << 2 | 1 << 3, MODRM, BOTH | BYTE, 1}, /* NOT, NEG */
	{0xf7, 0xf7, 1 << 2 | 1 << 3, MODRM, BOTH, 1},
	{0xf6, 0xf6, ANY_REG, MODRM, LOADS | BYTE, 1}, /* TEST, MUL, DIV */
	{0xf7, 0xf7, ANY_REG, MODRM, LOADS, 1},
	{0xfe, 0xfe, 1 << 0 | 1 << 1, MODRM, BOTH | BYTE, 1}, /* INC, DEC */
	{0xff, 0xff, 1 << 0 | 1 << 1, MODRM, BOTH, 1},
	{0xff, 0xff, 1 << 2 | 1 << 4, MODRM, LOADS | QUAD | BRANCH, 1}, /* CALL, JMP */
	{0xff, 0xff, 1 << 6, MODRM, LOADS | QUAD, 1},                   /* PUSH */
};

static const struct row two_byte[] = {
	{0x40, 0x4f, ANY_REG, MODRM, LOADS, 1},         /* CMOVcc */
	{0x80, 0x8f, ANY_REG, NOWHERE, BRANCH, 1},      /* Jcc */
	{0x90, 0x9f, ANY_REG, MODRM, STORES | BYTE, 1}, /* SETcc */
	{0xa0, 0xa8, ANY_REG, PUSHES, STORES | QUAD, 8},
	{0xa1, 0xa9, ANY_REG, POPS, LOADS | QUAD, 8},
	{0xa3, 0xa3, ANY_REG, MODRM, LOADS, 1},       /* BT */
	{0xa4, 0xa5, ANY_REG, MODRM, BOTH, 1},        /* SHLD */
	{0xab, 0xbb, ANY_REG, MODRM, BOTH, 8},        /* BTS, BTR, BTC */
	{0xac, 0xad, ANY_REG, MODRM, BOTH, 1},        /* SHRD */
	{0xaf, 0xaf, ANY_REG, MODRM, LOADS, 1},       /* IMUL */
	{0xb0, 0xb0, ANY_REG, MODRM, BOTH | BYTE, 1}, /* CMPXCHG */
	{0xb1, 0xb1, ANY_REG, MODRM, BOTH, 1},
	{0xb6, 0xbe, ANY_REG, MODRM, LOADS | BYTE, 8}, /* MOVZX, MOVSX */
	{0xb7, 0xbf, ANY_REG, MODRM, LOADS | WORD, 8},
	{0xb8, 0xb8, ANY_REG, MODRM, LOADS, 1},       /* POPCNT */
	{0xba, 0xba, 1 << 4, MODRM, LOADS, 1},        /* BT imm */
	{0xba, 0xba, ANY_REG, MODRM, BOTH, 1},        /* BTS, BTR, BTC imm */
	{0xbc, 0xbd, ANY_REG, MODRM, LOADS, 1},       /* BSF, BSR */
	{0xc0, 0xc0, ANY_REG, MODRM, BOTH | BYTE, 1}, /* XADD */
	{0xc1, 0xc1, ANY_REG, MODRM, BOTH, 1},
	{0xc3, 0xc3, ANY_REG, MODRM, STORES, 1}, /* MOVNTI */
};

/* --- The memory operand --- */

static uint8_t operand_width(const struct insn *insn, uint8_t does)
{
	if (does & BYTE)
		return 1;
	if (does & WORD)
		return 2;
	if (does & QUAD)
		return 8;
	if (insn->rex & INSN_REX_W && !insn_is(insn, OPCODE_MOVSXD))
		return 8;
	return insn->prefixes & INSN_OPERAND_SIZE ? 2 : 4;
}

static uint64_t segment_base(const struct insn *insn, const struct op_registers *regs)
{
	if (insn->prefixes & INSN_FS)
		return regs->fs_base;
	return insn->prefixes & INSN_GS ? regs->gs_base : 0;
}

static uint64_t operand_address(const struct row *row, const struct insn *insn,
				const struct op_registers *regs)
{
	switch (row->where) {
	case MODRM:
		return insn_address(insn, regs->gpr, regs->rip) + segment_base(insn, regs);
	case PUSHES:
		return regs->gpr[RSP] - 8;
	case POPS:
		return regs->gpr[RSP];
	case AT_RSI:
		return regs->gpr[RSI] + segment_base(insn, regs);
	case AT_RDI:
		return regs->gpr[RDI];
	case AT_RBP:
		return regs->gpr[RBP];
	default:
		return insn->immediate + segment_base(insn, regs);
	}
}

static const struct row *find_opcode_row(const struct row *rows, size_t n, const struct insn *insn)
{
	for (const struct row *r = rows; r < rows + n; r++) {
		if (insn->opcode < r->first || insn->opcode > r->last ||
		    (insn->opcode - r->first) % r->step)
			continue;
		if (r->regs >> insn_field(insn) & 1 || r->regs == ANY_REG)
			return r;
	}
	return NULL;
}

#define FIND(rows, insn) find_opcode_row(rows, sizeof(rows) / sizeof(*(rows)), insn)

static bool has_memory(const struct row *row, const struct insn *insn)
{
	return row->where == MODRM ? insn_has_memory(insn) : row->where != NOWHERE;
}

void op_decode(struct op_decoder *w, const uint8_t *code, size_t n, const struct op_registers *regs)
{
	const struct row *row;
	struct insn insn;

	*w = (struct op_decoder){.op = {.rip = regs->rip}};
	insn_decode(&insn, code, n, 64);
	if (!insn.length)
		return;
	row = insn.opcode_bytes == 2 ? FIND(two_byte, &insn) : FIND(one_byte, &insn);
	if (!row)
		return;
	if (has_memory(row, &insn)) {
		w->op.load = row->does & LOADS;
		w->op.store = row->does & STORES;
		w->op.bytes = operand_width(&insn, row->does);
		w->op.has_linear = true;
		w->op.linear = operand_address(row, &insn, regs);
	}
	w->op.branch = row->does & BRANCH;
	w->op.returns = row->does & RETURN;
	w->fall_through = regs->rip + insn.length;
}

void op_completed(struct op_decoder *w, uint64_t rip)
{
	if (!w->op.branch)
		return;
	w->op.taken = rip != w->fall_through;
	w->op.target = rip;
}
