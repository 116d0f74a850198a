// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_insn.c - describes an instruction for a core: its registers by Zydis, its micro-operations
 * and latencies by the core's table, and what the front end does with it by rules of the manuals
 * (idioms, move elimination, micro- and macro-fusion).
 */
#include "vpmu/core/core_macro_ops.h"
#include "vpmu/core/core_state.h"
#include "vpmu/model/cores/core_key.h"

#include <string.h>

#include <Zydis/Zydis.h>

#define NO_REGISTER       0xff
#define MICROCODE_UOPS    4  /* more of them come from the microcode sequencer */
#define AMD_LOCK_CYCLES   7  /* between two locked instructions */
#define INTEL_LOCK_CYCLES 10 /* of a locked load */
#define INTEL_LOAD_CYCLES 5  /* of another one to a general register */
#define STORED_AGAIN      6  /* from one operation on a place of memory to the next one */
#define MERGE             1u /* cycles of merging with a vector register on AMD's cores */
#define UNKNOWN_MOST      64 /* cycles of an instruction without a row */
#define FRONTEND_MOST     16 /* cycles of predecoder, decoders and microcode for one instruction */

_Static_assert(CORE_ACCESSES >= 2 * ZYDIS_MAX_OPERAND_COUNT, "each operand loads and stores");

#define CARRY ZYDIS_CPUFLAG_CF
#define OTHERS                                                                       \
	(ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF | ZYDIS_CPUFLAG_PF | \
	 ZYDIS_CPUFLAG_AF)

struct instruction {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
};

static bool take_apart(struct instruction *x, const uint8_t *code, size_t size)
{
	ZydisDecoder decoder;

	return ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					     ZYDIS_STACK_WIDTH_64)) &&
	       ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, size, &x->i, x->o));
}

/* --- Registers --- */

static uint8_t core_register(ZydisRegister r)
{
	const ZydisRegisterClass class = ZydisRegisterGetClass(r);
	const ZyanI8 id = ZydisRegisterGetId(r);

	switch (class) {
	case ZYDIS_REGCLASS_GPR8:
	case ZYDIS_REGCLASS_GPR16:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR64:
		r = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
		return (uint8_t)(CORE_REG_GENERAL + ZydisRegisterGetId(r));
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return (uint8_t)(CORE_REG_VECTOR + id);
	case ZYDIS_REGCLASS_MASK:
		return (uint8_t)(CORE_REG_MASK + id);
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX:
		return (uint8_t)(CORE_REG_X87 + id);
	default:
		return NO_REGISTER;
	}
}

static void add_register(uint8_t *list, uint8_t *n, unsigned most, uint8_t r)
{
	if (r == NO_REGISTER || *n == most)
		return;
	for (unsigned i = 0; i < *n; i++)
		if (list[i] == r)
			return;
	list[(*n)++] = r;
}

static void add_source(struct core_insn *insn, uint8_t r)
{
	add_register(insn->sources, &insn->nsources, CORE_SOURCES, r);
}

static void add_address(struct core_insn *insn, ZydisRegister r)
{
	add_register(insn->address, &insn->naddress, CORE_ADDRESS, core_register(r));
}

/* The n-th written operand has the table's n-th latency; the last one holds for the rest. */
static void add_write(struct core_insn *insn, uint8_t r, unsigned latency)
{
	if (r == NO_REGISTER || insn->nwrites == CORE_WRITES + 1)
		return;
	insn->writes[insn->nwrites] = r;
	insn->latency[insn->nwrites++] = (uint16_t)latency;
}

static bool is_narrow(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->size < 32 &&
	       ZydisRegisterGetClass(o->reg.value) <= ZYDIS_REGCLASS_GPR16;
}

/* Scalar forms without VEX that keep the rest of their destination. */
static bool keeps_rest(const struct instruction *x)
{
	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_CVTSI2SD:
	case ZYDIS_MNEMONIC_CVTSI2SS:
	case ZYDIS_MNEMONIC_CVTSD2SS:
	case ZYDIS_MNEMONIC_CVTSS2SD:
	case ZYDIS_MNEMONIC_SQRTSD:
	case ZYDIS_MNEMONIC_SQRTSS:
	case ZYDIS_MNEMONIC_RCPSS:
	case ZYDIS_MNEMONIC_RSQRTSS:
	case ZYDIS_MNEMONIC_ROUNDSD:
	case ZYDIS_MNEMONIC_ROUNDSS:
	case ZYDIS_MNEMONIC_MOVHLPS:
	case ZYDIS_MNEMONIC_MOVLHPS:
		return true;
	case ZYDIS_MNEMONIC_MOVHPS:
	case ZYDIS_MNEMONIC_MOVHPD:
	case ZYDIS_MNEMONIC_MOVLPS:
	case ZYDIS_MNEMONIC_MOVLPD:
		return x->o[1].type == ZYDIS_OPERAND_TYPE_MEMORY;
	case ZYDIS_MNEMONIC_MOVSD:
	case ZYDIS_MNEMONIC_MOVSS:
		return x->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
	default:
		return false;
	}
}

static bool waits_falsely(const struct instruction *x, const struct core_shape *shape)
{
	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_POPCNT:
		return shape->traits & CORE_POPCNT_WAITS;
	case ZYDIS_MNEMONIC_LZCNT:
	case ZYDIS_MNEMONIC_TZCNT:
		return shape->traits & CORE_TZCNT_WAITS;
	default:
		return false;
	}
}

static bool is_stack_engine(const ZydisDecodedOperand *o, const struct instruction *x)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
	       core_register(o->reg.value) == CORE_REG_RSP &&
	       (x->i.meta.category == ZYDIS_CATEGORY_PUSH ||
		x->i.meta.category == ZYDIS_CATEGORY_POP ||
		x->i.meta.category == ZYDIS_CATEGORY_CALL ||
		x->i.meta.category == ZYDIS_CATEGORY_RET);
}

/* By so much the stack engine moves the stack pointer. On AMD's cores only that it does counts. */
static int8_t stack_bytes(const struct instruction *x, const struct core_shape *shape)
{
	const bool up = x->i.meta.category == ZYDIS_CATEGORY_POP ||
			x->i.meta.category == ZYDIS_CATEGORY_RET;

	if (shape->traits & CORE_AMD)
		return -1;
	return (int8_t)((up ? 1 : -1) * x->i.operand_width / 8);
}

/* Intel's stack engine begins anew where the stack pointer is written without being read. */
static bool needs_stack(const ZydisDecodedOperand *o, const struct core_shape *shape)
{
	return shape->traits & CORE_AMD || o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
}

static void take_memory_operand(struct core_insn *insn, const struct instruction *x,
				const ZydisDecodedOperand *o)
{
	const bool hidden = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
			    core_register(o->mem.base) == CORE_REG_RSP;

	if (!hidden)
		add_address(insn, o->mem.base);
	add_address(insn, o->mem.index);
	if (o->mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
		for (unsigned i = 0; i < insn->naddress; i++)
			add_source(insn, insn->address[i]);
		insn->naddress = 0;
		return;
	}
	if (x->i.mnemonic == ZYDIS_MNEMONIC_NOP || x->i.meta.category == ZYDIS_CATEGORY_PREFETCH)
		return;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		insn->loads++;
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		insn->stores++;
}

/* EVEX names k0 where there is no mask. */
static bool masks_nothing(const ZydisDecodedOperand *o)
{
	return o->encoding == ZYDIS_OPERAND_ENCODING_MASK && o->reg.value == ZYDIS_REGISTER_K0;
}

static void take_operands(struct core_insn *insn, const struct instruction *x,
			  const struct core_model *model, const struct core_row *row)
{
	unsigned nth = 0;

	for (unsigned k = 0; k < x->i.operand_count; k++) {
		const ZydisDecodedOperand *o = &x->o[k];
		uint8_t r;

		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
			take_memory_operand(insn, x, o);
		if (o->type != ZYDIS_OPERAND_TYPE_REGISTER || masks_nothing(o))
			continue;
		r = core_register(o->reg.value);
		if (is_stack_engine(o, x)) {
			insn->flags |= CORE_STACK;
			insn->moves_stack = stack_bytes(x, model->shape);
			continue;
		}
		if (r == CORE_REG_RSP && needs_stack(o, model->shape))
			insn->flags |= CORE_SEES_STACK;
		if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ ||
		    o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE || (is_narrow(o) && k == 0) ||
		    (k == 0 && x->i.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
		     keeps_rest(x)) ||
		    (k == 0 && waits_falsely(x, model->shape)))
			add_source(insn, r);
		if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) {
			const unsigned last = row && row->nwrites ? row->nwrites - 1u : 0;

			add_write(insn, r, row ? row->latency[nth < last ? nth : last] : 1);
			nth++;
		}
	}
	for (unsigned i = 0; i < insn->naddress; i++)
		if (insn->address[i] == CORE_REG_RSP)
			insn->flags |= CORE_SEES_STACK;
	/* LEA has its address among its sources. */
	for (unsigned i = 0; i < insn->nsources && !(model->shape->traits & CORE_AMD); i++)
		if (insn->sources[i] == CORE_REG_RSP)
			insn->flags |= CORE_SEES_STACK;
}

/* A shift by CL leaves the flags if CL is 0, so it waits for them (Optimization Reference Manual,
 * "Variable Bit Count Rotation and Shift"). */
static bool merges_flags(const struct instruction *x, const struct core_shape *shape)
{
	const bool shifts = x->i.mnemonic == ZYDIS_MNEMONIC_SHL ||
			    x->i.mnemonic == ZYDIS_MNEMONIC_SHR ||
			    x->i.mnemonic == ZYDIS_MNEMONIC_SAR;

	return shifts && !(shape->traits & CORE_AMD) &&
	       x->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       x->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

static void take_flags(struct core_insn *insn, const struct instruction *x,
		       const struct core_shape *shape, const struct core_row *row)
{
	const bool merges = merges_flags(x, shape);
	const ZydisAccessedFlags *f = x->i.cpu_flags;
	const unsigned last = row && row->nwrites ? row->nwrites - 1u : 0;
	const unsigned latency = row ? row->latency[last] : 1;
	ZyanU32 written;

	if (!f)
		return;
	written = f->modified | f->set_0 | f->set_1 | f->undefined;
	if (f->tested & CARRY || merges)
		add_source(insn, CORE_REG_CARRY);
	if (f->tested & OTHERS || merges)
		add_source(insn, CORE_REG_FLAGS);
	if (written & CARRY)
		add_write(insn, CORE_REG_CARRY, latency);
	if (written & OTHERS)
		add_write(insn, CORE_REG_FLAGS, latency);
}

/* --- Micro-operations --- */

/* The tables of Zen 3 and 4 have address generation apart from the pipes of loads and stores, which
 * limit more. Zen 2's has no other pipes for these. */
static bool is_address_generation(const struct core_use *use, const struct core_table *t)
{
	return !(use->ports & t->loads) && !strncmp(t->units[__builtin_ctz(use->ports)], "AGU", 3);
}

static uint8_t uop_kind(const struct core_use *use, const struct core_table *t,
			const struct core_insn *insn, unsigned loads)
{
	if (insn->loads && loads < insn->loads && !(use->ports & ~t->loads))
		return CORE_LOAD;
	if (insn->stores && !(use->ports & ~t->store_data))
		return CORE_STORE_DATA;
	if (insn->stores && !(use->ports & ~t->store_addresses))
		return CORE_STORE_ADDRESS;
	if (insn->loads && !(use->ports & ~t->loads))
		return CORE_LOAD;
	return use->ports & ~t->dividers ? CORE_COMPUTE : CORE_OCCUPY;
}

static struct core_uop uop_of_use(const struct core_use *use, uint8_t kind)
{
	const bool each = use->cycles == CORE_EACH_UNIT;

	return (struct core_uop){.units = use->ports,
				 .kind = kind,
				 .takes_each = each,
				 .cycles = each ? 1 : use->cycles};
}

static void take_uops(struct core_insn *insn, const struct core_row *row,
		      const struct core_table *t)
{
	unsigned loads = 0;

	for (unsigned u = 0; u < row->nuses; u++) {
		if (is_address_generation(&row->uses[u], t))
			continue;
		for (unsigned n = 0; n < row->uses[u].count && insn->nuops < CORE_UOPS; n++) {
			const uint8_t kind = uop_kind(&row->uses[u], t, insn, loads);

			loads += kind == CORE_LOAD;
			insn->uops[insn->nuops++] = uop_of_use(&row->uses[u], kind);
		}
	}
}

static unsigned count_kind(const struct core_insn *insn, enum core_uop_kind kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < insn->nuops; i++)
		n += insn->uops[i].kind == kind;
	return n;
}

/* The unit of store addresses that Haswell and Skylake have apart takes no index. */
static void restrict_store(struct core_insn *insn, const struct core_model *model, bool indexed)
{
	if (!indexed || !(model->shape->traits & CORE_SPECIAL_STORE))
		return;
	for (unsigned i = 0; i < insn->nuops; i++)
		if (insn->uops[i].kind == CORE_STORE_ADDRESS)
			insn->uops[i].units &= model->table->loads;
}

/* An operation keeps its load with an index where the destination is also its first source. */
static bool is_unlaminated(const struct instruction *x, const struct core_shape *shape)
{
	if (shape->traits & CORE_UNLAMINATES_ALL)
		return true;
	if (!(shape->traits & CORE_UNLAMINATES))
		return false;
	return x->i.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
	       !(x->o[0].actions & ZYDIS_OPERAND_ACTION_MASK_READ);
}

static bool is_double_shift(ZydisMnemonic mnemonic)
{
	return mnemonic == ZYDIS_MNEMONIC_SHLD || mnemonic == ZYDIS_MNEMONIC_SHRD;
}

/* Only the first decoder of Intel's cores takes a POP of RSP or R12 in its short form, and until
 * Broadwell the others are idle then (arXiv 2107.14210, section 4.1). */
static bool is_pop_of_12(const struct instruction *x)
{
	return x->i.mnemonic == ZYDIS_MNEMONIC_POP && x->i.opcode == 0x5c;
}

static uint32_t alu_units(const struct core_table *table)
{
	uint32_t alus = 0;

	for (unsigned i = 0; i < CORE_UNITS && table->units[i]; i++)
		alus |= (uint32_t)!strncmp(table->units[i], "ALU", 3) << i;
	return alus;
}

static bool is_signed_move(ZydisMnemonic mnemonic)
{
	return mnemonic == ZYDIS_MNEMONIC_MOVSX || mnemonic == ZYDIS_MNEMONIC_MOVSXD;
}

/* A byte or a word that is loaded into a part of a register. */
static bool merges_load(const struct core_insn *insn, const struct instruction *x)
{
	return x->i.mnemonic == ZYDIS_MNEMONIC_MOV && insn->loads && x->o[0].size < 32;
}

/* An ALU extends the sign of what is loaded, and merges a byte or word into its register: three
 * such loads and seven LEAs take a Zen 4 2.75 cycles (tests/accuracy). */
static void take_extension(struct core_insn *insn, const struct instruction *x,
			   const struct core_model *model)
{
	const bool merges = merges_load(insn, x);

	if (!(model->shape->traits & CORE_AMD) || insn->loads != 1 || insn->stores ||
	    !(merges || is_signed_move(x->i.mnemonic)) || count_kind(insn, CORE_COMPUTE))
		return;
	if (merges)
		add_source(insn, insn->writes[0]);
	insn->uops[insn->nuops++] = (struct core_uop){
		.units = alu_units(model->table), .kind = CORE_COMPUTE, .cycles = 1};
}

static void count_slots(struct core_insn *insn, const struct instruction *x,
			const struct core_model *model, const struct core_row *row, bool indexed)
{
	const unsigned computes = count_kind(insn, CORE_COMPUTE),
		       loads = count_kind(insn, CORE_LOAD);
	const unsigned data = count_kind(insn, CORE_STORE_DATA),
		       addresses = count_kind(insn, CORE_STORE_ADDRESS);
	const unsigned stores = data > addresses ? data : addresses;
	unsigned fused = computes + stores, issued;

	if (!insn->nuops && !(model->shape->traits & CORE_AMD))
		fused = row->uops; /* they need no unit */

	if (loads > computes)
		fused += loads - computes;
	issued = fused;
	if (indexed && loads && computes && is_unlaminated(x, model->shape))
		issued += loads < computes ? loads : computes;
	if (indexed && stores && model->shape->traits & CORE_UNLAMINATES_ALL)
		issued += stores;
	if (model->shape->traits & CORE_AMD)
		fused = issued = core_macro_ops(insn, &x->i, x->o, computes);
	if (model->shape->double_shifts && is_double_shift(x->i.mnemonic))
		issued = model->shape->double_shifts;
	insn->fused = (uint8_t)(fused ? fused : 1);
	insn->issued = (uint8_t)(issued ? issued : 1);
	if (insn->fused > (model->shape->traits & CORE_AMD ? 2 : 1))
		insn->flags |= CORE_COMPLEX;
	if (insn->fused > MICROCODE_UOPS)
		insn->flags |= CORE_MICROCODE;
	if (model->shape->traits & CORE_AMD || !is_pop_of_12(x))
		return;
	insn->flags |= CORE_COMPLEX;
	insn->decoded_alone = model->shape->traits & CORE_FUSIBLE_NOT_LAST;
}

/* The cycles of the load among those of a row of Intel's cores that tells only all of them. */
static unsigned load_part(const struct core_insn *insn, unsigned cycles)
{
	if (insn->stores)
		return cycles > INTEL_LOAD_CYCLES ? INTEL_LOAD_CYCLES : cycles;
	return count_kind(insn, CORE_COMPUTE) && cycles > 1 ? cycles - 1 : cycles;
}

/* Behind one micro-operation between a load and a store, so many cycles until the next such
 * instruction has its result: A. Fog, "Instruction tables", Haswell. LLVM's Golden Cove has the
 * latency of the store in it. */
static void limit_stored(struct core_insn *insn, const struct core_shape *shape)
{
	const uint16_t most = (uint16_t)(STORED_AGAIN - shape->forward_cycles);

	for (unsigned i = 0; i < insn->nwrites; i++)
		if (insn->latency[i] > most)
			insn->latency[i] = most;
}

static void take_latencies(struct core_insn *insn, const struct core_row *row,
			   const struct core_shape *shape)
{
	unsigned load = row->advance ? row->advance : row->nwrites ? row->latency[0] : 4;

	if (!insn->loads)
		return;
	if (!row->advance && !(shape->traits & CORE_AMD))
		load = load_part(insn, load);
	insn->load_cycles = (uint8_t)load;
	/* AMD's rows have a cycle for the store that follows. */
	if (insn->stores && row->advance && shape->traits & CORE_AMD)
		load++;
	for (unsigned i = 0; i < insn->nwrites; i++)
		insn->latency[i] = insn->latency[i] > load ? (uint16_t)(insn->latency[i] - load)
							   : insn->stores > 0;
	if (insn->stores && !(shape->traits & CORE_AMD) && count_kind(insn, CORE_COMPUTE) == 1)
		limit_stored(insn, shape);
}

/* --- Idioms --- */

static bool same_sources(const struct instruction *x)
{
	const unsigned n = x->i.operand_count_visible;
	const ZydisDecodedOperand *a = &x->o[n > 2 ? n - 2 : 0], *b = &x->o[n - 1];

	return n >= 2 && a->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       b->type == ZYDIS_OPERAND_TYPE_REGISTER && a->reg.value == b->reg.value &&
	       a->size >= 32;
}

static bool is_zero_idiom(const struct instruction *x)
{
	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_PXOR:
	case ZYDIS_MNEMONIC_XORPS:
	case ZYDIS_MNEMONIC_XORPD:
	case ZYDIS_MNEMONIC_PSUBB:
	case ZYDIS_MNEMONIC_PSUBW:
	case ZYDIS_MNEMONIC_PSUBD:
	case ZYDIS_MNEMONIC_PSUBQ:
	case ZYDIS_MNEMONIC_PCMPGTB:
	case ZYDIS_MNEMONIC_PCMPGTW:
	case ZYDIS_MNEMONIC_PCMPGTD:
	case ZYDIS_MNEMONIC_VPXOR:
	case ZYDIS_MNEMONIC_VPXORD:
	case ZYDIS_MNEMONIC_VPXORQ:
	case ZYDIS_MNEMONIC_VXORPS:
	case ZYDIS_MNEMONIC_VXORPD:
	case ZYDIS_MNEMONIC_VPSUBB:
	case ZYDIS_MNEMONIC_VPSUBW:
	case ZYDIS_MNEMONIC_VPSUBD:
	case ZYDIS_MNEMONIC_VPSUBQ:
		return same_sources(x);
	default:
		return false;
	}
}

/* All ones: nothing is waited for, but a unit executes it. */
static bool is_ones_idiom(const struct instruction *x)
{
	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_PCMPEQB:
	case ZYDIS_MNEMONIC_PCMPEQW:
	case ZYDIS_MNEMONIC_PCMPEQD:
	case ZYDIS_MNEMONIC_VPCMPEQB:
	case ZYDIS_MNEMONIC_VPCMPEQW:
	case ZYDIS_MNEMONIC_VPCMPEQD:
		return same_sources(x);
	default:
		return false;
	}
}

/* Until Skylake only registers whose encoding is not that of AH, CH, DH or BH in other instructions
 * (arXiv 2107.14210, section 4.2). */
static bool is_low_byte(ZydisRegister r, const struct core_shape *shape)
{
	return !(r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH) &&
	       !(shape->traits & CORE_FAST_POINTER && core_register(r) & 4);
}

static bool is_eliminated(const struct instruction *x, const struct core_shape *shape)
{
	const bool registers = x->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			       x->i.operand_count_visible == 2 &&
			       x->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER;

	if (!registers)
		return false;
	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVSXD:
		return shape->traits & CORE_MOVES_GENERAL && x->o[0].size >= 32 &&
		       x->i.mnemonic == ZYDIS_MNEMONIC_MOV &&
		       ZydisRegisterGetClass(x->o[1].reg.value) != ZYDIS_REGCLASS_SEGMENT;
	case ZYDIS_MNEMONIC_MOVZX:
		return shape->traits & CORE_MOVES_GENERAL && !(shape->traits & CORE_AMD) &&
		       x->o[1].size == 8 && x->o[0].size >= 32 &&
		       is_low_byte(x->o[1].reg.value, shape);
	case ZYDIS_MNEMONIC_MOVAPS:
	case ZYDIS_MNEMONIC_MOVAPD:
	case ZYDIS_MNEMONIC_MOVUPS:
	case ZYDIS_MNEMONIC_MOVUPD:
	case ZYDIS_MNEMONIC_MOVDQA:
	case ZYDIS_MNEMONIC_MOVDQU:
	case ZYDIS_MNEMONIC_VMOVAPS:
	case ZYDIS_MNEMONIC_VMOVAPD:
	case ZYDIS_MNEMONIC_VMOVUPS:
	case ZYDIS_MNEMONIC_VMOVUPD:
	case ZYDIS_MNEMONIC_VMOVDQA:
	case ZYDIS_MNEMONIC_VMOVDQU:
		return shape->traits & CORE_MOVES_VECTOR;
	default:
		return false;
	}
}

static void take_idioms(struct core_insn *insn, const struct instruction *x,
			const struct core_model *model)
{
	const bool zero = is_zero_idiom(x), ones = is_ones_idiom(x);

	if (zero || ones)
		insn->nsources = 0;
	if (x->i.mnemonic == ZYDIS_MNEMONIC_SBB && same_sources(x) &&
	    model->shape->traits & CORE_AMD) {
		insn->sources[0] = CORE_REG_CARRY; /* SOG: it waits for nothing else */
		insn->nsources = 1;
	}
	if (zero || x->i.mnemonic == ZYDIS_MNEMONIC_NOP || x->i.mnemonic == ZYDIS_MNEMONIC_ENDBR64)
		insn->flags |= CORE_NO_SOURCE;
	if (is_eliminated(x, model->shape))
		insn->flags |= CORE_MOVE;
	if (!(insn->flags & (CORE_NO_SOURCE | CORE_MOVE)))
		return;
	insn->nuops = 0;
	insn->fused = insn->issued = 1;
	insn->flags &= (uint16_t) ~(CORE_COMPLEX | CORE_MICROCODE);
	memset(insn->latency, 0, sizeof(insn->latency));
}

/* --- Macro-fusion --- */

static const ZydisDecodedOperand *memory_operand(const struct instruction *x)
{
	for (unsigned k = 0; k < x->i.operand_count; k++)
		if (x->o[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    x->o[k].mem.type != ZYDIS_MEMOP_TYPE_AGEN)
			return &x->o[k];
	return NULL;
}

#define ON_NO_SIGN  (CORE_ON_OTHERS | CORE_ON_CARRY)
#define ON_NO_CARRY CORE_ON_OTHERS

/* The conditions that an instruction of this name fuses with. */
static uint8_t fusing_conditions(const struct instruction *x, const struct core_shape *shape)
{
	const bool amd = shape->traits & CORE_AMD, plain = shape->traits & CORE_FUSES_CMP_ONLY;

	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_TEST:
		return CORE_ON_ANY;
	case ZYDIS_MNEMONIC_CMP:
		return amd ? CORE_ON_ANY : ON_NO_SIGN;
	case ZYDIS_MNEMONIC_AND:
		return plain ? 0 : CORE_ON_ANY;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		return plain ? 0 : amd ? CORE_ON_ANY : ON_NO_SIGN;
	case ZYDIS_MNEMONIC_INC:
	case ZYDIS_MNEMONIC_DEC:
		return plain ? 0 : amd ? CORE_ON_ANY : ON_NO_CARRY;
	case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_XOR:
		return amd && !plain ? CORE_ON_ANY : 0;
	default:
		return 0;
	}
}

static uint8_t jump_condition(const struct instruction *x)
{
	const ZyanU32 tested = x->i.cpu_flags ? x->i.cpu_flags->tested : 0;

	if (x->i.meta.category != ZYDIS_CATEGORY_COND_BR || !tested)
		return 0;
	if (tested == ZYDIS_CPUFLAG_SF || tested == ZYDIS_CPUFLAG_OF || tested & ZYDIS_CPUFLAG_PF)
		return CORE_ON_SIGN;
	return tested & ZYDIS_CPUFLAG_CF ? CORE_ON_CARRY : CORE_ON_OTHERS;
}

/* Neither an immediate with an address by RIP, nor one compared with memory. */
static bool operands_fuse(const struct instruction *x)
{
	const ZydisDecodedOperand *memory = memory_operand(x);
	const bool immediate =
		x->i.operand_count_visible > 1 && x->o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	if (memory && memory->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		return false;
	return !memory || (!immediate && memory->mem.base != ZYDIS_REGISTER_RIP);
}

static void take_fusion(struct core_insn *insn, const struct instruction *x,
			const struct core_shape *shape)
{
	insn->jumps_on = jump_condition(x);
	if (shape->traits & CORE_AMD && insn->loads)
		return;
	if (operands_fuse(x) && count_kind(insn, CORE_COMPUTE) == 1)
		insn->fuses_with = fusing_conditions(x, shape);
}

/* --- The whole instruction --- */

static void take_prefixes(struct core_insn *insn, const struct instruction *x)
{
	insn->opcode_at = (uint8_t)(x->i.raw.prefix_count);
	if (x->i.encoding == ZYDIS_INSTRUCTION_ENCODING_VEX)
		insn->opcode_at = (uint8_t)(x->i.raw.vex.offset + x->i.raw.vex.size);
	if (x->i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		insn->opcode_at = (uint8_t)(x->i.raw.evex.offset + 4);
	if (x->i.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY && x->i.raw.imm[0].size == 16 &&
	    x->i.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE)
		insn->flags |= CORE_LCP;
}

static bool is_serial(const struct instruction *x)
{
	switch (x->i.mnemonic) {
	case ZYDIS_MNEMONIC_CPUID:
	case ZYDIS_MNEMONIC_LFENCE:
	case ZYDIS_MNEMONIC_MFENCE:
	case ZYDIS_MNEMONIC_RDTSCP:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSCALL:
	case ZYDIS_MNEMONIC_SYSRET:
		return true;
	default:
		return false;
	}
}

static bool locks_memory(const struct instruction *x)
{
	if (x->i.mnemonic == ZYDIS_MNEMONIC_XCHG)
		return x->o[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
		       x->o[1].type == ZYDIS_OPERAND_TYPE_MEMORY;
	return x->i.attributes & ZYDIS_ATTRIB_HAS_LOCK;
}

/* On Intel's cores all waits for a locked instruction, of which there is one each 18 cycles (A.
 * Fog, "Instruction tables", Skylake). On a Zen 4 only the next one does, and takes no data from
 * the store before (tests/accuracy). */
static void take_lock(struct core_insn *insn, const struct core_shape *shape)
{
	if (!(shape->traits & CORE_AMD)) {
		insn->flags |= CORE_SERIAL;
		insn->load_cycles = INTEL_LOCK_CYCLES;
		limit_stored(insn, shape);
		return;
	}
	insn->flags &= (uint16_t)~CORE_WHOLE_LOAD;
	for (unsigned i = 0; i < insn->nuops; i++)
		if (insn->uops[i].kind == CORE_LOAD) {
			insn->uops[i].units &= -insn->uops[i].units;
			insn->uops[i].cycles = AMD_LOCK_CYCLES;
			return;
		}
}

static bool is_branch(const struct instruction *x)
{
	return x->i.meta.category == ZYDIS_CATEGORY_COND_BR ||
	       x->i.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       x->i.meta.category == ZYDIS_CATEGORY_CALL ||
	       x->i.meta.category == ZYDIS_CATEGORY_RET;
}

static bool is_divide(const struct instruction *x)
{
	const char *name = ZydisMnemonicGetString(x->i.mnemonic);

	name += *name == 'v';
	return !strncmp(name, "div", 3) || !strncmp(name, "idiv", 4) || !strncmp(name, "sqrt", 4) ||
	       !strncmp(name, "fdiv", 4) || !strncmp(name, "fsqrt", 5);
}

/* The longest time for which it takes a unit; microcode takes one all the time. */
static uint8_t divider_cycles(const struct core_insn *insn)
{
	uint8_t cycles = 0;

	for (unsigned i = 0; i < insn->nuops; i++)
		if (insn->uops[i].cycles > cycles)
			cycles = insn->uops[i].cycles;
	if (cycles > 1)
		return cycles;
	return (uint8_t)(insn->latency[0] < UINT8_MAX ? insn->latency[0] : UINT8_MAX);
}

static void unknown(struct core_insn *insn, ZydisMnemonic mnemonic)
{
	insn->flags |= CORE_UNKNOWN;
	insn->mnemonic = (uint16_t)mnemonic;
	insn->fused = insn->issued = 1;
	insn->load_cycles = 4;
	insn->most_cycles = UNKNOWN_MOST;
}

static uint32_t most_cycles(const struct core_insn *insn, const struct core_shape *shape)
{
	uint32_t latency = 1, cycles = insn->issued + insn->fused + FRONTEND_MOST;

	for (unsigned i = 0; i < insn->nwrites; i++)
		latency = insn->latency[i] > latency ? insn->latency[i] : latency;
	for (unsigned i = 0; i < insn->nuops; i++)
		cycles += insn->uops[i].cycles;
	if (insn->loads)
		cycles += insn->load_cycles + shape->blocked_cycles + shape->forward_cycles;
	if (insn->flags & CORE_BRANCH)
		cycles += shape->mispredict_cycles;
	if (shape->traits & CORE_SPLITS)
		cycles += insn->loads + insn->stores;
	return cycles + latency + insn->stores;
}

/* Its result has a part of a general register, and a part of what was there before. */
static bool reads_general_to_vector(const struct core_insn *insn)
{
	bool general = false, vector = false;

	for (unsigned i = 0; i < insn->nsources; i++) {
		general |= insn->sources[i] < CORE_REG_VECTOR;
		vector |= insn->sources[i] >= CORE_REG_VECTOR && insn->sources[i] < CORE_REG_MASK;
	}
	return general && vector && !insn->loads && insn->nwrites &&
	       insn->writes[0] >= CORE_REG_VECTOR && insn->writes[0] < CORE_REG_MASK;
}

/* Such a row has in `advance` by how much vectors may come later, where that was measured. */
static unsigned late_vectors(const struct core_insn *insn, const struct core_row *row)
{
	if (row->advance)
		return row->advance;
	return insn->latency[0] > MERGE ? insn->latency[0] - MERGE : 0;
}

/* A load of 32 or 64 bits to a general register by RSP and a displacement. */
static bool is_stack_load(const struct core_insn *insn, const ZydisDecodedOperand *memory)
{
	return insn->loads && memory && memory->size >= 32 && memory->size <= 64 &&
	       core_register(memory->mem.base) == CORE_REG_RSP &&
	       memory->mem.index == ZYDIS_REGISTER_NONE &&
	       (insn->stores || (insn->nwrites && insn->writes[0] < CORE_REG_VECTOR));
}

static bool is_vector(uint8_t reg)
{
	return reg >= CORE_REG_VECTOR && reg < CORE_REG_CARRY;
}

/*
 * SOG, "Load-Store Unit": 4 cycles to a general register, and one more for an address that is not
 * simple. Zen 4: that is one with a scale, or with an index and a displacement. An extended sign
 * takes one more.
 */
static void take_amd_load(struct core_insn *insn, const struct instruction *x,
			  const ZydisDecodedOperandMem *mem)
{
	const bool index = mem->index != ZYDIS_REGISTER_NONE;

	for (unsigned i = 0; i < insn->nsources; i++)
		if (is_vector(insn->sources[i]))
			return;
	if (insn->nwrites && is_vector(insn->writes[0]))
		return;
	insn->load_cycles = (uint8_t)(4 + (index && (mem->scale > 1 || mem->disp.value)));
	if (is_signed_move(x->i.mnemonic) || merges_load(insn, x))
		insn->latency[0]++;
}

/* MOV or POP to all of a general register, or an operand that is read and written. */
static bool is_whole_load(const struct core_insn *insn, const struct instruction *x,
			  const ZydisDecodedOperand *memory)
{
	if (insn->loads != 1 || memory->size < 32 || memory->size > 64)
		return false;
	if (insn->stores)
		return memory == x->o && memory->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	return x->i.mnemonic == ZYDIS_MNEMONIC_MOV || x->i.mnemonic == ZYDIS_MNEMONIC_POP;
}

/* One for all operands by RSP, and one for those by RIP: the core knows where they point to. */
static uint16_t named_place(const ZydisDecodedOperandMem *mem)
{
	uint64_t hash = (uint64_t)mem->base << 9 ^ mem->index ^ (uint64_t)mem->scale << 18;

	if (core_register(mem->base) == CORE_REG_RSP && mem->index == ZYDIS_REGISTER_NONE)
		return 1;
	if (mem->base == ZYDIS_REGISTER_RIP)
		return 2;
	hash = (hash ^ (uint64_t)mem->disp.value << 22) * 0x9e3779b97f4a7c15ull >> 48;
	return (uint16_t)(hash > 2 ? hash : 3);
}

struct mended_row {
	struct core_row row;
	struct core_use uses[CORE_USES];
};

static const struct core_row *mended_row(struct mended_row *mended, const struct core_table *t,
					 uint32_t key)
{
	const struct core_row *row = core_row(t, key);

	if (!row)
		return NULL;
	mended->row = *row;
	core_change_row(&mended->row, mended->uses, t, key);
	return &mended->row;
}

static unsigned uop_group(const struct core_uop *uop)
{
	static const uint8_t groups[] = {[CORE_LOAD] = 0,
					 [CORE_COMPUTE] = 1,
					 [CORE_OCCUPY] = 1,
					 [CORE_STORE_ADDRESS] = 2,
					 [CORE_STORE_DATA] = 2};

	return groups[uop->kind];
}

/* The order within a group stays. */
static void group_uops(struct core_insn *insn)
{
	struct core_uop grouped[CORE_UOPS] = {{0}};
	unsigned n = 0, end[3] = {0};

	for (unsigned group = 0; group < 3; group++) {
		for (unsigned i = 0; i < insn->nuops; i++)
			if (uop_group(&insn->uops[i]) == group)
				grouped[n++] = insn->uops[i];
		end[group] = n;
	}
	memcpy(insn->uops, grouped, n * sizeof(*grouped));
	insn->load_uops = (uint8_t)end[0];
	insn->compute_uops = (uint8_t)(end[1] - end[0]);
}

void core_pick_units(struct core_uop *uop)
{
	const unsigned n = (unsigned)__builtin_popcount(uop->units);
	uint32_t rest = uop->units;

	uop->is_long = uop->cycles > 1 || uop->takes_each;
	if (!n || n > CORE_PICKS)
		return;
	uop->picks = (uint8_t)n;
	for (unsigned i = 0; i < CORE_PICKS; i++) {
		uop->pick[i] = (uint8_t)__builtin_ctz(rest);
		rest = rest & (rest - 1) ? rest & (rest - 1) : rest;
	}
}

static void fill_registers(uint8_t *list, unsigned n, unsigned most, uint8_t with)
{
	while (n < most)
		list[n++] = with;
}

/* Both kinds of flags mostly come at once, as the last two registers. */
static bool writes_flags_at_once(const struct core_insn *insn)
{
	const unsigned n = insn->nwrites;

	return n >= 2 && insn->writes[n - 2] == CORE_REG_CARRY &&
	       insn->writes[n - 1] == CORE_REG_FLAGS &&
	       insn->latency[n - 2] == insn->latency[n - 1];
}

static void arrange_writes(struct core_insn *insn)
{
	insn->plain_writes = (uint8_t)(insn->nwrites - 2 * writes_flags_at_once(insn));
	for (unsigned i = 0; i < insn->nwrites; i++) {
		if (insn->latency[i] > insn->most_latency)
			insn->most_latency = insn->latency[i];
		if (insn->writes[i] < CORE_REG_VECTOR)
			insn->generals |= (uint16_t)(1u << insn->writes[i]);
	}
}

/* It takes its unit for a cycle, and its units are listed. */
static bool is_short(const struct core_uop *uop)
{
	return uop->kind != CORE_OCCUPY && !uop->is_long && uop->picks;
}

/* Nothing but a slot of rename: a move, a zero idiom, or nothing at all. */
static bool is_done_by_rename(const struct core_insn *insn)
{
	return !insn->nuops && insn->issued == 1 && !insn->loads && !insn->stores && !insn->late &&
	       !insn->divides && !(core_writes_stack(insn)) &&
	       !(insn->flags & (CORE_STACK | CORE_SEES_STACK | CORE_SERIAL));
}

static enum core_way way_of(const struct core_insn *insn)
{
	if (is_done_by_rename(insn))
		return CORE_WAY_RENAMED;
	if (insn->flags & CORE_RARE)
		return CORE_WAY_RARE;
	if (insn->issued != 1 || insn->stores || insn->loads > 1 || insn->compute_uops > 1 ||
	    insn->load_uops != insn->loads || insn->nuops != insn->loads + insn->compute_uops)
		return CORE_WAY_COMMON;
	for (unsigned i = 0; i < insn->nuops; i++)
		if (!is_short(&insn->uops[i]))
			return CORE_WAY_COMMON;
	if (insn->loads)
		return CORE_WAY_LOAD;
	return insn->compute_uops ? CORE_WAY_OPERATION : CORE_WAY_COMMON;
}

void core_arrange(struct core_insn *insn)
{
	group_uops(insn);
	for (unsigned i = 0; i < insn->nuops; i++)
		core_pick_units(&insn->uops[i]);
	fill_registers(insn->sources, insn->nsources, CORE_SOURCES, CORE_REG_READY);
	fill_registers(insn->address, insn->naddress, CORE_ADDRESS, CORE_REG_READY);
	fill_registers(insn->writes, insn->nwrites, CORE_WRITES + 1, CORE_REG_UNUSED);
	arrange_writes(insn);
	insn->fast_loaded = insn->flags & CORE_FAST_LOAD ? insn->generals : 0;
	if (insn->late || insn->divides || core_writes_stack(insn) ||
	    insn->flags & (CORE_STACK | CORE_SEES_STACK | CORE_SERIAL | CORE_MOVE | CORE_NO_SOURCE))
		insn->flags |= CORE_RARE;
	insn->way = (uint8_t)way_of(insn);
}

void core_describe_unknown(struct core_insn *insn, size_t size)
{
	memset(insn, 0, sizeof(*insn));
	insn->bytes = (uint8_t)size;
	unknown(insn, ZYDIS_MNEMONIC_INVALID);
	core_arrange(insn);
}

/* Its operations that only ALUs can execute. One that takes two cycles is two. */
static uint8_t alus_of(const struct core_insn *insn, const struct core_table *table)
{
	const uint32_t alus = alu_units(table);
	uint8_t n = 0;

	for (unsigned i = 0; i < insn->nuops; i++)
		if (insn->uops[i].kind == CORE_COMPUTE && !(insn->uops[i].units & ~alus))
			n += 1 + (insn->uops[i].cycles == 2);
	return n;
}

static void take_limits(struct core_insn *insn, const struct core_model *model)
{
	if (model->shape->alus)
		insn->alus = alus_of(insn, model->table);
	if (model->shape->accesses)
		insn->accesses = (uint8_t)(insn->load_uops + insn->stores);
	insn->is_limited =
		insn->alus || insn->accesses || (model->shape->alus && insn->issued == 2);
}

static uint32_t entry_value(unsigned bits)
{
	if (!bits)
		return 0;
	return 1u << CORE_ENTRY_VALUES * CORE_ENTRY_FIELD |
	       (uint32_t)(bits / 32 + (bits == 16)) << CORE_ENTRY_WIDE * CORE_ENTRY_FIELD;
}

/* Its micro-operations and values, for an entry of the op cache. */
static uint32_t entry_sizes(const struct core_insn *insn, const struct instruction *x)
{
	uint32_t entry = insn->fused;

	entry += entry_value(x->i.raw.disp.size);
	if (!(insn->flags & CORE_BRANCH))
		entry += entry_value(x->i.raw.imm[0].size);
	entry += (uint32_t)(x->i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		 << CORE_ENTRY_EVEX * CORE_ENTRY_FIELD;
	return entry;
}

static bool fits_signed(int64_t value, int64_t most)
{
	return value >= -most && value < most;
}

/* A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", section "uop cache" of Sandy Bridge:
 * an immediate of 64 bits takes a second place, and so does one of 32 bits beside an address. */
static bool has_long_value(const struct instruction *x)
{
	const ZydisDecodedOperand *memory = memory_operand(x);
	const bool based = memory && memory->mem.base != ZYDIS_REGISTER_NONE &&
			   memory->mem.base != ZYDIS_REGISTER_RIP;

	for (unsigned k = 0; k < x->i.operand_count_visible; k++)
		if (x->o[k].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !x->o[k].imm.is_relative &&
		    !fits_signed(x->o[k].imm.value.s, based ? 1ll << 15 : 1ll << 31))
			return true;
	return false;
}

/* Its places in a line of Intel's op cache. */
static uint32_t line_places(const struct core_insn *insn, const struct instruction *x)
{
	if (insn->flags & CORE_MICROCODE)
		return CORE_ENTRY_CHECKED;
	return insn->fused + (has_long_value(x) ? CORE_ENTRY_CHECKED : 0u);
}

static bool writes_high(const struct instruction *x)
{
	for (unsigned k = 0; k < x->i.operand_count_visible; k++)
		if (core_operand_kind(&x->o[k]) == CORE_HIGH8 &&
		    x->o[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			return true;
	return false;
}

/* arXiv 2107.14210, section 4.1: neither microcode, nor what moves the stack pointer implicitly,
 * nor what writes the second byte of a register is in the loop buffer. */
static bool stays_out_of_loops(const struct core_insn *insn, const struct instruction *x)
{
	return insn->flags & (CORE_MICROCODE | CORE_STACK) || writes_high(x);
}

size_t core_describe(struct core_insn *insn, const struct core_model *model, const uint8_t *code,
		     size_t size)
{
	const struct core_table *t = model->table;
	const ZydisDecodedOperand *memory;
	const struct core_row *row;
	struct mended_row mended;
	struct instruction x;
	bool indexed;

	memset(insn, 0, sizeof(*insn));
	if (!take_apart(&x, code, size))
		return 0;
	row = mended_row(&mended, t, core_key(&x.i, x.o));
	insn->bytes = x.i.length;
	memory = memory_operand(&x);
	indexed = memory && memory->mem.index != ZYDIS_REGISTER_NONE;
	take_prefixes(insn, &x);
	take_operands(insn, &x, model, row);
	take_flags(insn, &x, model->shape, row);
	if (is_branch(&x))
		insn->flags |= CORE_BRANCH;
	if (x.i.meta.category == ZYDIS_CATEGORY_RET)
		insn->flags |= CORE_RETURN;
	if (is_serial(&x))
		insn->flags |= CORE_SERIAL;
	if (!row) {
		unknown(insn, x.i.mnemonic);
		core_arrange(insn);
		return x.i.length;
	}
	take_uops(insn, row, t);
	restrict_store(insn, model, indexed);
	take_latencies(insn, row, model->shape);
	if (model->shape->traits & CORE_AMD && reads_general_to_vector(insn))
		insn->late = (uint8_t)late_vectors(insn, row);
	take_extension(insn, &x, model);
	count_slots(insn, &x, model, row, indexed);
	if (insn->loads && !insn->stores && count_kind(insn, CORE_COMPUTE) == 0 && memory &&
	    !indexed && memory->mem.disp.value >= 0 && memory->mem.disp.value < 2048 &&
	    insn->nwrites && insn->writes[0] < CORE_REG_VECTOR)
		insn->flags |= CORE_FAST_LOAD;
	if (model->shape->traits & CORE_AMD && memory && insn->loads)
		take_amd_load(insn, &x, &memory->mem);
	if (insn->flags & CORE_FAST_LOAD && insn->naddress &&
	    model->shape->traits & CORE_FAST_POINTER)
		insn->pointer = (uint16_t)(1u << insn->address[0]);
	if (is_stack_load(insn, memory))
		insn->flags |= CORE_STACK_LOAD;
	if (memory)
		insn->place = named_place(&memory->mem);
	if (memory && is_whole_load(insn, &x, memory))
		insn->flags |= CORE_WHOLE_LOAD;
	if (locks_memory(&x))
		take_lock(insn, model->shape);
	take_idioms(insn, &x, model);
	take_fusion(insn, &x, model->shape);
	if (is_divide(&x))
		insn->divides = divider_cycles(insn);
	insn->most_cycles = most_cycles(insn, model->shape);
	core_arrange(insn);
	take_limits(insn, model);
	if (model->shape->entries[0][CORE_ENTRY_OPS])
		insn->entry = entry_sizes(insn, &x);
	else if (!(model->shape->traits & CORE_AMD))
		insn->entry = line_places(insn, &x);
	if (model->shape->loop && stays_out_of_loops(insn, &x))
		insn->flags |= CORE_NO_LOOP;
	return x.i.length;
}
