// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_branch.c - last branch records: which branches are recorded, and how registers show them.
 *
 * There are three kinds. Intel's by model, in the formats 1 and 3 to 7: a register holds the index
 * of the newest record. Intel's architectural records and AMD's LbrExtV2: number 0 is the newest.
 * The machine below reports the branches (include/perf0/branch_records.h). If it does not, these
 * registers do not exist, except those by model on a machine that passes for a real one.
 *
 * On Zen 3 AMD's registers are those of Branch Sampling: recording begins with the overflow of a
 * counter, and its PMI comes when all records are there. Number 0 is the oldest.
 *
 * Sources: SDM vol. 3, "Last Branch, Interrupt, and Exception Recording" and "Architectural Last
 * Branch Records"; PPR of family 19h models 10h-1Fh, "LbrExtV2"; that of model 01h, "Branch
 * Sampling".
 */
#include "vpmu/model/model_priv.h"

#include "lib/string.h"

#define CANONICAL_BITS 48
#define EVERY_KIND     ((1u << BRANCH_KINDS) - 1)
#define LEGACY_BITS    0x1ffull
#define CALLS_BITS     0x3ffull /* from Haswell on, with call stacks */
#define AMD_BITS       0x1ffull

static enum vpmu_access give(uint64_t *v, uint64_t value)
{
	*v = value;
	return VPMU_DONE;
}

static bool is_architectural(const struct vpmu_model *m)
{
	return m->uarch->lbr_format == LBR_FORMAT_ARCHITECTURAL;
}

static bool has_legacy(const struct vpmu_model *m)
{
	return (m->lbr.exists || (m->machine.hides_hypervisor && m->uarch->lbr_depth)) &&
	       !is_amd(m) && !is_architectural(m);
}

static bool has_architectural(const struct vpmu_model *m)
{
	return m->lbr.exists && is_architectural(m);
}

static bool has_info(const struct vpmu_model *m)
{
	const uint8_t format = m->uarch->lbr_format;

	return has_legacy(m) && (format == LBR_FORMAT_INFO || format == LBR_FORMAT_INFO2);
}

void vpmu_branches_init(struct vpmu_model *m)
{
	m->lbr.stack.depth = m->uarch->lbr_depth;
	if (m->uarch->brs)
		m->lbr.stack.newest =
			(uint8_t)(m->lbr.stack.depth - 1); /* the next record is number 0 */
	else if (is_amd(m))
		m->lbr.dbg_extn = BRS_ONES;
}

void vpmu_branches_offer(struct vpmu_model *m)
{
	m->lbr.exists = m->uarch->lbr_depth;
}

/* --- Which are recorded --- */

static bool is_enabled(const struct vpmu_model *m)
{
	if (m->uarch->brs)
		return m->lbr.dbg_extn & BRS_ENABLE;
	if (is_amd(m))
		return m->lbr.dbg_extn & AMD_LBR_ENABLE;
	if (is_architectural(m))
		return m->lbr.select & ARCH_LBR_ENABLE;
	return m->regs.debugctl & DEBUGCTL_LBR;
}

bool vpmu_model_branches_on(const struct vpmu_model *m)
{
	return m->lbr.exists && is_enabled(m) && !(m->regs.global_status & GLOBAL_STATUS_LBR_FRZ);
}

static uint8_t architectural_kinds(const struct vpmu_model *m, enum vpmu_ring ring)
{
	static const uint64_t bits_of[BRANCH_KINDS] = {
		[BRANCH_KIND_JCC] = ARCH_LBR_JCC,
		[BRANCH_KIND_REL_CALL] = ARCH_LBR_REL_CALL,
		[BRANCH_KIND_IND_CALL] = ARCH_LBR_IND_CALL,
		[BRANCH_KIND_RETURN] = ARCH_LBR_RETURN,
		[BRANCH_KIND_IND_JUMP] = ARCH_LBR_IND_JUMP,
		[BRANCH_KIND_REL_JUMP] = ARCH_LBR_REL_JUMP,
		[BRANCH_KIND_FAR] = ARCH_LBR_OTHER,
	};
	uint8_t kinds = 0;

	if (!(m->lbr.select & (ring == VPMU_USR ? ARCH_LBR_USR : ARCH_LBR_OS)))
		return 0;
	for (unsigned i = 0; i < BRANCH_KINDS; i++)
		kinds |= m->lbr.select & bits_of[i] ? (uint8_t)(1u << i) : 0;
	return kinds;
}

uint8_t vpmu_model_branches_wanted(const struct vpmu_model *m, enum vpmu_ring ring)
{
	if (!vpmu_model_branches_on(m))
		return 0;
	if (m->uarch->brs)
		return vpmu_branches_hold(m) ? EVERY_KIND : 0;
	if (is_architectural(m))
		return architectural_kinds(m, ring);
	if (m->lbr.select & (ring == VPMU_USR ? LBR_NO_RING_3 : LBR_NO_RING_0))
		return 0;
	return (uint8_t)(~(m->lbr.select >> LBR_NO_KIND_SHIFT) & EVERY_KIND);
}

void vpmu_model_branch(struct vpmu_model *m, enum vpmu_ring ring, enum branch_kind kind,
		       struct branch_record record)
{
	m->lbr.stack.wanted = vpmu_model_branches_wanted(m, ring);
	branch_stack_add(&m->lbr.stack, kind, record);
}

/* SDM vol. 3, "Freezing LBR and Performance Counters on PMI": up to version 3 freezing clears the
 * enabling bit. */
void vpmu_branches_freeze(struct vpmu_model *m)
{
	if (!m->lbr.exists || !(m->regs.debugctl & DEBUGCTL_FREEZE_LBRS))
		return;
	if (is_amd(m) || m->uarch->version >= 4)
		m->regs.global_status |= GLOBAL_STATUS_LBR_FRZ;
	else
		m->regs.debugctl &= ~DEBUGCTL_LBR;
}

/* --- By model --- */

enum vpmu_access vpmu_rd_lbr_select(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return has_legacy(m) ? give(v, m->lbr.select) : VPMU_GP;
}

static uint64_t select_bits(const struct vpmu_model *m)
{
	return m->uarch->lbr_format <= LBR_FORMAT_EIP_FLAGS ? LEGACY_BITS : CALLS_BITS;
}

enum vpmu_access vpmu_wr_lbr_select(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (!has_legacy(m) || v & ~select_bits(m))
		return VPMU_GP;
	m->lbr.select = v;
	m->lbr.stack.calls = !!(v & LBR_CALL_STACK);
	return VPMU_DONE;
}

enum vpmu_access vpmu_rd_lbr_tos(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	(void)i;
	return has_legacy(m) ? give(v, m->lbr.stack.newest) : VPMU_GP;
}

enum vpmu_access vpmu_wr_lbr_tos(struct vpmu_model *m, unsigned i, uint64_t v)
{
	(void)i;
	if (!has_legacy(m) || v >= m->lbr.stack.depth)
		return VPMU_GP;
	m->lbr.stack.newest = (uint8_t)v;
	return VPMU_DONE;
}

/* Extends the sign by as many bits as are not flags. */
static uint64_t sign_extended(uint64_t v, unsigned flags)
{
	const unsigned above = 64 - CANONICAL_BITS;

	return (uint64_t)((int64_t)(v << above) >> above) & UINT64_MAX >> flags;
}

/* Records have the flag only if the registers do. */
static uint64_t mispredicted_flag(const struct vpmu_model *m, uint64_t v)
{
	_Static_assert(LBR_FROM_MISPREDICTED == BRANCH_MISPREDICTED, "the same bit of both");
	return m->uarch->lbr_flags ? v & LBR_FROM_MISPREDICTED : 0;
}

/* Format 6 has the cycles in the bits above the target. */
#define TIME_SHIFT CANONICAL_BITS
#define TIME_MOST  0xffffull

static bool has_time(const struct vpmu_model *m)
{
	return m->uarch->lbr_format == LBR_FORMAT_TIME;
}

static bool is_lbr_register(const struct vpmu_model *m, unsigned i)
{
	return has_legacy(m) && i < m->lbr.stack.depth;
}

static enum vpmu_access read_source(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = &m->lbr.stack.record[i];

	if (!is_lbr_register(m, i))
		return VPMU_GP;
	return give(v, sign_extended(r->from, m->uarch->lbr_flags) | mispredicted_flag(m, r->info));
}

/*
 * Format 4 on CPUs without TSX, as vpmu's are: bits 62:61, the flags of transactions, extend the
 * sign, and a write that does not do so faults.
 */
static bool has_wrong_sign(const struct vpmu_model *m, uint64_t v)
{
	const uint64_t flags = LBR_FROM_IN_TSX | LBR_FROM_TSX_ABORT;

	return m->uarch->lbr_format == LBR_FORMAT_EIP_FLAGS2 && (v ^ sign_extended(v, 0)) & flags;
}

static enum vpmu_access write_source(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct branch_record *r = &m->lbr.stack.record[i];

	if (!is_lbr_register(m, i) || has_wrong_sign(m, v))
		return VPMU_GP;
	r->from = sign_extended(v, 0);
	if (!has_info(m))
		r->info = mispredicted_flag(m, v);
	return VPMU_DONE;
}

static enum vpmu_access read_target(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = &m->lbr.stack.record[i];

	if (!is_lbr_register(m, i))
		return VPMU_GP;
	if (!has_time(m))
		return give(v, r->to);
	return give(v, (r->to & (UINT64_MAX >> (64 - TIME_SHIFT))) |
			       (r->info & BRANCH_CYCLES & TIME_MOST) << TIME_SHIFT);
}

static enum vpmu_access write_target(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (!is_lbr_register(m, i))
		return VPMU_GP;
	m->lbr.stack.record[i].to = sign_extended(v, 0);
	if (has_time(m))
		m->lbr.stack.record[i].info =
			(m->lbr.stack.record[i].info & BRANCH_MISPREDICTED) | v >> TIME_SHIFT;
	return VPMU_DONE;
}

/* By their numbers. */

enum vpmu_access vpmu_rd_lbr_from(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return m->uarch->lbr_old ? VPMU_GP : read_source(m, i, v);
}

enum vpmu_access vpmu_wr_lbr_from(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return m->uarch->lbr_old ? VPMU_GP : write_source(m, i, v);
}

enum vpmu_access vpmu_rd_lbr_to(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return m->uarch->lbr_old ? VPMU_GP : read_target(m, i, v);
}

enum vpmu_access vpmu_wr_lbr_to(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return m->uarch->lbr_old ? VPMU_GP : write_target(m, i, v);
}

enum vpmu_access vpmu_rd_lbr_old_from(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return m->uarch->lbr_old ? read_source(m, i, v) : VPMU_GP;
}

enum vpmu_access vpmu_wr_lbr_old_from(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return m->uarch->lbr_old ? write_source(m, i, v) : VPMU_GP;
}

enum vpmu_access vpmu_rd_lbr_old_to(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	return m->uarch->lbr_old ? read_target(m, i, v) : VPMU_GP;
}

enum vpmu_access vpmu_wr_lbr_old_to(struct vpmu_model *m, unsigned i, uint64_t v)
{
	return m->uarch->lbr_old ? write_target(m, i, v) : VPMU_GP;
}

/* Format 7 does not report mispredictions. */
static uint64_t info_bits(const struct vpmu_model *m)
{
	return m->uarch->lbr_format == LBR_FORMAT_INFO2 ? BRANCH_CYCLES
							: BRANCH_MISPREDICTED | BRANCH_CYCLES;
}

enum vpmu_access vpmu_rd_lbr_info(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	if (!has_info(m) || i >= m->lbr.stack.depth)
		return VPMU_GP;
	return give(v, m->lbr.stack.record[i].info & info_bits(m));
}

enum vpmu_access vpmu_wr_lbr_info(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (!has_info(m) || i >= m->lbr.stack.depth)
		return VPMU_GP;
	m->lbr.stack.record[i].info = v & info_bits(m);
	return VPMU_DONE;
}

/* --- Architectural --- */

enum { CONTROL, DEPTH }; /* IA32_LBR_CTL, IA32_LBR_DEPTH */

enum vpmu_access vpmu_rd_arch_lbr(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	if (!has_architectural(m))
		return VPMU_GP;
	return give(v, i == DEPTH ? m->lbr.stack.depth : m->lbr.select);
}

static bool is_depth(uint64_t v)
{
	return v == 8 || v == 16 || v == 32;
}

/* A write to IA32_LBR_DEPTH empties all records. */
static enum vpmu_access write_depth(struct vpmu_model *m, uint64_t v)
{
	if (!is_depth(v))
		return VPMU_GP;
	memset(m->lbr.stack.record, 0, sizeof(m->lbr.stack.record));
	m->lbr.stack.depth = (uint8_t)v;
	m->lbr.stack.newest = 0;
	return VPMU_DONE;
}

enum vpmu_access vpmu_wr_arch_lbr(struct vpmu_model *m, unsigned i, uint64_t v)
{
	const uint64_t valid =
		ARCH_LBR_ENABLE | ARCH_LBR_OS | ARCH_LBR_USR | ARCH_LBR_CALL_STACK | ARCH_LBR_KINDS;

	if (!has_architectural(m))
		return VPMU_GP;
	if (i == DEPTH)
		return write_depth(m, v);
	if (v & ~valid)
		return VPMU_GP;
	m->lbr.select = v;
	m->lbr.stack.calls = !!(v & ARCH_LBR_CALL_STACK);
	return VPMU_DONE;
}

/* Record `n`; 0 is the newest. NULL: there is none. */
static const struct branch_record *record_of(const struct vpmu_model *m, unsigned i)
{
	const struct branch_stack *s = &m->lbr.stack;

	return i < s->depth ? &s->record[(s->newest - i) & (s->depth - 1)] : NULL;
}

static struct branch_record *record_to_write(struct vpmu_model *m, unsigned i)
{
	return i < m->lbr.stack.depth ? branch_stack_at(&m->lbr.stack, i) : NULL;
}

enum vpmu_access vpmu_rd_arch_from(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = record_of(m, i);

	return has_architectural(m) ? give(v, r ? r->from : 0) : VPMU_GP;
}

enum vpmu_access vpmu_wr_arch_from(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct branch_record *r = record_to_write(m, i);

	if (!has_architectural(m) || sign_extended(v, 0) != v)
		return VPMU_GP;
	if (r)
		r->from = v;
	return VPMU_DONE;
}

enum vpmu_access vpmu_rd_arch_to(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = record_of(m, i);

	return has_architectural(m) ? give(v, r ? r->to : 0) : VPMU_GP;
}

enum vpmu_access vpmu_wr_arch_to(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct branch_record *r = record_to_write(m, i);

	if (!has_architectural(m) || sign_extended(v, 0) != v)
		return VPMU_GP;
	if (r)
		r->to = v;
	return VPMU_DONE;
}

/* The types of IA32_LBR_x_INFO; types of 8 and above are other branches. */
static const uint8_t types[BRANCH_KINDS] = {
	[BRANCH_KIND_JCC] = 0,      [BRANCH_KIND_IND_JUMP] = 1, [BRANCH_KIND_REL_JUMP] = 2,
	[BRANCH_KIND_IND_CALL] = 3, [BRANCH_KIND_REL_CALL] = 4, [BRANCH_KIND_RETURN] = 5,
	[BRANCH_KIND_FAR] = 8,
};

#define TELLS (BRANCH_MISPREDICTED | BRANCH_TIMED | BRANCH_CYCLES)

enum vpmu_access vpmu_rd_arch_info(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = record_of(m, i);

	if (!has_architectural(m))
		return VPMU_GP;
	if (!r || !r->from)
		return give(v, 0);
	return give(v, (r->info & TELLS) | (uint64_t)types[BRANCH_KIND_OF(r->info)]
						   << LBR_INFO_TYPE_SHIFT);
}

static uint64_t info_of_type(uint64_t type)
{
	for (unsigned kind = 0; kind < BRANCH_KINDS; kind++)
		if (types[kind] == type)
			return (uint64_t)kind << BRANCH_KIND_SHIFT;
	return (uint64_t)BRANCH_KIND_FAR << BRANCH_KIND_SHIFT;
}

enum vpmu_access vpmu_wr_arch_info(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct branch_record *r = record_to_write(m, i);

	if (!has_architectural(m))
		return VPMU_GP;
	if (r)
		r->info = (v & TELLS) | info_of_type(LBR_INFO_TYPE(v));
	return VPMU_DONE;
}

/* --- Branch Sampling --- */

/* All records since the overflow are there, from number 0 on. */
static bool has_all_records(const struct vpmu_model *m)
{
	return m->lbr.samples && m->lbr.stack.record[m->lbr.stack.depth - 1].from;
}

static unsigned next_lbr_index(const struct vpmu_model *m)
{
	return (m->lbr.stack.newest + 1u) & (m->lbr.stack.depth - 1u);
}

void vpmu_branches_overflow(struct vpmu_model *m, unsigned i)
{
	if (!m->uarch->brs || m->lbr.samples || !vpmu_model_branches_on(m) ||
	    BRS_PMC(m->lbr.dbg_extn) != i)
		return;
	memset(m->lbr.stack.record, 0, sizeof(m->lbr.stack.record));
	m->lbr.stack.newest = (uint8_t)(m->lbr.stack.depth - 1);
	m->lbr.samples = true;
}

bool vpmu_branches_hold(const struct vpmu_model *m)
{
	return m->lbr.samples && !has_all_records(m);
}

/* The CPU clears the enabling bit once all records are there. */
static uint64_t read_sampling(const struct vpmu_model *m)
{
	const bool any = m->lbr.samples && (next_lbr_index(m) || has_all_records(m));

	return (m->lbr.dbg_extn & ~(has_all_records(m) ? BRS_ENABLE : 0)) | BRS_ONES |
	       (any ? BRS_VALID : 0) | (uint64_t)next_lbr_index(m) << BRS_OFFSET_SHIFT;
}

/* A waiting overflow is delivered. */
static enum vpmu_access write_sampling(struct vpmu_model *m, uint64_t v)
{
	const uint64_t kept = BRS_ENABLE | BRS_VALID | 7ull << BRS_PMC_SHIFT;

	if (v & ~(kept | BRS_ONES | 0xfull << BRS_OFFSET_SHIFT))
		return VPMU_GP;
	m->lbr.dbg_extn = v & kept;
	m->lbr.stack.newest = (uint8_t)((BRS_OFFSET(v) - 1) & (m->lbr.stack.depth - 1u));
	m->lbr.samples = false;
	return VPMU_DONE;
}

/* A target keeps all bits, as software marks records by a target that is no address. */
static enum vpmu_access read_sampled(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = &m->lbr.stack.record[i / 2];

	return give(v, i % 2 ? r->to : r->from);
}

static enum vpmu_access write_sampled(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct branch_record *r = &m->lbr.stack.record[i / 2];

	*(i % 2 ? &r->to : &r->from) = v;
	return VPMU_DONE;
}

/* --- AMD's --- */

enum { SELECT, DBG_EXTN_CFG };

enum vpmu_access vpmu_rd_amd_lbr_control(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	if (!m->lbr.exists || (m->uarch->brs && i == SELECT))
		return VPMU_GP;
	if (m->uarch->brs)
		return give(v, read_sampling(m));
	return give(v, i == SELECT ? m->lbr.select : m->lbr.dbg_extn);
}

enum vpmu_access vpmu_wr_amd_lbr_control(struct vpmu_model *m, unsigned i, uint64_t v)
{
	if (m->lbr.exists && m->uarch->brs && i == DBG_EXTN_CFG)
		return write_sampling(m, v);
	if (!m->lbr.exists || m->uarch->brs ||
	    v & ~(i == SELECT ? AMD_BITS : AMD_LBR_ENABLE | BRS_ONES))
		return VPMU_GP;
	if (i == SELECT)
		m->lbr.select = v;
	else
		m->lbr.dbg_extn = v;
	return VPMU_DONE;
}

/* VPMU_LBR_ERRONEOUS: the second record has a wrong source. */
#define ERRONEOUS_RECORD 1
#define ERROR_SHIFT      49 /* from the flag to the bit of the source that is wrong */

static uint64_t erroneous_flag(const struct vpmu_model *m, unsigned i)
{
	return m->machine.errata & VPMU_LBR_ERRONEOUS && i == ERRONEOUS_RECORD
		       ? AMD_LBR_TO_ERRONEOUS
		       : 0;
}

/* Sources and targets alternate. */
enum vpmu_access vpmu_rd_amd_lbr(const struct vpmu_model *m, unsigned i, uint64_t *v)
{
	const struct branch_record *r = record_of(m, i / 2);

	if (!m->lbr.exists || !r)
		return VPMU_GP;
	if (m->uarch->brs)
		return read_sampled(m, i, v);
	if (i % 2)
		return give(v, r->from ? sign_extended(r->to, 3) | AMD_LBR_TO_VALID |
						 erroneous_flag(m, i / 2)
				       : 0);
	return give(v, sign_extended(r->from ^ erroneous_flag(m, i / 2) >> ERROR_SHIFT, 2) |
			       (r->info & BRANCH_MISPREDICTED ? AMD_LBR_FROM_MISPREDICTED : 0));
}

enum vpmu_access vpmu_wr_amd_lbr(struct vpmu_model *m, unsigned i, uint64_t v)
{
	struct branch_record *r = record_to_write(m, i / 2);

	if (!m->lbr.exists || !r)
		return VPMU_GP;
	if (m->uarch->brs)
		return write_sampled(m, i, v);
	if (i % 2) {
		r->to = sign_extended(v, 0);
		return VPMU_DONE;
	}
	r->from = sign_extended(v, 0);
	r->info = v & AMD_LBR_FROM_MISPREDICTED ? BRANCH_MISPREDICTED : 0;
	return VPMU_DONE;
}

/* --- In PEBS records --- */

void vpmu_branches_show(const struct vpmu_model *m, unsigned n, uint64_t shown[3])
{
	const struct branch_stack *s = &m->lbr.stack;
	const unsigned i = (s->newest - n) & (s->depth - 1u);

	shown[0] = shown[1] = shown[2] = 0;
	if (n >= s->depth)
		return;
	if (has_architectural(m)) {
		vpmu_rd_arch_from(m, n, &shown[0]);
		vpmu_rd_arch_to(m, n, &shown[1]);
		vpmu_rd_arch_info(m, n, &shown[2]);
	} else if (has_legacy(m)) {
		read_source(m, i, &shown[0]);
		read_target(m, i, &shown[1]);
		vpmu_rd_lbr_info(m, i, &shown[2]);
	}
}

/* --- What there is --- */

uint64_t vpmu_branches_capability(const struct vpmu_model *m)
{
	return m->lbr.exists ? m->uarch->lbr_format : 0;
}

bool vpmu_cpuid_has_branch_leaf(const struct vpmu_model *m)
{
	return is_architectural(m);
}

/* SDM vol. 2, "CPUID", leaf 1CH: depths 8, 16 and 32; filters by ring and by kind; call stacks;
 * mispredictions, cycles and types. */
static struct cpuid_regs lbr_leaf(uint32_t subleaf)
{
	if (subleaf)
		return (struct cpuid_regs){0};
	return (struct cpuid_regs){.eax = 0xb, .ebx = 7, .ecx = 7};
}

/* PPR of family 19h, CPUID 8000_0022: LbrExtV2, and the number of its records. */
static void amd_lbr_leaf(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax |= 1u << 1;
	r->ebx |= (uint32_t)m->uarch->lbr_depth << 4;
}

void vpmu_branches_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
			 struct cpuid_regs *r)
{
	const uint32_t arch_lbr = 1u << 19, branch_sampling = 1u << 31;

	if (leaf == VPMU_LBR_LEAF && has_architectural(m))
		*r = lbr_leaf(subleaf);
	else if (leaf == 7 && !subleaf && has_architectural(m))
		r->edx |= arch_lbr;
	else if (leaf == 0x80000022 && is_amd(m) && m->lbr.exists && !m->uarch->brs)
		amd_lbr_leaf(m, r);
	else if (leaf == 0x80000008 && m->lbr.exists && m->uarch->brs)
		r->ebx |= branch_sampling;
}
