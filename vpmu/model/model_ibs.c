// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_ibs.c - Instruction-Based Sampling: a counter of fetches and one of ops each select one at
 * a time, and describe it in registers. PPR of family 19h, "Core::X86::Msr::IBS_FETCH_CTL" and the
 * registers that follow it; APM vol. 2, "Instruction-Based Sampling".
 *
 * An instruction of the model is one fetch and one op. The instruction that brings a count to its
 * maximum is sampled. The caller of the model then describes it (vpmu_model_ibs_pick()), and only
 * that sets Val and raises the interrupt. Nothing is random: IbsRandEn has no effect, nor have the
 * low bits of a count that hardware makes up.
 *
 * Caches, TLBs, latencies and mispredictions come from the model of a core. Without one a load is
 * said to have missed L1 and L2, with an invalid source, which software reads as not available.
 */
#include "vpmu/model/geometry.h"
#include "vpmu/model/model_priv.h"

/*
 * Both controls have their maximum in units of 16, from bit 0 on; that of ops has seven bits more.
 */
#define MAX_SHIFT         4
#define FETCH_MAX         0xffffull
#define FETCH_COUNT_SHIFT 16
#define FETCH_COUNT       (0xffffull << FETCH_COUNT_SHIFT)
#define OP_MAX_LOW        0xffffull
#define OP_MAX_HIGH       (0x7full << 20) /* bits 26:20 in place */
#define OP_COUNT_SHIFT    32
#define OP_COUNT_BITS     0x7ffffffull
#define OP_COUNT          (OP_COUNT_BITS << OP_COUNT_SHIFT)

#define OP_SLOW (IBS_OP_SLOW_ONLY | IBS_OP_SLOW_BITS << IBS_OP_SLOW_SHIFT)

#define FETCH_WRITABLE                                                                \
	(FETCH_MAX | FETCH_COUNT | IBS_FETCH_EN | IBS_FETCH_VAL | IBS_FETCH_RAND_EN | \
	 IBS_FETCH_L3_MISS_ONLY)
#define OP_WRITABLE                                                                         \
	(OP_MAX_LOW | OP_MAX_HIGH | OP_COUNT | IBS_OP_EN | IBS_OP_VAL | IBS_OP_COUNTS_OPS | \
	 IBS_OP_L3_MISS_ONLY | OP_SLOW)

/* IbsOpData: cycles from the tag to retirement. An op retires as soon as it is complete. */
#define TAG_TO_RETIRE_SHIFT 16

/* IbsOpData2.DataSrc of Zen 4: the caches of the core complex, memory. */
#define SOURCE_COMPLEX 1ull
#define SOURCE_MEMORY  3ull

/* APM vol. 2, "Extended Interrupts": vector, message type, mask. */
#define LVT_MASKED   (1u << 16)
#define LVT_NMI      0x400u
#define LVT_WRITABLE (LVT_MASKED | 0x7ffu)

/* Capabilities in CPUID 8000_001Bh. */
#define CAP_OP_COUNT_EXTENDED (1u << 6)
#define CAP_BRANCH_TARGET     (1u << 5)
#define CAP_RIP_INVALID       (1u << 7)
#define CAP_FETCH_EXTENDED    (1u << 9)
#define CAP_COUNTS_OPS        (1u << 4)
#define CAP_L3_MISS_ONLY      (1u << 11)
#define CAP_SLOW_ONLY         (1u << 12)
#define CAP_PAGE_SIZE         (1u << 19)

static bool has_cap(const struct vpmu_model *m, uint32_t cap)
{
	return m->uarch->ibs & cap;
}

static uint64_t fetch_writable(const struct vpmu_model *m)
{
	return has_cap(m, CAP_L3_MISS_ONLY) ? FETCH_WRITABLE
					    : FETCH_WRITABLE & ~IBS_FETCH_L3_MISS_ONLY;
}

static uint64_t op_writable(const struct vpmu_model *m)
{
	uint64_t valid = OP_WRITABLE;

	if (!has_cap(m, CAP_OP_COUNT_EXTENDED))
		valid &= ~OP_MAX_HIGH;
	if (!has_cap(m, CAP_COUNTS_OPS))
		valid &= ~IBS_OP_COUNTS_OPS;
	if (!has_cap(m, CAP_SLOW_ONLY))
		valid &= ~OP_SLOW;
	return has_cap(m, CAP_L3_MISS_ONLY) ? valid : valid & ~IBS_OP_L3_MISS_ONLY;
}

static uint64_t fetch_max(const struct vpmu_ibs *ibs)
{
	return (ibs->fetch_ctl & FETCH_MAX) << MAX_SHIFT;
}

static uint64_t op_max(const struct vpmu_ibs *ibs)
{
	return (ibs->op_ctl & OP_MAX_LOW) << MAX_SHIFT | (ibs->op_ctl & OP_MAX_HIGH);
}

static uint64_t op_count(const struct vpmu_ibs *ibs)
{
	return ibs->op_ctl >> OP_COUNT_SHIFT & OP_COUNT_BITS;
}

/* The counter stops while a sample is unread, or not described yet. */
static bool fetch_counts(const struct vpmu_ibs *ibs)
{
	return ibs->fetch_ctl & IBS_FETCH_EN && !(ibs->fetch_ctl & IBS_FETCH_VAL) &&
	       fetch_max(ibs) && !ibs->fetch_picked;
}

static bool op_counts(const struct vpmu_ibs *ibs)
{
	return ibs->op_ctl & IBS_OP_EN && !(ibs->op_ctl & IBS_OP_VAL) && op_max(ibs) &&
	       !ibs->op_picked;
}

/* The firmware's setting: extended interrupt 0, valid. */
void vpmu_ibs_init(struct vpmu_model *m)
{
	if (m->uarch->ibs)
		m->ibs.control = IBS_CONTROL_LVT_VALID;
	for (unsigned i = 0; i < VPMU_EILVTS; i++)
		m->ibs.eilvt[i] = LVT_MASKED;
}

bool vpmu_ibs_is_on(const struct vpmu_model *m)
{
	return m->ibs.fetch_ctl & IBS_FETCH_EN || m->ibs.op_ctl & IBS_OP_EN;
}

/* --- Counting --- */

static uint64_t both_rings(const uint64_t v[VPMU_RINGS])
{
	return v[VPMU_OS] + v[VPMU_USR];
}

static void advance_fetch(struct vpmu_ibs *ibs, uint64_t fetches)
{
	if (!fetch_counts(ibs))
		return;
	ibs->fetch_count += fetches;
	if (ibs->fetch_count < fetch_max(ibs))
		return;
	ibs->fetch_count = fetch_max(ibs);
	ibs->fetch_picked = true;
}

static void advance_op(struct vpmu_ibs *ibs, uint64_t n)
{
	uint64_t count, max = op_max(ibs);

	if (!op_counts(ibs))
		return;
	count = op_count(ibs) + n;
	if (count >= max) {
		count = max;
		ibs->op_picked = true;
	}
	ibs->op_ctl = (ibs->op_ctl & ~OP_COUNT) | count << OP_COUNT_SHIFT;
}

void vpmu_ibs_advance(struct vpmu_model *m, const struct vpmu_progress *p)
{
	if (!vpmu_ibs_is_on(m))
		return;
	advance_fetch(&m->ibs, both_rings(p->instructions));
	advance_op(&m->ibs, m->ibs.op_ctl & IBS_OP_COUNTS_OPS ? both_rings(p->instructions)
							      : both_rings(p->cycles));
}

static uint64_t instructions_for(uint64_t left, uint64_t each)
{
	return left / each + !!(left % each);
}

uint64_t vpmu_ibs_until(const struct vpmu_model *m)
{
	const struct vpmu_ibs *ibs = &m->ibs;
	uint64_t fetch = UINT64_MAX, op = UINT64_MAX;

	if (!vpmu_ibs_is_on(m))
		return UINT64_MAX;
	if (fetch_counts(ibs))
		fetch = fetch_max(ibs) > ibs->fetch_count ? fetch_max(ibs) - ibs->fetch_count : 1;
	if (op_counts(ibs))
		op = op_max(ibs) > op_count(ibs)
			     ? instructions_for(op_max(ibs) - op_count(ibs),
						ibs->op_ctl & IBS_OP_COUNTS_OPS
							? 1
							: m->machine.cycles_per_instruction)
			     : 1;
	return fetch < op ? fetch : op;
}

/* --- What was picked --- */

bool vpmu_model_ibs_waits(const struct vpmu_model *m)
{
	return m->ibs.fetch_picked || m->ibs.op_picked;
}

/* A walk is taken for one that reads one entry, from L2: the sample does not tell its reads. */
static uint64_t refill_cycles(const struct vpmu_model *m, uint8_t translation)
{
	const struct geometry *g = m->geometry;

	if (!g || translation == EVENTS_TLB_HIT)
		return 0;
	return translation == EVENTS_WALK ? g->stlb_cycles + g->l2.cycles : g->stlb_cycles;
}

static uint64_t page_field(unsigned shift)
{
	return shift >= 30 ? 2 : shift >= 21 ? 1 : 0;
}

static uint64_t fetch_bits(const struct vpmu_op *op)
{
	const struct events_last *last = &op->model;
	uint64_t v = 0;

	if (op->has_rip_physical)
		v = IBS_FETCH_PHYSICAL_VALID | page_field(op->rip_page_shift)
						       << IBS_FETCH_PAGE_SHIFT;
	if (!last->number)
		return v;
	return v | (uint64_t)last->fetch_latency << IBS_FETCH_LATENCY_SHIFT |
	       (last->fetch_source > EVENTS_FROM_L1 ? IBS_FETCH_L1_MISS : 0) |
	       (last->fetch_source > EVENTS_FROM_L2 ? IBS_FETCH_L2_MISS : 0) |
	       (last->fetch_source > EVENTS_FROM_LLC ? IBS_FETCH_L3_MISS : 0) |
	       (last->fetch_translation != EVENTS_TLB_HIT ? IBS_FETCH_TLB_MISS : 0) |
	       (last->fetch_translation == EVENTS_WALK ? IBS_FETCH_STLB_MISS : 0);
}

/* With only L3 misses wanted, another fetch is dropped, and counting begins anew. */
static bool is_fetch_unwanted(const struct vpmu_ibs *ibs, const struct vpmu_op *op)
{
	return ibs->fetch_ctl & IBS_FETCH_L3_MISS_ONLY && op->model.number &&
	       op->model.fetch_source != EVENTS_FROM_MEMORY;
}

#define LOST_SAMPLES 4 /* VPMU_IBS_FETCH_AT_ZERO: one of so many */

static bool is_sample_lost(struct vpmu_model *m)
{
	return m->machine.errata & VPMU_IBS_FETCH_AT_ZERO && ++m->ibs.fetches % LOST_SAMPLES == 0;
}

static void fill_fetch(struct vpmu_model *m, const struct vpmu_op *op)
{
	struct vpmu_ibs *ibs = &m->ibs;

	ibs->fetch_picked = false;
	if (is_fetch_unwanted(ibs, op)) {
		ibs->fetch_count = 0;
		return;
	}
	ibs->fetch_linear = is_sample_lost(m) ? 0 : op->rip;
	ibs->fetch_physical = op->rip_physical;
	ibs->fetch_extended = op->model.number ? refill_cycles(m, op->model.fetch_translation) : 0;
	ibs->fetch_ctl &= fetch_writable(m);
	ibs->fetch_ctl |= IBS_FETCH_VAL | IBS_FETCH_COMP | fetch_bits(op);
	ibs->interrupts = true;
}

static uint64_t branch_bits(const struct vpmu_op *op)
{
	const bool mispredicted = op->model.branch && op->model.mispredicted;

	return (op->branch ? IBS_OP_BRANCH_RETIRED : 0) | (op->taken ? IBS_OP_BRANCH_TAKEN : 0) |
	       (op->returns ? IBS_OP_RETURN : 0) |
	       (op->branch && mispredicted ? IBS_OP_MISPREDICTED : 0);
}

/* IbsOpData3's OpMemWidth: 1 is a byte, 2 a word, ... */
static uint64_t width_field(unsigned bytes)
{
	uint64_t field = 0;

	for (; bytes; bytes /= 2)
		field++;
	return field << IBS_OP_WIDTH_SHIFT;
}

static uint64_t memory_bits(const struct vpmu_op *op)
{
	if (!op->load && !op->store)
		return 0;
	return (op->load ? IBS_OP_LOAD : 0) | (op->store ? IBS_OP_STORE : 0) |
	       (op->has_linear ? IBS_OP_LINEAR_VALID : 0) |
	       (op->has_physical ? IBS_OP_PHYSICAL_VALID : 0) | width_field(op->bytes);
}

/* The operand: the load, if there is one. */
static const struct events_access *operand_of(const struct vpmu_op *op)
{
	return vpmu_op_access(op, !op->load);
}

/* The page's size, and the TLBs that it misses; needs a physical address. */
static uint64_t translation_by_page(const struct vpmu_op *op, uint8_t translation)
{
	if (!op->has_physical)
		return 0;
	return page_field(op->page_shift) << IBS_OP_PAGE_SHIFT |
	       (translation != EVENTS_TLB_HIT ? IBS_OP_TLB_MISS : 0) |
	       (translation == EVENTS_WALK ? IBS_OP_STLB_MISS : 0);
}

/* The size of the page that a TLB of the first or second level has. */
static uint64_t translation_by_hit(const struct vpmu_op *op, uint8_t translation)
{
	static const uint64_t first[] = {0, IBS_OP_TLB_HIT_2M, IBS_OP_TLB_HIT_1G},
			      second[] = {0, IBS_OP_STLB_HIT_2M, IBS_OP_STLB_HIT_1G};
	const uint64_t size = op->has_physical ? page_field(op->page_shift) : 0;

	switch (translation) {
	case EVENTS_TLB_HIT:
		return first[size];
	case EVENTS_STLB_HIT:
		return IBS_OP_TLB_MISS | second[size];
	default:
		return IBS_OP_TLB_MISS | IBS_OP_STLB_MISS;
	}
}

static uint64_t translation_bits(const struct vpmu_model *m, const struct vpmu_op *op,
				 uint8_t translation)
{
	return has_cap(m, CAP_PAGE_SIZE) ? translation_by_page(op, translation)
					 : translation_by_hit(op, translation);
}

static uint64_t level_bits(const struct vpmu_model *m, const struct events_access *a)
{
	switch (a->source) {
	case EVENTS_FROM_L1:
		return 0;
	case EVENTS_FROM_FILL:
		return IBS_OP_L1_MISS | IBS_OP_NO_BUFFER |
		       (m->machine.errata & VPMU_IBS_FALSE_L2 ? 0 : IBS_OP_L2_MISS);
	case EVENTS_FROM_L2:
		return IBS_OP_L1_MISS;
	default:
		return IBS_OP_L1_MISS | IBS_OP_L2_MISS;
	}
}

static uint64_t model_bits(const struct vpmu_model *m, const struct vpmu_op *op)
{
	const struct events_access *a = operand_of(op);
	uint64_t v;

	if (!op->load && !op->store)
		return 0;
	if (!a)
		return IBS_OP_L1_MISS | IBS_OP_L2_MISS;
	v = level_bits(m, a) | translation_bits(m, op, a->translation) |
	    (op->model.locked ? IBS_OP_LOCKED : 0) |
	    refill_cycles(m, a->translation) << IBS_OP_REFILL_SHIFT;
	if (op->load && v & IBS_OP_L1_MISS)
		v |= (uint64_t)a->latency << IBS_OP_LATENCY_SHIFT;
	return v;
}

/* The source of a load that missed L2. Another core of the complex looks like its L3. */
static uint64_t source_bits(const struct vpmu_op *op)
{
	const struct events_access *a = operand_of(op);

	if (!a || a->store || a->source < EVENTS_FROM_LLC)
		return 0;
	return a->source == EVENTS_FROM_LLC ? SOURCE_COMPLEX : SOURCE_MEMORY;
}

/* A load retires when its data arrive, any other op in the next cycle. */
static uint64_t retire_bits(const struct vpmu_op *op)
{
	const struct events_access *a = operand_of(op);

	if (!op->model.number)
		return 0;
	return (a && !a->store ? a->latency : 1ull) << TAG_TO_RETIRE_SHIFT;
}

/* APM vol. 2, "IBS Execution Control Register": a load that missed L1 and took more cycles. */
static bool is_slow_load(const struct vpmu_ibs *ibs, const struct events_access *load)
{
	const uint64_t steps = (ibs->op_ctl >> IBS_OP_SLOW_SHIFT & IBS_OP_SLOW_BITS) + 1;

	return load->source > EVENTS_FROM_L1 && load->latency > steps * IBS_OP_SLOW_UNIT;
}

/* With only some loads wanted, another op is dropped, and counting begins anew. */
static bool is_op_unwanted(const struct vpmu_model *m, const struct vpmu_op *op)
{
	const struct vpmu_ibs *ibs = &m->ibs;
	const struct events_access *a = operand_of(op);

	if (!(ibs->op_ctl & (IBS_OP_L3_MISS_ONLY | IBS_OP_SLOW_ONLY)) || !op->model.number)
		return false;
	if (!a || a->store)
		return true;
	if (ibs->op_ctl & IBS_OP_L3_MISS_ONLY && a->source != EVENTS_FROM_MEMORY)
		return true;
	if (m->machine.errata & VPMU_IBS_SLOW_L3_ONLY && !(ibs->op_ctl & IBS_OP_L3_MISS_ONLY))
		return false;
	return ibs->op_ctl & IBS_OP_SLOW_ONLY && !is_slow_load(ibs, a);
}

static void fill_op(struct vpmu_model *m, const struct vpmu_op *op)
{
	struct vpmu_ibs *ibs = &m->ibs;

	ibs->op_picked = false;
	if (is_op_unwanted(m, op)) {
		ibs->op_ctl &= ~OP_COUNT;
		return;
	}
	ibs->op_rip = op->rip;
	ibs->op_data = retire_bits(op) | branch_bits(op) |
		       (op->unknown && has_cap(m, CAP_RIP_INVALID) ? IBS_OP_RIP_INVALID : 0);
	ibs->op_data2 = source_bits(op);
	ibs->op_data3 = memory_bits(op) | model_bits(m, op);
	ibs->dc_linear = op->has_linear ? op->linear : 0;
	ibs->dc_physical = op->has_physical ? op->physical : 0;
	ibs->target = op->branch && op->taken ? op->target : 0;
	ibs->op_ctl |= IBS_OP_VAL;
	ibs->interrupts = true;
}

void vpmu_model_ibs_pick(struct vpmu_model *m, const struct vpmu_op *op)
{
	if (m->ibs.fetch_picked)
		fill_fetch(m, op);
	if (m->ibs.op_picked)
		fill_op(m, op);
}

bool vpmu_model_ibs_deliver(struct vpmu_model *m)
{
	bool due = m->ibs.interrupts;

	m->ibs.interrupts = false;
	return due && m->ibs.control & IBS_CONTROL_LVT_VALID;
}

/* --- The extended interrupts of the local APIC --- */

uint32_t vpmu_eilvt_read(const struct vpmu_model *m, unsigned i)
{
	return m->ibs.eilvt[i];
}

void vpmu_eilvt_write(struct vpmu_model *m, unsigned i, uint32_t v)
{
	m->ibs.eilvt[i] = v & LVT_WRITABLE;
	m->ibs.is_set_up = true;
}

uint32_t vpmu_model_ibs_lvt(const struct vpmu_model *m)
{
	const unsigned i = m->ibs.control & IBS_CONTROL_LVT;

	return m->ibs.is_set_up && i < VPMU_EILVTS ? m->ibs.eilvt[i] : LVT_NMI;
}

enum vpmu_access vpmu_eilvt_rdmsr(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	*v = vpmu_eilvt_read(m, i);
	return VPMU_DONE;
}

enum vpmu_access vpmu_eilvt_wrmsr(struct vpmu_model *m, unsigned i, uint64_t v)
{
	vpmu_eilvt_write(m, i, (uint32_t)v);
	return VPMU_DONE;
}

/* --- Registers --- */

/* Registers in the order of their numbers, from MSR_AMD_IBS_FETCH_CTL on. */
static uint64_t *plain_register(struct vpmu_ibs *ibs, unsigned i)
{
	uint64_t *const by_number[] = {
		[1] = &ibs->fetch_linear,    [2] = &ibs->fetch_physical, [4] = &ibs->op_rip,
		[5] = &ibs->op_data,         [6] = &ibs->op_data2,       [7] = &ibs->op_data3,
		[8] = &ibs->dc_linear,       [9] = &ibs->dc_physical,    [11] = &ibs->target,
		[12] = &ibs->fetch_extended,
	};

	return i < sizeof(by_number) / sizeof(*by_number) ? by_number[i] : NULL;
}

#define INDEX(msr)     ((msr)-MSR_AMD_IBS_FETCH_CTL)
#define TARGET         11u
#define FETCH_EXTENDED 12u

static bool has_ibs_register(const struct vpmu_model *m, unsigned i)
{
	if (i == TARGET)
		return has_cap(m, CAP_BRANCH_TARGET);
	return i == FETCH_EXTENDED ? has_cap(m, CAP_FETCH_EXTENDED) : m->uarch->ibs;
}

enum vpmu_access vpmu_ibs_read(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct vpmu_ibs *ibs = &m->ibs;

	if (!has_ibs_register(m, i))
		return VPMU_GP;
	switch (i) {
	case INDEX(MSR_AMD_IBS_FETCH_CTL):
		*v = (ibs->fetch_ctl & ~FETCH_COUNT) |
		     (ibs->fetch_count >> MAX_SHIFT << FETCH_COUNT_SHIFT & FETCH_COUNT);
		return VPMU_DONE;
	case INDEX(MSR_AMD_IBS_OP_CTL):
		*v = ibs->op_ctl;
		return VPMU_DONE;
	case INDEX(MSR_AMD_IBS_CONTROL):
		*v = ibs->control;
		return VPMU_DONE;
	}
	*v = *plain_register((struct vpmu_ibs *)ibs, i);
	return VPMU_DONE;
}

/* VPMU_IBS_CLEAR_MAXIMUM: an interrupt without a sample. */
static void note_disabled(struct vpmu_model *m, bool with_maximum)
{
	if (with_maximum && m->machine.errata & VPMU_IBS_CLEAR_MAXIMUM)
		m->ibs.interrupts = true;
}

/* A write starts anew: a sample without a description is dropped. */
static void write_fetch_ctl(struct vpmu_model *m, uint64_t v)
{
	struct vpmu_ibs *ibs = &m->ibs;

	const bool stays_on = ibs->fetch_ctl & v & IBS_FETCH_EN;

	note_disabled(m, ibs->fetch_ctl & IBS_FETCH_EN && !(v & IBS_FETCH_EN) && fetch_max(ibs));
	ibs->fetch_ctl = v & fetch_writable(m) & ~FETCH_COUNT;
	if (!(stays_on && m->machine.errata & VPMU_IBS_FETCH_RESTART))
		ibs->fetch_count = (v & FETCH_COUNT) >> FETCH_COUNT_SHIFT << MAX_SHIFT;
	ibs->fetch_picked = false;
}

static void write_op_ctl(struct vpmu_model *m, uint64_t v)
{
	note_disabled(m, m->ibs.op_ctl & IBS_OP_EN && !(v & IBS_OP_EN) && op_max(&m->ibs));
	m->ibs.op_ctl = v & op_writable(m);
	m->ibs.op_picked = false;
}

/* The level stays needed while software reads samples with the units switched off. */
static void note_on(struct vpmu_model *m)
{
	if (!vpmu_ibs_is_on(m))
		return;
	m->ibs.was_on = true;
	vpmu_model_need_accesses(m);
}

enum vpmu_access vpmu_ibs_write(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct vpmu_ibs *ibs = &m->ibs;

	if (!has_ibs_register(m, i))
		return VPMU_GP;
	switch (i) {
	case INDEX(MSR_AMD_IBS_FETCH_CTL):
		write_fetch_ctl(m, v);
		note_on(m);
		return VPMU_DONE;
	case INDEX(MSR_AMD_IBS_OP_CTL):
		write_op_ctl(m, v);
		note_on(m);
		return VPMU_DONE;
	case INDEX(MSR_AMD_IBS_CONTROL):
		return VPMU_GP; /* the firmware has locked it */
	}
	*plain_register(ibs, i) = v;
	return VPMU_DONE;
}
