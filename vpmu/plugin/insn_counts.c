// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_counts.c - decodes instructions by Zydis. Counts follow Intel's texts of the events:
 * BR_INST_RETIRED for branches, FP_ARITH_INST_RETIRED for arithmetic (SDM, "Performance Monitoring
 * Events"); and AMD's of FP_RET_SSE_AVX_OPS (PPR of family 19h).
 */
#include "vpmu/plugin/insn_counts.h"

#include <Zydis/Zydis.h>
#include <string.h>

#define NARROW_BITS   64 /* QEMU splits wider accesses */
#define ELEMENTS_MOST 16 /* elements of a gather */

/* The arithmetic of a mnemonic: `elements` of floating point, `operations` on each. */
enum arithmetic { NO_ARITHMETIC, ADDS, MULTIPLIES, DIVIDES, FUSES, COMPARES, DOTS, X87 };

static const struct stem {
	const char *text; /* without AVX's V and the type at the end */
	enum arithmetic what;
} stems[] = {
	{"add", ADDS},       {"sub", ADDS},         {"hadd", ADDS},    {"hsub", ADDS},
	{"addsub", ADDS},    {"mul", MULTIPLIES},   {"div", DIVIDES},  {"sqrt", DIVIDES},
	{"min", COMPARES},   {"max", COMPARES},     {"rcp", COMPARES}, {"rsqrt", COMPARES},
	{"rcp14", COMPARES}, {"rsqrt14", COMPARES}, {"dp", DOTS},
};

static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub"};

static const char *const x87[] = {
	"fadd",   "faddp",  "fiadd", "fsub",  "fsubp",   "fisub",  "fsubr",   "fsubrp",
	"fisubr", "fmul",   "fmulp", "fimul", "fdiv",    "fdivp",  "fidiv",   "fdivr",
	"fdivrp", "fidivr", "fsqrt", "fprem", "fprem1",  "fsin",   "fcos",    "fsincos",
	"fptan",  "fpatan", "f2xm1", "fyl2x", "fyl2xp1", "fscale", "frndint",
};

static struct {
	ZydisDecoder modes[3]; /* 64-, 32-, 16-bit code */
	uint8_t arithmetic[ZYDIS_MNEMONIC_MAX_VALUE + 1];
} zydis;

/* --- Tables, made once --- */

static bool is_among(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(text, list[i]))
			return true;
	return false;
}

static bool begins_fused(const char *text)
{
	for (size_t i = 0; i < sizeof(fused) / sizeof(*fused); i++)
		if (!strncmp(text, fused[i], strlen(fused[i])))
			return true;
	return false;
}

static bool ends_in_type(const char *text, size_t n)
{
	return n > 2 && (text[n - 2] == 'p' || text[n - 2] == 's') &&
	       (text[n - 1] == 's' || text[n - 1] == 'd');
}

static enum arithmetic arithmetic_of(const char *mnemonic)
{
	const char *text = mnemonic + (*mnemonic == 'v');
	const size_t n = strlen(text);

	if (is_among(mnemonic, x87, sizeof(x87) / sizeof(*x87)))
		return X87;
	if (!ends_in_type(text, n))
		return NO_ARITHMETIC;
	if (begins_fused(text))
		return FUSES;
	for (size_t i = 0; i < sizeof(stems) / sizeof(*stems); i++)
		if (strlen(stems[i].text) == n - 2 && !strncmp(text, stems[i].text, n - 2))
			return stems[i].what;
	return NO_ARITHMETIC;
}

void decode_init(void)
{
	ZydisDecoderInit(&zydis.modes[0], ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisDecoderInit(&zydis.modes[1], ZYDIS_MACHINE_MODE_LONG_COMPAT_32, ZYDIS_STACK_WIDTH_32);
	ZydisDecoderInit(&zydis.modes[2], ZYDIS_MACHINE_MODE_REAL_16, ZYDIS_STACK_WIDTH_16);
	for (ZydisMnemonic m = 0; m <= ZYDIS_MNEMONIC_MAX_VALUE; m++)
		zydis.arithmetic[m] = (uint8_t)arithmetic_of(ZydisMnemonicGetString(m));
}

/* --- Branches --- */

static bool is_direct(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static enum plugin_branch branch_of(const ZydisDecodedInstruction *i,
				    const ZydisDecodedOperand *operand)
{
	const bool far = i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ||
			 i->meta.branch_type == ZYDIS_BRANCH_TYPE_NONE;

	switch (i->meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return i->meta.isa_ext == ZYDIS_ISA_EXT_RTM ? BRANCH_NONE : BRANCH_CONDITIONAL;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return i->meta.isa_ext == ZYDIS_ISA_EXT_RTM ? BRANCH_NONE
		       : far                                ? BRANCH_FAR
		       : is_direct(operand)                 ? BRANCH_JUMP
							    : BRANCH_INDIRECT_JUMP;
	case ZYDIS_CATEGORY_CALL:
		return far ? BRANCH_FAR : is_direct(operand) ? BRANCH_CALL : BRANCH_INDIRECT_CALL;
	case ZYDIS_CATEGORY_RET:
		return far ? BRANCH_FAR : BRANCH_RETURN;
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
		return BRANCH_FAR;
	default:
		return BRANCH_NONE;
	}
}

static void tally_branch(struct tally *t, const ZydisDecodedInstruction *i,
			 enum plugin_branch branch)
{
	static const uint8_t counts[][3] = {
		[BRANCH_NONE] = {0},
		[BRANCH_CONDITIONAL] = {EVENTS_BRANCHES, EVENTS_CONDITIONAL},
		[BRANCH_JUMP] = {EVENTS_BRANCHES},
		[BRANCH_CALL] = {EVENTS_BRANCHES, EVENTS_CALLS},
		[BRANCH_RETURN] = {EVENTS_BRANCHES, EVENTS_RETURNS},
		[BRANCH_INDIRECT_JUMP] = {EVENTS_BRANCHES, EVENTS_INDIRECT_JUMPS},
		[BRANCH_INDIRECT_CALL] = {EVENTS_BRANCHES, EVENTS_CALLS, EVENTS_INDIRECT_CALLS},
		[BRANCH_FAR] = {EVENTS_BRANCHES, EVENTS_FAR_BRANCHES},
	};

	for (size_t k = 0; k < sizeof(counts[0]) && counts[branch][k]; k++)
		t->n[counts[branch][k]] = 1;
	t->n[EVENTS_SYSCALLS] = i->meta.category == ZYDIS_CATEGORY_SYSCALL;
}

/* --- Memory --- */

struct accesses {
	unsigned reads, writes;
	unsigned narrow; /* QEMU's accesses for these, at most */
	bool wide;       /* some take several accesses of QEMU's */
};

static bool is_accessed(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operand)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_SYSCALL:
	case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_INTERRUPT:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_CLDEMOTE:
		return false;
	default:
		break;
	}
	if (i->mnemonic == ZYDIS_MNEMONIC_INVLPG || i->meta.isa_ext == ZYDIS_ISA_EXT_CLFSH ||
	    i->meta.isa_ext == ZYDIS_ISA_EXT_CLFLUSHOPT || i->meta.isa_ext == ZYDIS_ISA_EXT_CLWB)
		return false;
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

static unsigned narrow_of(const ZydisDecodedOperand *operand)
{
	const unsigned ways = !!(operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) +
			      !!(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);

	if (operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		return ways * ELEMENTS_MOST;
	return ways * ((operand->size + NARROW_BITS - 1) / NARROW_BITS + !operand->size);
}

static struct accesses accesses_of(const ZydisDecodedInstruction *i,
				   const ZydisDecodedOperand *operands)
{
	struct accesses a = {0};

	for (unsigned k = 0; k < i->operand_count; k++) {
		if (!is_accessed(i, &operands[k]))
			continue;
		a.reads += !!(operands[k].actions & ZYDIS_OPERAND_ACTION_MASK_READ);
		a.writes += !!(operands[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
		a.narrow += narrow_of(&operands[k]);
		a.wide |= operands[k].size > NARROW_BITS ||
			  operands[k].mem.type == ZYDIS_MEMOP_TYPE_VSIB;
	}
	return a;
}

static bool is_locked(const ZydisDecodedInstruction *i, const struct accesses *a)
{
	return i->attributes & ZYDIS_ATTRIB_HAS_LOCK ||
	       (i->mnemonic == ZYDIS_MNEMONIC_XCHG && a->writes);
}

/* --- Arithmetic --- */

static unsigned width_of(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operand)
{
	return i->avx.vector_length ? i->avx.vector_length : operand->size;
}

static bool has_packed_type(const char *mnemonic)
{
	return mnemonic[strlen(mnemonic) - 2] == 'p';
}

static bool has_double_type(const char *mnemonic)
{
	return mnemonic[strlen(mnemonic) - 1] == 'd';
}

static void tally_instruction(struct tally *t, unsigned width, bool packed, bool is_double,
			      unsigned times)
{
	const enum events_count scalar =
		is_double ? EVENTS_FP_SCALAR_DOUBLE : EVENTS_FP_SCALAR_SINGLE;
	const enum events_count of_128 = is_double ? EVENTS_FP_128_DOUBLE : EVENTS_FP_128_SINGLE;
	const unsigned step = EVENTS_FP_256_SINGLE - EVENTS_FP_128_SINGLE;
	const unsigned wider = width >= 512 ? 2 : width >= 256 ? 1 : 0;

	t->n[packed ? of_128 + wider * step : scalar] = (uint8_t)times;
}

static void tally_flops(struct tally *t, enum arithmetic what, unsigned elements)
{
	static const uint8_t counts[][2] = {
		[ADDS] = {EVENTS_FLOPS_ADD_SUB},
		[MULTIPLIES] = {EVENTS_FLOPS_MULTIPLY},
		[DIVIDES] = {EVENTS_FLOPS_DIVIDE},
		[FUSES] = {EVENTS_FLOPS_FMA, EVENTS_FLOPS_FMA},
		[COMPARES] = {0},
		[DOTS] = {EVENTS_FLOPS_ADD_SUB, EVENTS_FLOPS_MULTIPLY},
	};

	for (size_t k = 0; k < sizeof(counts[0]) && counts[what][k]; k++)
		t->n[counts[what][k]] = (uint8_t)(t->n[counts[what][k]] + elements);
}

static void tally_arithmetic(struct tally *t, const ZydisDecodedInstruction *i,
			     const ZydisDecodedOperand *operands)
{
	const enum arithmetic what = zydis.arithmetic[i->mnemonic];
	const char *mnemonic = ZydisMnemonicGetString(i->mnemonic);
	unsigned width;
	bool packed, is_double;

	t->n[EVENTS_DIVIDES] =
		i->mnemonic == ZYDIS_MNEMONIC_DIV || i->mnemonic == ZYDIS_MNEMONIC_IDIV;
	t->n[EVENTS_X87] = what == X87;
	if (what == NO_ARITHMETIC || what == X87)
		return;
	packed = has_packed_type(mnemonic);
	is_double = has_double_type(mnemonic);
	width = width_of(i, &operands[0]);
	tally_instruction(t, width, packed, is_double, what == FUSES || what == DOTS ? 2 : 1);
	tally_flops(t, what, packed ? width / (is_double ? 64 : 32) : 1);
}

/* --- What may fault --- */

/* These cannot fault without an access to memory. */
static bool is_plain(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_BINARY:
		return i->mnemonic != ZYDIS_MNEMONIC_DIV && i->mnemonic != ZYDIS_MNEMONIC_IDIV;
	case ZYDIS_CATEGORY_LOGICAL:
	case ZYDIS_CATEGORY_SHIFT:
	case ZYDIS_CATEGORY_ROTATE:
	case ZYDIS_CATEGORY_CMOV:
	case ZYDIS_CATEGORY_SETCC:
	case ZYDIS_CATEGORY_BITBYTE:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_COND_BR:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_BMI1:
	case ZYDIS_CATEGORY_BMI2:
		return true;
	case ZYDIS_CATEGORY_DATAXFER:
	case ZYDIS_CATEGORY_CONVERT:
		return i->meta.isa_ext == ZYDIS_ISA_EXT_BASE ||
		       i->meta.isa_ext == ZYDIS_ISA_EXT_LONGMODE;
	default:
		return i->mnemonic == ZYDIS_MNEMONIC_LEA;
	}
}

/* Segment, control and debug registers: writes, and most reads, can fault. */
static bool names_special(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operands)
{
	for (unsigned k = 0; k < i->operand_count_visible; k++) {
		const ZydisRegisterClass class =
			operands[k].type == ZYDIS_OPERAND_TYPE_REGISTER
				? ZydisRegisterGetClass(operands[k].reg.value)
				: ZYDIS_REGCLASS_INVALID;

		if (class == ZYDIS_REGCLASS_SEGMENT || class == ZYDIS_REGCLASS_CONTROL ||
		    class == ZYDIS_REGCLASS_DEBUG)
			return true;
	}
	return false;
}

static enum plugin_retires retires_of(const ZydisDecodedInstruction *i,
				      const ZydisDecodedOperand *operands, const struct accesses *a,
				      enum plugin_branch branch)
{
	if (branch == BRANCH_FAR || names_special(i, operands))
		return RETIRES_NEXT;
	if (a->reads + a->writes == 1 && !a->wide)
		return RETIRES_BY_ACCESS;
	if (a->reads || a->writes)
		return a->writes ? RETIRES_FIRST_WRITE : RETIRES_FIRST_READ;
	return is_plain(i) ? RETIRES_SURELY : RETIRES_NEXT;
}

/* --- For the model of a core --- */

/* Serializing instructions, including writes of control registers. */
static bool is_serializing(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operands)
{
	return i->mnemonic == ZYDIS_MNEMONIC_CPUID || i->mnemonic == ZYDIS_MNEMONIC_MFENCE ||
	       i->mnemonic == ZYDIS_MNEMONIC_LFENCE || i->mnemonic == ZYDIS_MNEMONIC_INVLPG ||
	       i->mnemonic == ZYDIS_MNEMONIC_IRETQ || i->mnemonic == ZYDIS_MNEMONIC_IRETD ||
	       (i->operand_count && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		ZydisRegisterGetClass(operands[0].reg.value) == ZYDIS_REGCLASS_CONTROL);
}

static bool flushes_translations(const ZydisDecodedInstruction *i,
				 const ZydisDecodedOperand *operands)
{
	return i->mnemonic == ZYDIS_MNEMONIC_INVLPG ||
	       (i->mnemonic == ZYDIS_MNEMONIC_MOV && is_serializing(i, operands));
}

/* QEMU accesses these widths inline. */
static bool is_wide_as_register(unsigned bits)
{
	return bits <= 512 && !(bits & (bits - 1));
}

static bool is_masked_move(ZydisMnemonic m)
{
	return m == ZYDIS_MNEMONIC_MASKMOVQ || m == ZYDIS_MNEMONIC_MASKMOVDQU ||
	       m == ZYDIS_MNEMONIC_VMASKMOVDQU || m == ZYDIS_MNEMONIC_VMASKMOVPS ||
	       m == ZYDIS_MNEMONIC_VMASKMOVPD || m == ZYDIS_MNEMONIC_VPMASKMOVD ||
	       m == ZYDIS_MNEMONIC_VPMASKMOVQ;
}

/* Segment tables, saved states and gathers: QEMU's helper functions access them. */
static bool is_helped(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operands,
		      enum plugin_branch branch)
{
	if (branch == BRANCH_FAR || i->meta.category == ZYDIS_CATEGORY_SYSTEM ||
	    i->meta.category == ZYDIS_CATEGORY_SEMAPHORE || names_special(i, operands) ||
	    i->mnemonic == ZYDIS_MNEMONIC_ENTER || is_masked_move(i->mnemonic))
		return true;
	for (unsigned k = 0; k < i->operand_count; k++)
		if (is_accessed(i, &operands[k]) && (!is_wide_as_register(operands[k].size) ||
						     operands[k].mem.type == ZYDIS_MEMOP_TYPE_VSIB))
			return true;
	return false;
}

/* --- The stack --- */

static bool writes_rsp(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->reg.value == ZYDIS_REGISTER_RSP &&
	       o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
}

static enum plugin_stack stack_by_source(const ZydisDecodedOperand *source)
{
	ZydisRegister from = ZYDIS_REGISTER_NONE;

	if (source->type == ZYDIS_OPERAND_TYPE_REGISTER)
		from = source->reg.value;
	if (source->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		if (source->mem.type != ZYDIS_MEMOP_TYPE_AGEN)
			return STACK_LOADED;
		from = source->mem.base;
	}
	return from == ZYDIS_REGISTER_RBP || from == ZYDIS_REGISTER_RSP ? STACK_STAYS : STACK_SET;
}

/* MOV, LEA and XCHG have two operands, of which either may be RSP. */
static enum plugin_stack stack_of(const ZydisDecodedInstruction *i,
				  const ZydisDecodedOperand *operands)
{
	const unsigned rsp = writes_rsp(&operands[0]) ? 0 : 1;

	if (i->mnemonic == ZYDIS_MNEMONIC_POP && writes_rsp(&operands[0]))
		return STACK_LOADED;
	if (i->mnemonic != ZYDIS_MNEMONIC_MOV && i->mnemonic != ZYDIS_MNEMONIC_LEA &&
	    i->mnemonic != ZYDIS_MNEMONIC_XCHG)
		return STACK_STAYS;
	return writes_rsp(&operands[rsp]) ? stack_by_source(&operands[!rsp]) : STACK_STAYS;
}

static void find_stack_access(struct decoded *d, const ZydisDecodedInstruction *i,
			      const ZydisDecodedOperand *operands)
{
	for (unsigned k = 0; k < i->operand_count; k++) {
		const ZydisDecodedOperand *o = &operands[k];

		if (!is_accessed(i, o) || o->mem.base != ZYDIS_REGISTER_RSP ||
		    o->mem.index != ZYDIS_REGISTER_NONE)
			continue;
		d->is_at_stack = true;
		d->stack_offset = (int32_t)o->mem.disp.value;
		if (o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		    o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			d->stack_offset = -8; /* PUSH and CALL store below it */
		return;
	}
}

/* --- All of it --- */

static bool decode_some_mode(const uint8_t *code, size_t size, ZydisDecodedInstruction *i,
			     ZydisDecodedOperand *operands)
{
	for (size_t mode = 0; mode < sizeof(zydis.modes) / sizeof(zydis.modes[0]); mode++)
		if (ZYAN_SUCCESS(
			    ZydisDecoderDecodeFull(&zydis.modes[mode], code, size, i, operands)) &&
		    i->length == size)
			return true;
	return false;
}

bool decode_is_cut(const uint8_t *code, size_t size, uint64_t at)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction i;
	const uint64_t last = at + ZYDIS_MAX_INSTRUCTION_LENGTH - 1;

	return at >> 12 != last >> 12 &&
	       ZydisDecoderDecodeFull(&zydis.modes[0], code, size, &i, operands) ==
		       ZYDIS_STATUS_NO_MORE_DATA;
}

static bool is_repeated(const ZydisDecodedInstruction *i)
{
	return (i->meta.category == ZYDIS_CATEGORY_STRINGOP ||
		i->meta.category == ZYDIS_CATEGORY_IOSTRINGOP) &&
	       i->attributes &
		       (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
}

static void tally_memory(struct decoded *d, const ZydisDecodedInstruction *i,
			 const struct accesses *a)
{
	if (d->branch == BRANCH_FAR)
		return;
	d->tally.n[EVENTS_LOADS] = !!a->reads;
	d->tally.n[EVENTS_STORES] = !!a->writes;
	d->tally.n[EVENTS_LOCKED] = is_locked(i, a);
	d->tally.n[EVENTS_REP_ITERATIONS] = d->repeats;
}

static uint64_t branch_target(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operand,
			      uint64_t at)
{
	uint64_t target = 0;

	if (i->operand_count && is_direct(operand) && operand->imm.is_relative)
		ZydisCalcAbsoluteAddress(i, operand, at, &target);
	return target;
}

static void describe(struct decoded *d, const ZydisDecodedInstruction *i,
		     const ZydisDecodedOperand *operands, uint64_t at)
{
	const struct accesses a = accesses_of(i, operands);

	d->branch = branch_of(i, &operands[0]);
	d->repeats = is_repeated(i);
	d->retires = retires_of(i, operands, &a, d->branch);
	d->target = branch_target(i, &operands[0], at);
	d->accesses = (uint8_t)(a.narrow < UINT8_MAX ? a.narrow : UINT8_MAX);
	d->flushes = flushes_translations(i, operands);
	d->is_intercepted =
		i->mnemonic == ZYDIS_MNEMONIC_CPUID || i->mnemonic == ZYDIS_MNEMONIC_RDPMC;
	d->is_exchange = i->mnemonic == ZYDIS_MNEMONIC_XCHG &&
			 operands[0].reg.value == ZYDIS_REGISTER_RBX &&
			 operands[1].reg.value == ZYDIS_REGISTER_RBX;
	d->stack = stack_of(i, operands);
	find_stack_access(d, i, operands);
	d->helped = is_helped(i, operands, d->branch);
	tally_branch(&d->tally, i, d->branch);
	tally_memory(d, i, &a);
	tally_arithmetic(&d->tally, i, operands);
}

static const struct decoded unknown = {.retires = RETIRES_NEXT, .tally.n[EVENTS_INSTRUCTIONS] = 1};

void decode(struct decoded *d, const uint8_t *code, size_t size, uint64_t at)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction i;

	*d = unknown;
	if (decode_some_mode(code, size, &i, operands))
		describe(d, &i, operands, at);
}

void decode_at(struct decoded *d, const uint8_t *code, unsigned bits, uint64_t at)
{
	const ZydisDecoder *mode = &zydis.modes[bits == 64 ? 0 : bits == 32 ? 1 : 2];
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction i;

	*d = unknown;
	if (ZYAN_SUCCESS(
		    ZydisDecoderDecodeFull(mode, code, ZYDIS_MAX_INSTRUCTION_LENGTH, &i, operands)))
		describe(d, &i, operands, at);
}
