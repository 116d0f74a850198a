// SPDX-License-Identifier: BSD-2-Clause
/* lbr.c - see lbr.h. */
#include "pmu/driver/lbr.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "lib/bits.h"
#include "pmu/driver/driver.h"
#include "pmu/driver/modelled.h"

#define ADDRESS_BITS 48
#define TOP_BITS     (64 - ADDRESS_BITS)

/* --- Detection --- */

static bool is_format_known(unsigned format)
{
	return format >= LBR_FORMAT_LIP && format <= LBR_FORMAT_INFO2;
}

/* The format by which the records are decoded. */
static uint8_t format_by_model(const struct pmu_caps *caps, const struct uarch_lbr *row)
{
	const unsigned told = PERF_CAP_LBR_FMT(caps->perf_capabilities);

	return (uint8_t)(told == LBR_FORMAT_LIP && row->mispredicts ? LBR_FORMAT_EIP_FLAGS : told);
}

static const char *probe_by_model(const struct pmu_caps *caps, const struct uarch *uarch,
				  struct pmu_lbr *lbr)
{
	const struct uarch_lbr row = uarch_lbr(uarch);

	if (has_quirk(caps, QUIRK_LBR_BROKEN))
		return "branch records of this stepping do not work: they do not stop at a PMI";
	if (!row.depth || !uarch_branches(uarch))
		return "which records of branches this model has is not known";
	if (!caps->pdcm_readable || !is_format_known(PERF_CAP_LBR_FMT(caps->perf_capabilities)))
		return "IA32_PERF_CAPABILITIES tells no format of branch records that is known";
	*lbr = (struct pmu_lbr){
		.kind = PMU_LBR_BY_MODEL,
		.depth = row.depth,
		.format = format_by_model(caps, &row),
		.calls = uarch_branches(uarch)->valid & LBR_CALL_STACK,
		.extended = format_by_model(caps, &row) == LBR_FORMAT_EIP_FLAGS2 && !caps->rtm,
		.from = row.from,
		.to = row.to,
	};
	return NULL;
}

/* CPUID leaf 1CH. */
#define LBR_EBX_CALLS 0x4u
#define LBR_ECX_TYPES 0x4u

static const char *probe_architectural(const struct pmu_caps *caps, struct pmu_lbr *lbr)
{
	if (!caps->lbr_depths)
		return "CPUID leaf 1CH tells no number of branch records";
	*lbr = (struct pmu_lbr){
		.kind = PMU_LBR_ARCHITECTURAL,
		.depth = (uint8_t)(8 * (bits_last(caps->lbr_depths) + 1)),
		.calls = caps->lbr_ebx & LBR_EBX_CALLS,
		.types = caps->lbr_ecx & LBR_ECX_TYPES,
		.from = MSR_ARCH_LBR_FROM0,
		.to = MSR_ARCH_LBR_TO0,
	};
	if (lbr->depth > PMU_BRANCHES_MOST)
		lbr->depth = PMU_BRANCHES_MOST;
	return NULL;
}

static const char *probe_amd(const struct pmu_caps *caps, struct pmu_lbr *lbr)
{
	if (!caps->lbr_v2 || !caps->amd_lbr_depth)
		return "this CPU has no LbrExtV2, as AMD's have from Zen 4 on";
	*lbr = (struct pmu_lbr){
		.kind = PMU_LBR_AMD,
		.depth = caps->amd_lbr_depth < PMU_BRANCHES_MOST ? caps->amd_lbr_depth
								 : PMU_BRANCHES_MOST,
		.erroneous = has_quirk(caps, QUIRK_LBR_ERRONEOUS),
	};
	return NULL;
}

static uint32_t first_register(const struct pmu_lbr *lbr)
{
	return lbr->kind == PMU_LBR_AMD ? MSR_AMD_LBR_FROM0 : lbr->from;
}

static bool has_info(const struct pmu_lbr *lbr)
{
	return lbr->kind == PMU_LBR_ARCHITECTURAL || lbr->format == LBR_FORMAT_INFO ||
	       lbr->format == LBR_FORMAT_INFO2;
}

static uint32_t info_register(const struct pmu_lbr *lbr)
{
	return lbr->kind == PMU_LBR_ARCHITECTURAL ? MSR_ARCH_LBR_INFO0 : MSR_LBR_INFO0;
}

/* The registers that records of each kind need, beside the records themselves. */
static const uint32_t needed[][3] = {
	/* 0: no further one */
	[PMU_LBR_BY_MODEL] = {MSR_IA32_DEBUGCTL, MSR_LBR_TOS},
	[PMU_LBR_ARCHITECTURAL] = {MSR_IA32_DEBUGCTL, MSR_IA32_LBR_CTL},
	[PMU_LBR_AMD] = {MSR_IA32_DEBUGCTL, MSR_AMD_DBG_EXTN_CFG, MSR_AMD_LBR_FROM0 + 1},
};

static bool has_needed(const struct pmu_lbr *lbr)
{
	const uint32_t *msr = needed[lbr->kind];

	for (unsigned i = 0; i < sizeof(needed[0]) / sizeof(needed[0][0]); i++)
		if (msr[i] && !pmu_has_msr(msr[i]))
			return false;
	return (!lbr->to || pmu_has_msr(lbr->to)) &&
	       (!has_info(lbr) || pmu_has_msr(info_register(lbr)));
}

/* A hypervisor may hide registers that the model has: it faults, or ignores writes. */
static const char *try_registers(const struct pmu_lbr *lbr, const struct uarch *uarch)
{
	const uint64_t pattern = 0x123450;
	uint64_t value;

	if (!pmu_has_msr(uarch_branches(uarch)->msr) || !has_needed(lbr) ||
	    !wrmsr_safe(first_register(lbr), pattern) || !rdmsr_safe(first_register(lbr), &value) ||
	    value != pattern)
		return "its registers are not there: a hypervisor hides them";
	return NULL;
}

static const char *find_records(const struct pmu_caps *caps, const struct uarch *uarch,
				struct pmu_lbr *lbr)
{
	if (caps->vendor == CPU_VENDOR_AMD)
		return probe_amd(caps, lbr);
	if (caps->vendor != CPU_VENDOR_INTEL)
		return "CPUs of this vendor have none that are known";
	return caps->arch_lbr ? probe_architectural(caps, lbr) : probe_by_model(caps, uarch, lbr);
}

void pmu_lbr_probe(const struct pmu_caps *caps, const struct uarch *uarch, struct pmu_lbr *lbr)
{
	const char *problem;

	*lbr = (struct pmu_lbr){0};
	problem = find_records(caps, uarch, lbr);
	if (!pmu_modelled_sources())
		problem = "vpmu knows branches where it models a core only (--events model)";
	if (!problem && !uarch_branches(uarch))
		problem = "which register filters branches on this model is not known";
	if (!problem)
		problem = try_registers(lbr, uarch);
	if (problem) {
		if (caps->kvm)
			problem = "KVM shows no registers of last branches to its guests";
		*lbr = (struct pmu_lbr){.problem = problem};
		return;
	}
	pmu_lbr_stop(lbr, 0);
	pmu_lbr_clear(lbr);
}

/* --- Starting and stopping --- */

static void change_register(uint32_t msr, uint64_t clear, uint64_t set)
{
	const uint64_t was = rdmsr(msr), is = (was & ~clear) | set;

	if (is != was)
		wrmsr(msr, is);
}

void pmu_lbr_start(const struct pmu_lbr *lbr, uint64_t select, bool freezes)
{
	const uint64_t freeze = freezes ? DEBUGCTL_FREEZE_LBRS : 0,
		       on = lbr->kind == PMU_LBR_BY_MODEL ? DEBUGCTL_LBR : 0;

	change_register(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_LBRS, freeze | on);
	if (lbr->kind == PMU_LBR_ARCHITECTURAL)
		wrmsr(MSR_IA32_LBR_CTL, select | ARCH_LBR_ENABLE);
	else if (lbr->kind == PMU_LBR_AMD)
		change_register(MSR_AMD_DBG_EXTN_CFG, 0, AMD_LBR_ENABLE);
}

void pmu_lbr_stop(const struct pmu_lbr *lbr, uint64_t select)
{
	if (lbr->kind == PMU_LBR_ARCHITECTURAL)
		wrmsr(MSR_IA32_LBR_CTL, select);
	else if (lbr->kind == PMU_LBR_AMD)
		change_register(MSR_AMD_DBG_EXTN_CFG, AMD_LBR_ENABLE, 0);
	else
		change_register(MSR_IA32_DEBUGCTL, DEBUGCTL_LBR, 0);
}

/* --- Registers of one record --- */

/* Sign-extends the address in the lower bits. */
static uint64_t canonical_address(uint64_t v)
{
	return (uint64_t)((int64_t)(v << TOP_BITS) >> TOP_BITS);
}

struct registers {
	uint64_t from, to, info;
};

static struct registers read_lbr_entry(const struct pmu_lbr *lbr, unsigned i)
{
	if (lbr->kind == PMU_LBR_AMD)
		return (struct registers){rdmsr(MSR_AMD_LBR_FROM0 + 2 * i),
					  rdmsr(MSR_AMD_LBR_FROM0 + 2 * i + 1), 0};
	return (struct registers){
		.from = rdmsr(lbr->from + i),
		.to = rdmsr(lbr->to + i),
		.info = !has_info(lbr) ? 0 : rdmsr(info_register(lbr) + i),
	};
}

/*
 * Without TSX the CPU extends the sign of a source into the flags of transactions, and faults on a
 * write that does not (Linux, arch/x86/events/intel/lbr.c, lbr_from_signext_quirk_wr()).
 */
#define SIGN_IN_FLAGS (LBR_FROM_IN_TSX | LBR_FROM_TSX_ABORT)

static uint64_t with_sign(uint64_t from)
{
	return (from & ~SIGN_IN_FLAGS) | (canonical_address(from) & SIGN_IN_FLAGS);
}

static void write_registers(const struct pmu_lbr *lbr, unsigned i, const struct registers *r)
{
	if (lbr->kind == PMU_LBR_AMD) {
		wrmsr(MSR_AMD_LBR_FROM0 + 2 * i, r->from);
		wrmsr(MSR_AMD_LBR_FROM0 + 2 * i + 1, r->to);
		return;
	}
	wrmsr(lbr->from + i, lbr->extended ? with_sign(r->from) : r->from);
	wrmsr(lbr->to + i, r->to);
	if (has_info(lbr))
		wrmsr(info_register(lbr) + i, r->info);
}

/* Writing the depth clears all architectural records. */
void pmu_lbr_clear(const struct pmu_lbr *lbr)
{
	const struct registers none = {0};

	if (lbr->kind == PMU_LBR_ARCHITECTURAL) {
		wrmsr(MSR_IA32_LBR_DEPTH, lbr->depth);
		return;
	}
	for (unsigned i = 0; i < lbr->depth; i++)
		write_registers(lbr, i, &none);
	if (lbr->kind == PMU_LBR_BY_MODEL)
		wrmsr(MSR_LBR_TOS, 0);
}

/* --- Decoding --- */

static void tell_direction(struct perf_branch_entry *e, bool mispredicted)
{
	e->mispred = mispredicted;
	e->predicted = !mispredicted;
}

static void decode_info(struct perf_branch_entry *e, uint64_t info)
{
	tell_direction(e, info & LBR_INFO_MISPREDICTED);
	e->in_tx = !!(info & LBR_INFO_IN_TSX);
	e->abort = !!(info & LBR_INFO_TSX_ABORT);
	e->cycles = info & LBR_INFO_CYCLES;
}

/* "IA32_LBR_x_INFO": types from 6 on are other branches; their code distinguishes these. */
static void decode_type(struct perf_branch_entry *e, uint64_t info)
{
	static const uint8_t types[] = {PERF_BR_COND,     PERF_BR_IND,  PERF_BR_UNCOND,
					PERF_BR_IND_CALL, PERF_BR_CALL, PERF_BR_RET};
	const uint64_t type = LBR_INFO_TYPE(info);

	if (type < sizeof(types))
		e->type = types[type];
}

/*
 * Decodes records without an info register: flags in the upper bits of the source and, for small
 * cores, cycles in those of the target.
 */
static void decode_flags(const struct pmu_lbr *lbr, struct perf_branch_entry *e,
			 const struct registers *r)
{
	if (lbr->format < LBR_FORMAT_EIP_FLAGS)
		return;
	tell_direction(e, r->from & LBR_FROM_MISPREDICTED);
	if (lbr->format == LBR_FORMAT_EIP_FLAGS2 && !lbr->extended) {
		e->in_tx = !!(r->from & LBR_FROM_IN_TSX);
		e->abort = !!(r->from & LBR_FROM_TSX_ABORT);
	}
	if (lbr->format == LBR_FORMAT_TIME)
		e->cycles = r->to >> ADDRESS_BITS;
}

/* PPR of family 19h: speculation, by the bits `valid` and `speculative` of the target. */
static bool decode_amd(const struct pmu_lbr *lbr, struct perf_branch_entry *e,
		       const struct registers *r)
{
	const bool valid = r->to & AMD_LBR_TO_VALID, speculative = r->to & AMD_LBR_TO_SPECULATIVE;

	tell_direction(e, r->from & AMD_LBR_FROM_MISPREDICTED);
	e->spec = valid ? speculative ? PERF_BR_SPEC_CORRECT_PATH : PERF_BR_NON_SPEC_CORRECT_PATH
			: PERF_BR_SPEC_WRONG_PATH;
	return (valid || speculative) && !(lbr->erroneous && r->to & AMD_LBR_TO_ERRONEOUS);
}

/* Returns false for an empty record. */
static bool decode_record(const struct pmu_lbr *lbr, const struct registers *r,
			  struct perf_branch_entry *e)
{
	*e = (struct perf_branch_entry){.from = canonical_address(r->from),
					.to = canonical_address(r->to)};
	if (lbr->kind == PMU_LBR_AMD)
		return decode_amd(lbr, e, r);
	if (!r->from)
		return false;
	if (has_info(lbr))
		decode_info(e, r->info);
	else
		decode_flags(lbr, e, r);
	if (lbr->types)
		decode_type(e, r->info);
	return true;
}

/* The number of the register with the newest record; 0 unless records are model-specific. */
static unsigned find_newest(const struct pmu_lbr *lbr)
{
	return lbr->kind == PMU_LBR_BY_MODEL ? (unsigned)rdmsr(MSR_LBR_TOS) % lbr->depth : 0;
}

static unsigned register_of(const struct pmu_lbr *lbr, unsigned newest, unsigned i)
{
	return lbr->kind == PMU_LBR_BY_MODEL ? (newest - i) % lbr->depth : i;
}

void pmu_lbr_read(const struct pmu_lbr *lbr, bool calls, struct pmu_lbr_records *records)
{
	const unsigned newest = find_newest(lbr);

	records->n = 0;
	records->newest = newest;
	for (unsigned i = 0; i < lbr->depth; i++) {
		const struct registers r = read_lbr_entry(lbr, register_of(lbr, newest, i));

		if (decode_record(lbr, &r, &records->entry[records->n]))
			records->n++;
		else if (calls || lbr->kind != PMU_LBR_AMD)
			break;
	}
}

/* --- Saved call stacks --- */

void pmu_lbr_save(const struct pmu_lbr *lbr, struct pmu_saved_branches *saved)
{
	saved->n = 0;
	saved->newest = (uint8_t)find_newest(lbr);
	for (unsigned i = 0; i < lbr->depth; i++) {
		const struct registers r = read_lbr_entry(lbr, register_of(lbr, saved->newest, i));

		if (!r.from)
			return;
		saved->record[i].from = r.from;
		saved->record[i].to = r.to;
		saved->record[i].info = r.info;
		saved->n++;
	}
}

void pmu_lbr_restore(const struct pmu_lbr *lbr, const struct pmu_saved_branches *saved)
{
	const unsigned newest = saved->newest;

	pmu_lbr_clear(lbr);
	for (unsigned i = 0; i < saved->n; i++) {
		const struct registers r = {saved->record[i].from, saved->record[i].to,
					    saved->record[i].info};

		write_registers(lbr, register_of(lbr, newest, i), &r);
	}
	if (lbr->kind == PMU_LBR_BY_MODEL)
		wrmsr(MSR_LBR_TOS, newest);
}
