// SPDX-License-Identifier: BSD-2-Clause
/*
 * Changes of LLVM's rows of Intel's cores, for all sizes and encodings of an instruction. Sources:
 * "ORM": Intel, Optimization Reference Manual, by section; "Fog": A. Fog, "Instruction tables" and
 * "The microarchitecture of Intel, AMD and VIA CPUs", by core; "uiCA": arXiv 2107.14210.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/cores_priv.h"

#define SINCE_HSW "hsw bdw skl skx icl adl"
#define UNTIL_SKX "snb hsw bdw skl skx"
#define SKL_ICL   "skl skx icl"
#define UNTIL_ICL "hsw bdw skl skx icl"
#define HASWELLS  "hsw bdw"
#define NEW       "icl adl"

#define P0      1u
#define P01     3u
#define P1      2u
#define P06     0x41u
#define P23     0xcu
#define P237    0x8cu
#define P4      0x10u
#define P49     0x210u
#define P78     0x180u
#define P5      (1u << 5)
#define ALU_4   0x63u  /* p0156 */
#define ALU_5   0x463u /* p0156A */
#define ALU_3   0x23u  /* p015 */
#define LOAD_TO 5      /* cycles of a load to a general register */

/* An operand's kind for which a change holds; ANY also stands for none. */
enum operand { ANY, GENERAL, NARROW, WIDE, VECTOR, XMM, NOTHING };

#define NAME(mnemonic) CORE_NUMBER(ZYDIS_MNEMONIC_##mnemonic)

#define CHANGED_USES 4
struct intel_change {
	uint16_t mnemonic;
	uint8_t first, second; /* enum operand */
	uint8_t detail, has_detail;
	uint8_t uops;
	uint8_t nwrites; /* of `latency`, behind the load; 0: they stay */
	uint8_t latency[2];
	struct core_use
		uses[CHANGED_USES]; /* in place of all uses; the first has ports 0: they stay */
	const char *cores;
};

#define CHANGE(name, a, b, cores_, ...)                                                       \
	{                                                                                     \
		.mnemonic = NAME(name), .first = a, .second = b, .cores = cores_, __VA_ARGS__ \
	}
#define LATENCY(name, a, b, cores_, n) CHANGE(name, a, b, cores_, .nwrites = 1, .latency = {n})
#define LATENCIES(name, a, b, cores_, n, m) \
	CHANGE(name, a, b, cores_, .nwrites = 2, .latency = {n, m})
#define LEA_OF(shape, cores_, n, ports)                                                          \
	CHANGE(LEA, ANY, ANY, cores_, .detail = shape, .has_detail = 1, .uops = 1, .nwrites = 1, \
	       .latency = {n}, .uses = {{ports, 1, 1}})
#define SHIFT_BY_CL(name) \
	CHANGE(name, GENERAL, NARROW, SKL_ICL, .uses = {{P06, 1, 2}, {ALU_4, 1, 1}})
#define ALONE(name, cores_, ports, cycles) \
	CHANGE(name, ANY, ANY, cores_, .uses = {{ports, cycles, 1}})
#define SETS_BYTE(name)                                                            \
	CHANGE(name, GENERAL, ANY, "adl", .uops = 1, .nwrites = 1, .latency = {1}, \
	       .uses = {{P06, 1, 1}})
#define ROTATE_BY_CL(name)                                                 \
	CHANGE(name, GENERAL, NARROW, "adl", .nwrites = 1, .latency = {2}, \
	       .uses = {{P06, 1, 2}, {ALU_5, 1, 1}})
#define ON_06(name) \
	CHANGE(name, GENERAL, ANY, "adl", .nwrites = 1, .latency = {1}, .uses = {{P06, 1, 1}})
#define BOTH(name, a, b, cores_, n) \
	LATENCY(name, a, b, cores_, n), LATENCY(V##name, a, b, cores_, n)
#define TO_INTEGER(name)                                                           \
	CHANGE(name, GENERAL, VECTOR, SKL_ICL, .uses = {{P0, 1, 1}, {P01, 1, 1}}), \
		CHANGE(V##name, GENERAL, VECTOR, SKL_ICL, .uses = {{P0, 1, 1}, {P01, 1, 1}})

#define WITH_SHUFFLE(name)                                            \
	CHANGE(name, XMM, XMM, SKL_ICL, .nwrites = 1, .latency = {5}, \
	       .uses = {{P01, 1, 1}, {P5, 1, 1}})
#define LOADS_STRING(name, n)                                         \
	CHANGE(name, ANY, ANY, SKL_ICL, .nwrites = 1, .latency = {1}, \
	       .uses = {{P23, 1, 1}, {ALU_4, 1, n}})
#define MOVES_STRING(name)                                                      \
	CHANGE(name, ANY, ANY, "skl skx", .nwrites = 1, .latency = {3},         \
	       .uses = {{P23, 1, 1}, {ALU_4, 1, 2}, {P237, 1, 1}, {P4, 1, 1}}), \
		CHANGE(name, ANY, ANY, "icl", .nwrites = 1, .latency = {3},     \
		       .uses = {{P23, 1, 1}, {ALU_4, 1, 2}, {P78, 1, 1}, {P49, 1, 1}})

static const struct intel_change changes[] = {
	/* ORM, "Using LEA": an LEA by RIP is one of the slow ones of Sandy Bridge, on port 1. */
	LEA_OF(CORE_LEA_RIP, UNTIL_SKX, 3, P1),
	/* ORM, "Dispatch Port and Execution Stacks" of Ice Lake and Golden Cove: LEA is in all
	 * stacks with ALUs. LLVM has it on two ports, and on one. */
	LEA_OF(CORE_LEA_PLAIN, "icl", 1, ALU_4),
	LEA_OF(CORE_LEA_TWO, "icl", 1, ALU_4),
	LEA_OF(CORE_LEA_PLAIN, "adl", 1, ALU_5),
	LEA_OF(CORE_LEA_TWO, "adl", 1, ALU_5),
	/* uiCA, section 4.2: the register is there a cycle after the operands, flags one later. */
	LATENCIES(SHL, GENERAL, NARROW, SINCE_HSW, 1, 2),
	LATENCIES(SHR, GENERAL, NARROW, SINCE_HSW, 1, 2),
	LATENCIES(SAR, GENERAL, NARROW, SINCE_HSW, 1, 2),
	/* Fog: three micro-operations, one each two cycles. LLVM has none of them on port 1 or 5.
	 */
	SHIFT_BY_CL(SHL),
	SHIFT_BY_CL(SHR),
	SHIFT_BY_CL(SAR),
	/* ORM, "Latency and Throughput": MUL of 64 bits takes 3 cycles, and 4 to the upper half. */
	LATENCIES(MUL, WIDE, NOTHING, SINCE_HSW, 3, 4),
	LATENCIES(IMUL, WIDE, NOTHING, SINCE_HSW, 3, 4),
	/* Fog, Skylake: to a vector register in 2 cycles, by port 5. */
	BOTH(MOVD, VECTOR, GENERAL, SKL_ICL, 2),
	BOTH(MOVQ, VECTOR, GENERAL, SKL_ICL, 2),
	/* Fog, Skylake: one of both operations is the move to the general register, on port 0. */
	TO_INTEGER(CVTSD2SI),
	TO_INTEGER(CVTTSD2SI),
	/* Fog, Skylake: the halves go apart by a shuffle. LLVM has none. */
	WITH_SHUFFLE(CVTDQ2PD),
	WITH_SHUFFLE(VCVTDQ2PD),
	/* ORM, "Golden Cove": logical operations take a cycle in each ALU. LLVM has two. */
	LATENCY(AND, GENERAL, ANY, "adl", 1),
	LATENCY(OR, GENERAL, ANY, "adl", 1),
	LATENCY(XOR, GENERAL, ANY, "adl", 1),
	LATENCY(TEST, GENERAL, ANY, "adl", 1),
	LATENCY(ANDN, GENERAL, GENERAL, "adl", 1),
	LATENCY(BLSR, GENERAL, GENERAL, "adl", 1),
	LATENCY(BLSI, GENERAL, GENERAL, "adl", 1),
	LATENCY(BLSMSK, GENERAL, GENERAL, "adl", 1),
	LATENCY(SHLX, GENERAL, GENERAL, "adl", 1),
	LATENCY(SHRX, GENERAL, GENERAL, "adl", 1),
	LATENCY(SARX, GENERAL, GENERAL, "adl", 1),
	LATENCY(BZHI, GENERAL, GENERAL, "adl", 1),
	LATENCY(BEXTR, GENERAL, GENERAL, "adl", 2),
	/* ORM, "Dispatch Port and Execution Stacks": shifts, rotations and operations on a bit are
	 * on ports 0 and 6. LLVM has the last two on port 1 of Golden Cove. */
	ON_06(BT),
	ON_06(BTS),
	ON_06(BTR),
	ON_06(BTC),
	ON_06(ROL),
	ON_06(ROR),
	/* Fog, from Haswell on: two micro-operations rotate by one, and the register is there after
	 * one cycle; by CL after two. */
	LATENCY(ROL, GENERAL, ANY, UNTIL_ICL, 1),
	LATENCY(ROR, GENERAL, ANY, UNTIL_ICL, 1),
	LATENCY(ROL, GENERAL, NARROW, UNTIL_ICL, 2),
	LATENCY(ROR, GENERAL, NARROW, UNTIL_ICL, 2),
	ROTATE_BY_CL(ROL),
	ROTATE_BY_CL(ROR),
	/* Fog, Alder Lake: conditions of two kinds of flags take two micro-operations, still. */
	CHANGE(CMOVBE, GENERAL, ANY, "adl", .uops = 2, .nwrites = 1, .latency = {2},
	       .uses = {{P06, 1, 2}}),
	CHANGE(CMOVNBE, GENERAL, ANY, "adl", .uops = 2, .nwrites = 1, .latency = {2},
	       .uses = {{P06, 1, 2}}),
	/* Fog, Alder Lake: one micro-operation, of conditions of one kind of flags; signs are
	 * extended by each ALU. */
	SETS_BYTE(SETZ),
	SETS_BYTE(SETNZ),
	SETS_BYTE(SETB),
	SETS_BYTE(SETNB),
	SETS_BYTE(SETL),
	SETS_BYTE(SETNL),
	SETS_BYTE(SETLE),
	SETS_BYTE(SETNLE),
	SETS_BYTE(SETS),
	SETS_BYTE(SETNS),
	ALONE(MOVSX, "adl", ALU_5, 1),
	ALONE(MOVSXD, "adl", ALU_5, 1),
	/* Intel Intrinsics Guide, Ice Lake. */
	LATENCY(VPMADD52LUQ, VECTOR, VECTOR, "icl", 4),
	LATENCY(VPMADD52HUQ, VECTOR, VECTOR, "icl", 4),
	LATENCY(VPOPCNTD, VECTOR, VECTOR, "icl", 3),
	LATENCY(VPOPCNTQ, VECTOR, VECTOR, "icl", 3),
	/* Intel Intrinsics Guide: AES takes 3 cycles since Ice Lake, PCLMULQDQ 7 on Haswell and
	 * Skylake. */
	BOTH(AESENC, VECTOR, VECTOR, NEW, 3),
	BOTH(AESENCLAST, VECTOR, VECTOR, NEW, 3),
	BOTH(AESDEC, VECTOR, VECTOR, NEW, 3),
	BOTH(AESDECLAST, VECTOR, VECTOR, NEW, 3),
	BOTH(PCLMULQDQ, VECTOR, VECTOR, "hsw skl skx", 7),
	/* Fog: four micro-operations without a port. */
	CHANGE(VZEROUPPER, ANY, ANY, SINCE_HSW, .uops = 4),
	/* ORM, "Pause Latency in Skylake Client Microarchitecture": up to 140 cycles, before some
	 * 10. */
	ALONE(PAUSE, HASWELLS, P0, 9),
	ALONE(PAUSE, "skl skx icl adl", P0, 140),
	/* Fog: MFENCE. */
	ALONE(MFENCE, SINCE_HSW, P5, 33),
	/* Fog, string instructions: LLVM has 100 cycles for microcode. What is found goes to
	 * registers of which the pointer takes a cycle. */
	LOADS_STRING(LODSB, 2),
	LOADS_STRING(LODSW, 2),
	LOADS_STRING(LODSD, 1),
	LOADS_STRING(LODSQ, 1),
	LATENCY(SCASB, ANY, ANY, SINCE_HSW, 1),
	LATENCY(SCASW, ANY, ANY, SINCE_HSW, 1),
	LATENCY(SCASD, ANY, ANY, SINCE_HSW, 1),
	LATENCY(SCASQ, ANY, ANY, SINCE_HSW, 1),
	MOVES_STRING(MOVSB),
	MOVES_STRING(MOVSW),
	MOVES_STRING(MOVSQ),
	{0},
};

static bool kind_fits(enum operand asked, unsigned kind)
{
	switch (asked) {
	case GENERAL:
		return kind >= CORE_R8 && kind <= CORE_R64;
	case NARROW:
		return kind == CORE_R8;
	case WIDE:
		return kind == CORE_R64;
	case VECTOR:
		return kind >= CORE_XMM && kind <= CORE_ZMM;
	case XMM:
		return kind == CORE_XMM;
	case NOTHING:
		return !kind;
	default:
		return true;
	}
}

static unsigned kind_of_operand(uint32_t key, unsigned n)
{
	return key >> (10 - 4 * n) & 15;
}

static bool takes_memory(uint32_t key)
{
	return kind_of_operand(key, 0) == CORE_MEMORY || kind_of_operand(key, 1) == CORE_MEMORY ||
	       kind_of_operand(key, 2) == CORE_MEMORY;
}

static bool intel_change_holds(const struct intel_change *c, const struct core_table *core,
			       uint32_t key)
{
	const bool is_rep = (key >> 17 & 15) == CORE_REP;

	return c->mnemonic == key >> 21 && !is_rep && (c->has_detail || !takes_memory(key)) &&
	       kind_fits((enum operand)c->first, kind_of_operand(key, 0)) &&
	       kind_fits((enum operand)c->second, kind_of_operand(key, 1)) &&
	       (!c->has_detail || c->detail == (key >> 14 & 7)) && strstr(c->cores, core->name);
}

static void change_by_table(struct core_row *row, struct core_use uses[CORE_USES],
			    const struct core_table *core, uint32_t key)
{
	for (const struct intel_change *c = changes; c->mnemonic; c++) {
		if (!intel_change_holds(c, core, key))
			continue;
		if (c->uops)
			row->uops = c->uops;
		for (unsigned i = 0; i < c->nwrites; i++)
			row->latency[i] = c->latency[i];
		if (c->nwrites)
			row->nwrites = c->nwrites;
		if (!c->uses[0].ports)
			continue;
		memcpy(uses, c->uses, sizeof(c->uses));
		row->uses = uses;
		for (row->nuses = 0; row->nuses < CHANGED_USES && uses[row->nuses].ports;)
			row->nuses++;
	}
}

static bool is_stack_instruction(uint32_t key)
{
	switch (key >> 21) {
	case NAME(PUSH):
	case NAME(POP):
	case NAME(CALL):
	case NAME(RET):
		return true;
	default:
		return false;
	}
}

/* ORM, "Stack Pointer Tracker": no micro-operation adds to the stack pointer. LLVM has one on an
 * ALU, and a cycle for it behind the load. */
static void drop_stack_addition(struct core_row *row, struct core_use uses[CORE_USES])
{
	unsigned n = 0;

	for (unsigned i = 0; i < row->nuses; i++)
		if (row->uses[i].ports != ALU_4 && row->uses[i].ports != ALU_5 &&
		    row->uses[i].ports != ALU_3)
			uses[n++] = row->uses[i];
	row->uses = uses;
	row->nuses = (uint8_t)n;
	if (row->latency[0] > LOAD_TO)
		row->latency[0] = LOAD_TO;
}

/* Fog, Haswell: a load of 8 or 16 bits merges with the rest of the register in an ALU. */
static void merge_load(struct core_row *row, struct core_use uses[CORE_USES],
		       const struct core_table *core)
{
	uses[0] = (struct core_use){core->loads, 1, 1};
	uses[1] = (struct core_use){ALU_4, 1, 1};
	row->uses = uses;
	row->nuses = 2;
	row->advance = LOAD_TO;
	row->latency[0] = LOAD_TO + 1;
}

static bool is_merged_load(const struct core_table *core, uint32_t key)
{
	return key >> 21 == NAME(MOV) && kind_of_operand(key, 1) == CORE_MEMORY &&
	       (kind_of_operand(key, 0) == CORE_R8 || kind_of_operand(key, 0) == CORE_R16) &&
	       strstr("hsw bdw skl skx icl", core->name);
}

void core_change_intel(struct core_row *row, struct core_use uses[CORE_USES],
		       const struct core_table *core, uint32_t key)
{
	change_by_table(row, uses, core, key);
	if (is_stack_instruction(key))
		drop_stack_addition(row, uses);
	if (is_merged_load(core, key))
		merge_load(row, uses, core);
}
