// SPDX-License-Identifier: BSD-2-Clause
/*
 * Changes of LLVM's rows that are wrong for all sizes and encodings of an instruction. Sources:
 * "SOG": AMD, Software Optimization Guides for families 17h and 19h (56305, 56665, 57647), by
 * section. "Zen 3": measured on a Zen 3 (family 25, model 1) with tests/accuracy/silicon.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/cores_priv.h"

#define ZEN_3        "zen3 zen4" /* their units have the same numbers */
#define ZEN_4        "zen4"
#define ALU          (15u << 3)
#define ALU_0        (1u << 3)
#define ALU_1        (1u << 4)
#define ALU12        (3u << 4)
#define FP01         (3u << 8)
#define FP23         (3u << 10)
#define FP_ANY       (15u << 8)
#define FP45         (3u << 12)
#define FP5          (1u << 13)
#define LOADS        (7u << 14)
#define VECTOR_LOADS (3u << 15)

/* Operand 0 or 1 of a row for which a change holds. */
enum operand { ANY, GENERAL, VECTOR, X87, IMMEDIATE, MASK, NOTHING };

#define NAME(mnemonic) CORE_NUMBER(ZYDIS_MNEMONIC_##mnemonic)

/* Fields that are 0 keep what the row has. */
struct core_change {
	uint16_t mnemonic;
	uint8_t first, second; /* enum operand */
	uint8_t detail;        /* with `has_detail`: enum core_detail */
	uint8_t has_detail;
	uint8_t uops;
	uint16_t latency;
	struct core_use use; /* in place of all uses */
	const char *cores;
	struct core_use also; /* a second one */
};

/* A row of these cores, for these kinds of operands. */
#define CHANGE(name, a, b, cores_, ...)                                                       \
	{                                                                                     \
		.mnemonic = NAME(name), .first = a, .second = b, .cores = cores_, __VA_ARGS__ \
	}
#define LATENCY(name, a, b, n)    CHANGE(name, a, b, ZEN_3, .latency = n)
#define UNITS(name, a, b, n, ...) CHANGE(name, a, b, ZEN_3, .latency = n, .use = __VA_ARGS__)
#define LEA_OF(shape, n, ...)                                                                   \
	CHANGE(LEA, ANY, ANY, ZEN_3, .detail = shape, .has_detail = 1, .uops = 1, .latency = n, \
	       .use = __VA_ARGS__)
#define SIZED(name, kind, size, n, ...)                                               \
	CHANGE(name, kind, ANY, ZEN_3, .detail = size, .has_detail = 1, .latency = n, \
	       .use = __VA_ARGS__)

/* Both encodings of a move between register files. */
#define BOTH(name, a, b, n) LATENCY(name, a, b, n), LATENCY(V##name, a, b, n)

static const struct core_change changes[] = {
	/* SOG, "Execution Units": LEA runs in all four ALUs; a base, an index and a displacement
	 * take two cycles, and two of the ALUs'. LLVM has it in address generation and two cycles
	 * for each scale. Zen 3: 1 cycle, and 4 a cycle; 2 and 2. */
	LEA_OF(CORE_LEA_PLAIN, 1, {ALU, 1, 1}),
	LEA_OF(CORE_LEA_TWO, 1, {ALU, 1, 1}),
	LEA_OF(CORE_LEA_SCALED, 1, {ALU, 1, 1}),
	LEA_OF(CORE_LEA_TWO_SCALED, 1, {ALU, 1, 1}),
	LEA_OF(CORE_LEA_THREE, 2, {ALU, 2, 1}),
	LEA_OF(CORE_LEA_RIP, 1, {ALU, 1, 1}),
	/* SOG, "Integer Execution Unit": a move of an immediate runs in any ALU, each cycle. */
	UNITS(MOV, GENERAL, GENERAL, 1, {ALU, 1, 1}),
	UNITS(MOV, GENERAL, IMMEDIATE, 1, {ALU, 1, 1}),
	/* Zen 3: LLVM's units are each taken twice or four times. */
	UNITS(ADC, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SBB, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETZ, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETNZ, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETB, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETNB, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETL, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETNL, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETS, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(SETNS, GENERAL, ANY, 1, {ALU, 1, 1}),
	UNITS(XADD, GENERAL, GENERAL, 1, {ALU, 1, 1}),
	UNITS(RCL, GENERAL, GENERAL, 4, {ALU12, 1, 8}),
	UNITS(RCL, GENERAL, IMMEDIATE, 4, {ALU12, 1, 8}),
	UNITS(RCR, GENERAL, GENERAL, 3, {ALU12, 1, 6}),
	UNITS(RCR, GENERAL, IMMEDIATE, 3, {ALU12, 1, 6}),
	/* Zen 3 (Zen 4: below): one a cycle. */
	UNITS(MUL, GENERAL, ANY, 0, {1u << 4, 1, 1}),
	/* Zen 3: quotients of few bits, as most are. SOG, "Integer divide": the latency depends on
	 * them. */
	SIZED(DIV, GENERAL, 0, 9, {ALU_0, 6, 1}),
	SIZED(IDIV, GENERAL, 0, 9, {ALU_0, 6, 1}),
	/* SOG, "Floating-Point Unit": data take more cycles between the register files. Zen 3:
	 * there and back is 6 cycles; conversions are 7, comparisons 5 and PTEST 4. */
	UNITS(MOVD, VECTOR, GENERAL, 3, {FP45, 1, 1}),
	UNITS(VMOVD, VECTOR, GENERAL, 3, {FP45, 1, 1}),
	UNITS(MOVD, GENERAL, VECTOR, 3, {FP45, 1, 1}),
	UNITS(VMOVD, GENERAL, VECTOR, 3, {FP45, 1, 1}),
	UNITS(MOVQ, VECTOR, GENERAL, 3, {FP45, 1, 1}),
	UNITS(VMOVQ, VECTOR, GENERAL, 3, {FP45, 1, 1}),
	UNITS(MOVQ, GENERAL, VECTOR, 3, {FP45, 1, 1}),
	UNITS(VMOVQ, GENERAL, VECTOR, 3, {FP45, 1, 1}),
	BOTH(CVTSI2SD, VECTOR, GENERAL, 7),
	BOTH(CVTSI2SS, VECTOR, GENERAL, 7),
	BOTH(CVTSI2SD, VECTOR, VECTOR, 7),
	BOTH(CVTSI2SS, VECTOR, VECTOR, 7),
	BOTH(CVTTSD2SI, GENERAL, VECTOR, 7),
	BOTH(CVTTSS2SI, GENERAL, VECTOR, 7),
	BOTH(CVTSD2SI, GENERAL, VECTOR, 7),
	BOTH(CVTSS2SI, GENERAL, VECTOR, 7),
	BOTH(PMOVMSKB, GENERAL, VECTOR, 3),
	BOTH(MOVMSKPS, GENERAL, VECTOR, 3),
	BOTH(MOVMSKPD, GENERAL, VECTOR, 3),
	BOTH(UCOMISD, VECTOR, VECTOR, 5),
	BOTH(UCOMISS, VECTOR, VECTOR, 5),
	BOTH(COMISD, VECTOR, VECTOR, 5),
	BOTH(COMISS, VECTOR, VECTOR, 5),
	BOTH(PTEST, VECTOR, VECTOR, 4),
	BOTH(PEXTRB, GENERAL, VECTOR, 4),
	BOTH(PEXTRW, GENERAL, VECTOR, 4),
	BOTH(PEXTRD, GENERAL, VECTOR, 4),
	BOTH(PEXTRQ, GENERAL, VECTOR, 4),
	/* Zen 3: from the general register; with the vector it merges in one cycle. */
	BOTH(PINSRB, VECTOR, ANY, 5),
	BOTH(PINSRW, VECTOR, ANY, 5),
	BOTH(PINSRD, VECTOR, ANY, 5),
	BOTH(PINSRQ, VECTOR, ANY, 5),
	/* Zen 3: with indices from the same register as the result. */
	LATENCY(VPERMD, VECTOR, VECTOR, 8),
	LATENCY(VPERMPS, VECTOR, VECTOR, 8),
	LATENCY(VEXTRACTI128, VECTOR, VECTOR, 3),
	LATENCY(VEXTRACTF128, VECTOR, VECTOR, 3),
	/* SOG, "Floating-Point Unit": x87 is 7 cycles; Zen 3 as well. */
	LATENCY(FADD, X87, ANY, 7),
	LATENCY(FSUB, X87, ANY, 7),
	LATENCY(FMUL, X87, ANY, 7),
	LATENCY(FADDP, X87, ANY, 7),
	LATENCY(FMULP, X87, ANY, 7),
	/* Zen 3: two a cycle. */
	UNITS(RSQRTPS, VECTOR, VECTOR, 0, {FP01, 1, 1}),
	UNITS(VRSQRTPS, VECTOR, VECTOR, 0, {FP01, 1, 1}),
	UNITS(RCPPS, VECTOR, VECTOR, 0, {FP01, 1, 1}),
	UNITS(VRCPPS, VECTOR, VECTOR, 0, {FP01, 1, 1}),
	/* Zen 3: between two of them. */
	UNITS(LFENCE, ANY, ANY, 0, {ALU_0, 10, 1}),
	UNITS(MFENCE, ANY, ANY, 0, {ALU_0, 60, 1}),
	/* Zen 3: all four pipes. */
	UNITS(MOVSS, VECTOR, VECTOR, 1, {FP_ANY, 1, 1}),
	UNITS(MOVSD, VECTOR, VECTOR, 1, {FP_ANY, 1, 1}),
	UNITS(BLENDPS, VECTOR, VECTOR, 1, {FP_ANY, 1, 1}),
	UNITS(BLENDPD, VECTOR, VECTOR, 1, {FP_ANY, 1, 1}),
	/* Zen 3: LLVM has 100 micro-operations for all of microcode. */
	UNITS(LODSB, ANY, ANY, 5, {ALU, 1, 3}),
	UNITS(LODSW, ANY, ANY, 5, {ALU, 1, 3}),
	UNITS(LODSD, ANY, ANY, 5, {ALU, 1, 3}),
	UNITS(LODSQ, ANY, ANY, 5, {ALU, 1, 3}),
	UNITS(SCASB, ANY, ANY, 5, {ALU, 1, 4}),
	UNITS(CMPSB, ANY, ANY, 5, {ALU, 1, 4}),
	UNITS(MOVSB, ANY, ANY, 5, {ALU, 1, 4}),
	UNITS(MOVSQ, ANY, ANY, 5, {ALU, 1, 4}),
	UNITS(STOSB, ANY, ANY, 1, {ALU, 1, 2}),
	UNITS(STOSD, ANY, ANY, 1, {ALU, 1, 2}),
	UNITS(STOSQ, ANY, ANY, 1, {ALU, 1, 2}),
	{0},
};

/*
 * Zen 4, after what was measured of single forms. Data from vectors or masks to general registers
 * go through one pipe; where they write a register, its write takes four of the ALUs' cycles, as
 * LEA beside it shows. Data to vectors take five cycles of the floating-point pipes. There and back
 * is 7 cycles by MOVQ, 3 of them to vectors, 9 by KMOVD.
 */
#define TO_GENERAL(name, from, n)                                            \
	CHANGE(name, GENERAL, from, ZEN_4, .latency = n, .use = {FP5, 1, 1}, \
	       .also = {ALU, CORE_EACH_UNIT, 1})
#define IN_PARTS(name, from, n) \
	CHANGE(name, GENERAL, from, ZEN_4, .latency = n, .use = {FP5, 1, 1}, .also = {ALU, 4, 1})
#define IN_PARTS_BOTH(name, n) IN_PARTS(name, VECTOR, n), IN_PARTS(V##name, VECTOR, n)
#define TO_FLAGS(name, from) \
	CHANGE(name, from, from, ZEN_4, .use = {FP5, 1, 1}, .also = {ALU, 1, 1})
#define TO_VECTOR(name, from, n, cycles) \
	CHANGE(name, VECTOR, from, ZEN_4, .latency = n, .use = {FP_ANY, cycles, 1})
#define CONVERTS(name, from) \
	CHANGE(name, VECTOR, from, ZEN_4, .latency = 5, .use = {FP23, 3, 1}, .also = {FP01, 3, 1})
#define CONVERTS_BOTH(name, from) CONVERTS(name, from), CONVERTS(V##name, from)
#define TO_MASK(name)             CHANGE(name, MASK, GENERAL, ZEN_4, .latency = 4)
#define ALONE(name, cycles)       CHANGE(name, ANY, ANY, ZEN_4, .use = {ALU_0, cycles, 1})
#define TO_GENERAL_BOTH(name, n)  TO_GENERAL(name, VECTOR, n), TO_GENERAL(V##name, VECTOR, n)
#define TO_FLAGS_BOTH(name)       TO_FLAGS(name, VECTOR), TO_FLAGS(V##name, VECTOR)
#define TO_VECTOR_BOTH(name, from, n, cycles) \
	TO_VECTOR(name, from, n, cycles), TO_VECTOR(V##name, from, n, cycles)

/* Zen 4: products of two registers, and shifts of two, beside LEA: six cycles of the ALUs each. */
#define OF_TWO_WORDS(name, second)                                 \
	CHANGE(name, GENERAL, second, ZEN_4, .use = {ALU_1, 1, 1}, \
	       .also = {ALU ^ ALU_1, CORE_EACH_UNIT, 1})
#define SHIFT_OF_TWO(name) CHANGE(name, GENERAL, ANY, ZEN_4, .use = {ALU, 3, 2})

static const struct core_change transfers[] = {
	OF_TWO_WORDS(MUL, ANY),
	OF_TWO_WORDS(IMUL, NOTHING),
	OF_TWO_WORDS(MULX, ANY),
	SHIFT_OF_TWO(SHLD),
	SHIFT_OF_TWO(SHRD),
	TO_GENERAL_BOTH(MOVD, 4),
	TO_GENERAL_BOTH(MOVQ, 4),
	TO_GENERAL_BOTH(PMOVMSKB, 4),
	TO_GENERAL_BOTH(MOVMSKPS, 4),
	TO_GENERAL_BOTH(MOVMSKPD, 4),
	IN_PARTS_BOTH(PEXTRB, 5),
	IN_PARTS_BOTH(PEXTRW, 5),
	IN_PARTS_BOTH(PEXTRD, 5),
	IN_PARTS_BOTH(PEXTRQ, 5),
	IN_PARTS_BOTH(CVTTSD2SI, 7),
	IN_PARTS_BOTH(CVTTSS2SI, 7),
	IN_PARTS_BOTH(CVTSD2SI, 7),
	IN_PARTS_BOTH(CVTSS2SI, 7),
	TO_GENERAL(KMOVB, MASK, 5),
	TO_GENERAL(KMOVW, MASK, 5),
	TO_GENERAL(KMOVD, MASK, 5),
	CHANGE(KMOVQ, GENERAL, MASK, ZEN_4, .latency = 5, .use = {FP5, 2, 1},
	       .also = {ALU, CORE_EACH_UNIT, 1}),
	TO_FLAGS_BOTH(UCOMISD),
	TO_FLAGS_BOTH(UCOMISS),
	TO_FLAGS_BOTH(COMISD),
	TO_FLAGS_BOTH(COMISS),
	TO_FLAGS_BOTH(PTEST),
	TO_FLAGS(KORTESTB, MASK),
	TO_FLAGS(KORTESTW, MASK),
	TO_FLAGS(KORTESTD, MASK),
	TO_FLAGS(KORTESTQ, MASK),
	TO_VECTOR(MOVD, GENERAL, 3, 5),
	TO_VECTOR(MOVQ, GENERAL, 3, 5),
	TO_VECTOR(VMOVD, GENERAL, 3, 4),
	TO_VECTOR(VMOVQ, GENERAL, 3, 4),
	CONVERTS_BOTH(CVTSI2SD, GENERAL),
	CONVERTS_BOTH(CVTSI2SS, GENERAL),
	CONVERTS_BOTH(CVTSI2SD, VECTOR),
	CONVERTS_BOTH(CVTSI2SS, VECTOR),
	TO_VECTOR_BOTH(PINSRB, ANY, 3, 5),
	TO_VECTOR_BOTH(PINSRW, ANY, 3, 5),
	TO_VECTOR_BOTH(PINSRD, ANY, 3, 5),
	TO_VECTOR_BOTH(PINSRQ, ANY, 3, 5),
	/* Between two of them. */
	ALONE(PAUSE, 90),
	ALONE(RDTSC, 35),
	ALONE(LFENCE, 17),
	TO_MASK(KMOVB),
	TO_MASK(KMOVW),
	TO_MASK(KMOVD),
	TO_MASK(KMOVQ),
	{0},
};

static bool fits(enum operand asked, unsigned kind)
{
	switch (asked) {
	case GENERAL:
		return kind >= CORE_R8 && kind <= CORE_R64;
	case VECTOR:
		return kind >= CORE_XMM && kind <= CORE_ZMM;
	case X87:
		return kind == CORE_X87;
	case IMMEDIATE:
		return kind == CORE_IMMEDIATE;
	case MASK:
		return kind == CORE_MASK;
	case NOTHING:
		return !kind;
	default:
		return true;
	}
}

/* Rows of memory hold for their loads and stores as well. LEA has only the address. */
static bool key_has_memory(uint32_t key)
{
	return (key >> 10 & 15) == CORE_MEMORY || (key >> 6 & 15) == CORE_MEMORY ||
	       (key >> 2 & 15) == CORE_MEMORY;
}

static bool is_vector(uint32_t key)
{
	return fits(VECTOR, key >> 10 & 15) || fits(VECTOR, key >> 6 & 15);
}

static bool change_holds(const struct core_change *c, const struct core_table *core, uint32_t key)
{
	return c->mnemonic == key >> 21 && (c->has_detail || !key_has_memory(key)) &&
	       fits((enum operand)c->first, key >> 10 & 15) &&
	       fits((enum operand)c->second, key >> 6 & 15) &&
	       (!c->has_detail || c->detail == (key >> 14 & 7)) && strstr(c->cores, core->name);
}

/* SOG, "Load-Store Unit": two stores a cycle, of which one has vectors. LLVM has one. */
static void change_store(struct core_row *row, uint32_t key)
{
	static const struct core_use store = {3u << 14, 1, 1};

	if (row->nuses != 2 || row->uses[1].ports != store.ports || row->uses[1].cycles != 2 ||
	    row->uses[1].count != 1 || is_vector(key))
		return;
	row->uses = &store;
	row->nuses = 1;
}

static bool is_wide(uint32_t key)
{
	return (key >> 10 & 15) == CORE_ZMM || (key >> 6 & 15) == CORE_ZMM;
}

/*
 * SOG, "Load-Store Unit": three loads a cycle, of which two are of vectors; "Floating-Point Unit":
 * only data of stores and of general registers go through pipes 4 and 5. LLVM has loads there. Zen
 * 4: 512 bits are two accesses.
 */
static void change_vector_access(struct core_row *row, struct core_use uses[CORE_USES],
				 uint32_t key)
{
	unsigned n = 0;

	if (!key_has_memory(key) || row->nuses < 2 || !(row->uses[row->nuses - 2].ports & FP45))
		return;
	for (unsigned i = 0; i < row->nuses; i++) {
		struct core_use use = row->uses[i];

		if (use.ports == FP45 && i + 1u < row->nuses && row->uses[i + 1].ports == LOADS) {
			use = row->uses[++i];
			use.ports = VECTOR_LOADS;
		}
		if (is_wide(key) && use.ports & (VECTOR_LOADS | FP45))
			use.cycles = 2;
		uses[n++] = use;
	}
	row->uses = uses;
	row->nuses = (uint8_t)n;
}

/* Returns whether a change gives the row its units. */
static bool change_row(struct core_row *row, struct core_use uses[CORE_USES],
		       const struct core_change *table, const struct core_table *core, uint32_t key)
{
	for (const struct core_change *c = table; c->mnemonic; c++) {
		if (!change_holds(c, core, key))
			continue;
		if (c->uops)
			row->uops = c->uops;
		for (unsigned i = 0; c->latency && i < row->nwrites; i++)
			row->latency[i] = c->latency;
		if (!c->use.ports)
			return false;
		uses[0] = c->use;
		uses[1] = c->also;
		row->uses = uses;
		row->nuses = c->also.ports ? 2 : 1;
		return true;
	}
	return false;
}

void core_change_row(struct core_row *row, struct core_use uses[CORE_USES],
		     const struct core_table *core, uint32_t key)
{
	if (strncmp(core->name, "zen", 3) != 0) {
		core_change_intel(row, uses, core, key);
		return;
	}
	change_row(row, uses, changes, core, key);
	if (strstr(ZEN_3, core->name)) {
		change_store(row, key);
		change_vector_access(row, uses, key);
	}
	core_take_measured(row, change_row(row, uses, transfers, core, key) ? NULL : uses, core,
			   key);
}
