// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_cpuid.c - turns the machine's CPUID into the personality's. Features unrelated to
 * performance monitoring stay as they are, so that software uses what works. Hidden are features
 * that vpmu does not emulate and those that would break exact counts: MONITOR and MWAIT, and the
 * fast string bits, as TCG counts the iterations of a REP instruction. No leaf reports a nominal
 * TSC frequency (0x15, 0x16): software measures it, or takes it from the brand string.
 */
#include "vpmu/model/model_priv.h"
#include "vpmu/model/platform_priv.h"

#include "lib/core_names.h"
#include "include/perf0/vpmu.h"
#include "lib/bits.h"
#include "lib/printf.h"
#include "lib/string.h"

#define MAX_BASIC       0xdu
#define HYBRID_LEAF     0x1au
#define HYPERVISOR_LEAF 0x40000000u
#define KVM_FEATURES    0x40000001u
#define PERFMON_LEAF    0x23u
#define EXTENDED_LEAF   0x80000000u
#define MAX_EXT_INTEL   0x80000008u
#define MAX_EXT_AMD     0x80000022u
#define MAX_EXT_AMD_OLD 0x8000001fu /* before PerfMonV2 */
#define BRAND_FIRST     0x80000002u
#define BRAND_LEAVES    3
#define GHZ             1000000000u

#define BIT(n)    (1u << (n))
#define ALL_BITS  (~0u)
#define KEEP(set) (~(set))
#define ALL                                            \
	{                                              \
		ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS \
	}
#define LETTERS(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define ANY       (-1)
#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

static bool has_amd_v2(const struct vpmu_model *m)
{
	return is_amd(m) && m->uarch->version >= 2;
}

/*
 * The highest leaf depends on the personality alone, and not on what is counted: Intel PT and last
 * branches may be missing. libc reads the leaves up to it, so a program would execute other
 * instructions.
 */
static uint32_t max_basic(const struct vpmu_model *m)
{
	if (m->uarch->extended)
		return PERFMON_LEAF;
	if (vpmu_cpuid_has_branch_leaf(m))
		return VPMU_LBR_LEAF;
	if (m->uarch->core_type)
		return HYBRID_LEAF;
	if (vpmu_cpuid_tells_tlbs(m))
		return VPMU_TLB_LEAF;
	return m->uarch->pt ? VPMU_PT_LEAF : MAX_BASIC;
}

static uint32_t max_extended(const struct vpmu_model *m)
{
	if (!is_amd(m))
		return MAX_EXT_INTEL;
	return has_amd_v2(m) ? MAX_EXT_AMD : MAX_EXT_AMD_OLD;
}

/* Leaves beyond the highest read as zero. The hypervisors' range passes, unless hypervisors are
 * hidden. */
static bool is_beyond_leaves(const struct vpmu_model *m, uint32_t leaf)
{
	if (leaf < HYPERVISOR_LEAF)
		return leaf > MAX_BASIC;
	if (leaf < EXTENDED_LEAF)
		return m->machine.hides_hypervisor;
	return leaf > max_extended(m);
}

/* --- Topology: neighbours by APIC id are the threads of one core --- */

/* `n` logical CPUs, rounded up to whole cores. */
static uint32_t whole_cores(const struct vpmu_model *m, uint32_t n)
{
	return n ? (n + m->machine.threads - 1) / m->machine.threads * m->machine.threads
		 : m->machine.threads;
}

/* The number of APIC id bits that tell `n` apart. */
static uint32_t id_bits(uint32_t n)
{
	uint32_t width = 0;

	while (1u << width < n)
		width++;
	return width;
}

/* SDM vol. 2, "CPUID", leaf 01H: logical CPUs of the package, 255 at most; HTT: more than one. */
static void show_package(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const uint32_t htt = BIT(28);
	uint32_t n = whole_cores(m, r->ebx >> 16 & 0xff);

	if (n > 0xff)
		n = 0xff;
	r->ebx = (r->ebx & ~0xff0000u) | n << 16;
	r->edx = n > 1 ? r->edx | htt : r->edx & ~htt;
}

/* SDM vol. 2, "CPUID", leaf 0BH: a subleaf for each level, threads (type 1) and cores (type 2). */
static void tell_levels(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
			struct cpuid_regs *r)
{
	uint32_t n = subleaf ? whole_cores(m, r->ebx & 0xffff) : m->machine.threads;

	(void)leaf;
	if (subleaf > 1) {
		*r = (struct cpuid_regs){.ecx = subleaf & 0xff, .edx = r->edx};
		return;
	}
	r->eax = id_bits(n);
	r->ebx = n;
	r->ecx = (subleaf + 1) << 8 | subleaf;
}

/* --- What each leaf shows: rows below call these --- */

static void show_max_basic(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = max_basic(m);
}

/* A personality of KVM is a hypervisor, whatever the machine below says. */
static void show_hypervisor(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->ecx |= is_kvm(m) ? BIT(31) : 0;
	if (m->machine.hides_hypervisor)
		r->ecx &= ~BIT(31);
}

static void show_signature(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = m->uarch->signature;
	show_package(m, r);
	show_hypervisor(m, r);
}

/* KVM shows no SpeedStep, no sensors, neither APERF nor MPERF; the APIC's timer always runs. */
static void show_kvm_features(const struct vpmu_model *m, struct cpuid_regs *r)
{
	(void)m;
	r->ecx &= ~BIT(7);
}

static void show_kvm_power(const struct vpmu_model *m, struct cpuid_regs *r)
{
	(void)m;
	*r = (struct cpuid_regs){.eax = BIT(2)};
}

/* Linux, Documentation/virt/kvm/x86/cpuid.rst: the signature, and the highest leaf. */
static void show_kvm(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (!m->machine.hides_hypervisor)
		*r = (struct cpuid_regs){.eax = KVM_FEATURES,
					 .ebx = LETTERS('K', 'V', 'M', 'K'),
					 .ecx = LETTERS('V', 'M', 'K', 'V'),
					 .edx = LETTERS('M', 0, 0, 0)};
}

static void show_kvm_clocks(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (!m->machine.hides_hypervisor)
		*r = (struct cpuid_regs){.eax = KVM_FEATURE_STEAL};
}

/* SDM vol. 2, "CPUID", leaf 01H: DS; DTES64, its layout of 64 bits; DS-CPL, branches stored by
 * ring. */
static void show_debug_store(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (!pebs_format(m))
		return;
	r->ecx |= BIT(2) | (m->trace.exists ? BIT(4) : 0);
	r->edx |= BIT(21);
}

/* SDM vol. 2, "CPUID", leaf 06H: HWP, with an activity window and a preference. */
static void show_power(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (vpmu_power_find(m->uarch, MSR_IA32_HWP_REQUEST) >= 0)
		r->eax |= BIT(7) | BIT(9) | BIT(10);
}

static void show_features(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const uint32_t tsx_force_abort = BIT(13), hybrid = BIT(15);

	if (m->uarch->extended && !r->eax)
		r->eax = 1; /* the highest subleaf */
	r->edx |= m->uarch->tsx_force_abort ? tsx_force_abort : 0;
	r->edx |= m->uarch->core_type ? hybrid : 0;
}

/* SDM vol. 2, "CPUID", leaf 0AH: a length for architectural events, and the gaps below it; fixed
 * counters without a gap, and since version 5 a mask of all. */
static void show_perfmon(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const struct vpmu_uarch *u = m->uarch;
	const uint32_t any_thread_deprecated = BIT(15), length = bits_length(m->layout.told_events);

	r->eax = u->version | m->layout.told_gp << 8 | (uint32_t)u->width << 16 | length << 24;
	r->ebx = (uint32_t)bits(length) & ~m->layout.told_events;
	r->edx = bits_first(~(uint64_t)m->layout.told_fixed) | (uint32_t)u->width << 5;
	r->ecx = u->version < 5 ? 0 : m->layout.told_fixed;
	r->edx |= u->version < 5 && !is_kvm(m) ? 0 : any_thread_deprecated;
}

/* SDM vol. 2, "CPUID", leaf 23H: the facts of this very core. Subleaf 0 lists the others: 1
 * counters, 2 counters with auto counter reload, 3 architectural events. */
static void tell_extended_perfmon(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
				  struct cpuid_regs *r)
{
	const struct vpmu_uarch *u = m->uarch;
	const uint32_t umask2 = BIT(0), eq = BIT(1);

	(void)leaf;
	*r = (struct cpuid_regs){0};
	if (!u->extended)
		return;
	if (subleaf == 0) {
		r->eax = BIT(0) | BIT(1) | (u->reloads ? BIT(2) : 0) | BIT(3);
		r->ebx = u->wide_select ? umask2 | eq : 0;
		r->ecx = u->tells_slots ? u->slots : 0;
	} else if (subleaf == 1) {
		r->eax = (uint32_t)bits(m->layout.ngp);
		r->ebx = u->fixed;
	} else if (subleaf == 2) {
		vpmu_reload_cpuid(m, r);
	} else if (subleaf == 3) {
		r->eax = u->arch_events;
	}
}

/* SDM vol. 2, "CPUID", leaf 07H, subleaf 1: leaf 23H exists. */
static void show_leaf_23h(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax |= m->uarch->extended ? BIT(8) : 0;
}

/* SDM vol. 2, "CPUID", leaf 1AH: the kind of the core, and its native model. */
static void show_core_kind(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = (uint32_t)m->uarch->core_type << 24 | m->uarch->native_model;
}

static void show_max_extended(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = max_extended(m);
}

/* SDM vol. 2, "The Processor Brand String Method": the string ends in the TSC's frequency, and
 * software reads it there if no leaf has it. AMD's strings do not. */
static void tell_brand(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		       struct cpuid_regs *r)
{
	char text[BRAND_LEAVES * sizeof(*r)] = {0}, ghz[8];

	(void)subleaf;
	if (is_amd(m) || !m->machine.tsc_hz)
		fmt_print(text, sizeof(text), "%s", m->uarch->brand);
	else
		fmt_print(text, sizeof(text), "%s @ %sGHz", m->uarch->brand,
			  fmt_ratio(ghz, sizeof(ghz), m->machine.tsc_hz, GHZ, 2));
	memcpy(r, text + (leaf - BRAND_FIRST) * sizeof(*r), sizeof(*r));
}

/* APM vol. 3, "CPUID", 8000_0001h: IBS; counters of the core, of the northbridge or the data
 * fabric, of L3, or of L2 where that is the last level. */
static void show_amd_features(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = m->uarch->signature;
	r->ecx |= m->uarch->ibs ? BIT(10) : 0;
	r->ecx |= m->uarch->amd_core ? BIT(23) : 0;
	r->ecx |= m->uarch->has & (VPMU_NORTHBRIDGE | VPMU_ZEN_UNCORE) ? BIT(24) : 0;
	r->ecx |= m->uarch->has & (VPMU_L2_SHARED | VPMU_ZEN_UNCORE) ? BIT(28) : 0;
}

/* 8000_0007h: read-only APERF and MPERF, energy; P-states by registers, core performance boost. */
static void show_amd_power(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->edx |= m->uarch->has & VPMU_ZEN ? BIT(10) | BIT(14) : 0;
	r->edx |= m->uarch->has & VPMU_ZEN_POWER ? BIT(7) | BIT(9) : 0;
}

/*
 * APM vol. 3, "CPUID", 8000_0008h: threads of the package, and the width of their ids; a count of
 * retired instructions; CPPC.
 */
static void show_amd_package(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const uint32_t irperf = BIT(1), cppc = BIT(27);
	const uint32_t n = whole_cores(m, (r->ecx & 0xff) + 1);

	r->ecx = (r->ecx & ~0xf0ffu) | (n - 1) | id_bits(n) << 12;
	r->ebx |= m->uarch->has & VPMU_ZEN ? irperf : 0;
	r->ebx |= m->uarch->has & VPMU_ZEN_POWER ? cppc : 0;
}

static void show_ibs(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = m->uarch->ibs;
}

/* APM vol. 3, "CPUID", 8000_001Eh: threads of a core, and the number of this core. */
static void show_amd_core(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->ebx = (m->machine.threads - 1) << 8 | (r->eax / m->machine.threads & 0xff);
}

static void show_prefetchers(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const uint32_t prefetchers = BIT(13);

	r->eax |= m->uarch->has & VPMU_ZEN_POWER ? prefetchers : 0;
}

/*
 * APM vol. 3, "Extended Performance Monitoring and Debug": PerfMonV2, freeze on PMI; counters of a
 * core and of the data fabric.
 */
static void show_amd_perfmon(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (!has_amd_v2(m))
		return;
	r->eax = BIT(0) | BIT(2);
	r->ebx = m->layout.ngp | (m->uarch->has & VPMU_DF_V2 ? VPMU_DF_COUNTERS << 10 : 0);
}

/* --- Leaves --- */

enum vendors { BOTH, INTEL_ONLY, AMD_ONLY, KVM_ONLY };

#define GENUINE_INTEL                                                                   \
	{                                                                               \
		.ebx = LETTERS('G', 'e', 'n', 'u'), .edx = LETTERS('i', 'n', 'e', 'I'), \
		.ecx = LETTERS('n', 't', 'e', 'l')                                      \
	}
#define AUTHENTIC_AMD                                                                   \
	{                                                                               \
		.ebx = LETTERS('A', 'u', 't', 'h'), .edx = LETTERS('e', 'n', 't', 'i'), \
		.ecx = LETTERS('c', 'A', 'M', 'D')                                      \
	}

/* An answer loses the bits `clear`, gains the bits `set`, and then `show` or `tell` changes it. The
 * rows of a leaf apply in their order. */
struct leaf_row {
	uint32_t leaf;
	int subleaf; /* or ANY */
	enum vendors vendors;
	struct cpuid_regs clear, set;
	void (*show)(const struct vpmu_model *m, struct cpuid_regs *r);
	void (*tell)(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		     struct cpuid_regs *r);
};

static const struct leaf_row rows[] = {
	{0x00, ANY, INTEL_ONLY, .clear = ALL, .set = GENUINE_INTEL, .show = show_max_basic},
	{0x00, ANY, AMD_ONLY, .clear = ALL, .set = AUTHENTIC_AMD, .show = show_max_basic},
	/* DTES64, MONITOR, DS-CPL, PDCM; DS. */
	{0x01, ANY, BOTH, .clear = {.ecx = BIT(2) | BIT(3) | BIT(4) | BIT(15), .edx = BIT(21)},
	 .show = show_signature},
	/* EIST, PDCM. */
	{0x01, ANY, INTEL_ONLY, .set = {.ecx = BIT(7) | BIT(15)}, .show = show_debug_store},
	{0x01, ANY, KVM_ONLY, .show = show_kvm_features},
	{0x02, ANY, BOTH, .tell = vpmu_cpuid_caches},
	{0x04, ANY, BOTH, .tell = vpmu_cpuid_caches},
	{0x05, ANY, BOTH, .clear = ALL},
	/* APERF and MPERF. */
	{0x06, ANY, BOTH, .set = {.ecx = BIT(0)}},
	/* Thermal sensors of core and package; energy performance bias. */
	{0x06, ANY, INTEL_ONLY, .set = {.eax = BIT(0) | BIT(6), .ecx = BIT(3)}, .show = show_power},
	{0x06, ANY, KVM_ONLY, .show = show_kvm_power},
	/* SGX, HLE, ERMS, RTM, Intel PT; FSRM, TSX_FORCE_ABORT, hybrid, architectural LBR. */
	{0x07, 0, BOTH,
	 .clear = {.ebx = BIT(2) | BIT(4) | BIT(9) | BIT(11) | BIT(25),
		   .edx = BIT(4) | BIT(13) | BIT(15) | BIT(19)}},
	{0x07, 0, INTEL_ONLY, .show = show_features},
	{0x07, 0, INTEL_ONLY, .tell = vpmu_branches_cpuid},
	{0x07, 0, INTEL_ONLY, .tell = vpmu_pt_cpuid},
	/* Fast zero-length, short REP MOVSB, STOSB, CMPSB; architectural perfmon leaf 0x23. */
	{0x07, 1, BOTH, .clear = {.eax = BIT(8) | BIT(10) | BIT(11) | BIT(12)}},
	{0x07, 1, INTEL_ONLY, .show = show_leaf_23h},
	{0x0a, ANY, AMD_ONLY, .clear = ALL},
	{0x0a, ANY, INTEL_ONLY, .clear = ALL, .show = show_perfmon},
	{0x0b, ANY, BOTH, .tell = tell_levels},
	{VPMU_PT_LEAF, ANY, INTEL_ONLY, .tell = vpmu_pt_cpuid},
	{VPMU_TLB_LEAF, ANY, INTEL_ONLY, .tell = vpmu_cpuid_caches},
	{HYBRID_LEAF, ANY, INTEL_ONLY, .show = show_core_kind},
	{VPMU_LBR_LEAF, ANY, INTEL_ONLY, .tell = vpmu_branches_cpuid},
	{PERFMON_LEAF, ANY, INTEL_ONLY, .tell = tell_extended_perfmon},

	{HYPERVISOR_LEAF, ANY, KVM_ONLY, .show = show_kvm},
	{KVM_FEATURES, ANY, KVM_ONLY, .show = show_kvm_clocks},

	{EXTENDED_LEAF, ANY, INTEL_ONLY, .clear = ALL, .set = {.eax = MAX_EXT_INTEL}},
	{EXTENDED_LEAF, ANY, AMD_ONLY, .clear = ALL, .set = AUTHENTIC_AMD,
	 .show = show_max_extended},
	/* LAHF, LZCNT, PREFETCHW; SYSCALL, NX, 1 GiB pages, RDTSCP, long mode. */
	{0x80000001, ANY, INTEL_ONLY,
	 .clear = {ALL_BITS, ALL_BITS, KEEP(BIT(0) | BIT(5) | BIT(8)),
		   KEEP(BIT(11) | BIT(20) | BIT(26) | BIT(27) | BIT(29))}},
	/* SVM, IBS, SKINIT, PerfCtrExtCore, PerfCtrExtNB, PTSC, PerfCtrExtLLC, MONITORX;
	 * TopologyExtensions. */
	{0x80000001, ANY, AMD_ONLY,
	 .clear = {.ecx = BIT(2) | BIT(10) | BIT(12) | BIT(23) | BIT(24) | BIT(27) | BIT(28) |
			  BIT(29)},
	 .set = {.ecx = BIT(22)}, .show = show_amd_features},
	{BRAND_FIRST, ANY, BOTH, .tell = tell_brand},
	{BRAND_FIRST + 1, ANY, BOTH, .tell = tell_brand},
	{BRAND_FIRST + 2, ANY, BOTH, .tell = tell_brand},
	{0x80000005, ANY, INTEL_ONLY, .clear = ALL},
	{0x80000005, ANY, AMD_ONLY, .tell = vpmu_cpuid_caches},
	{0x80000006, ANY, BOTH, .tell = vpmu_cpuid_caches},
	/* Read-only APERF and MPERF, energy; P-states by registers, core performance boost. */
	{0x80000007, ANY, INTEL_ONLY, .clear = {.edx = BIT(10) | BIT(14)}},
	{0x80000007, ANY, AMD_ONLY, .clear = {.edx = BIT(7) | BIT(9) | BIT(10) | BIT(14)},
	 .show = show_amd_power},
	{0x80000008, ANY, INTEL_ONLY, .clear = {.ebx = ALL_BITS, .ecx = ALL_BITS, .edx = ALL_BITS}},
	/* Count of retired instructions, CPPC, Branch Sampling. */
	{0x80000008, ANY, AMD_ONLY, .clear = {.ebx = BIT(1) | BIT(27) | BIT(31)},
	 .show = show_amd_package},
	{0x80000008, ANY, AMD_ONLY, .tell = vpmu_branches_cpuid},
	{0x8000000a, ANY, BOTH, .clear = ALL}, /* SVM */
	{0x80000019, ANY, AMD_ONLY, .tell = vpmu_cpuid_caches},
	{0x8000001b, ANY, AMD_ONLY, .clear = ALL, .show = show_ibs},
	{0x8000001c, ANY, BOTH, .clear = ALL}, /* LWP */
	{0x8000001d, ANY, AMD_ONLY, .tell = vpmu_cpuid_caches},
	{0x8000001e, ANY, AMD_ONLY, .show = show_amd_core},
	{0x8000001f, ANY, BOTH, .clear = ALL}, /* SEV */
	{0x80000020, ANY, BOTH, .clear = ALL},
	{0x80000021, ANY, AMD_ONLY, .clear = ALL, .show = show_prefetchers},
	{0x80000022, ANY, AMD_ONLY, .clear = ALL, .show = show_amd_perfmon},
	{0x80000022, ANY, AMD_ONLY, .tell = vpmu_branches_cpuid},
};
_Static_assert(LENGTH(rows) <= VPMU_MAX_LEAF_ROWS, "struct vpmu_leaves has no room for them");

#define NO_ROW UINT8_MAX

/* The slot: the lowest bits of a leaf, and whether it is an extended one. */
static uint8_t leaf_slot(uint32_t leaf)
{
	return (uint8_t)((leaf & (VPMU_LEAF_SLOTS / 2 - 1)) |
			 leaf / EXTENDED_LEAF * VPMU_LEAF_SLOTS / 2);
}

static bool has_row(const struct vpmu_uarch *uarch, enum vendors vendors)
{
	switch (vendors) {
	case INTEL_ONLY:
		return uarch->vendor == VPMU_INTEL;
	case AMD_ONLY:
		return uarch->vendor == VPMU_AMD;
	case KVM_ONLY:
		return uarch->has & VPMU_KVM;
	default:
		return true;
	}
}

void vpmu_leaves_init(struct vpmu_leaves *leaves, const struct vpmu_uarch *uarch)
{
	memset(leaves->first, NO_ROW, sizeof(leaves->first));
	for (size_t i = LENGTH(rows); i-- > 0;) {
		uint8_t *first = &leaves->first[leaf_slot(rows[i].leaf)];

		if (!has_row(uarch, rows[i].vendors))
			continue;
		leaves->next[i] = *first;
		*first = (uint8_t)i;
	}
}

static void apply_row(const struct leaf_row *row, const struct vpmu_model *m, uint32_t leaf,
		      uint32_t subleaf, struct cpuid_regs *r)
{
	r->eax = (r->eax & ~row->clear.eax) | row->set.eax;
	r->ebx = (r->ebx & ~row->clear.ebx) | row->set.ebx;
	r->ecx = (r->ecx & ~row->clear.ecx) | row->set.ecx;
	r->edx = (r->edx & ~row->clear.edx) | row->set.edx;
	if (row->show)
		row->show(m, r);
	if (row->tell)
		row->tell(m, leaf, subleaf, r);
}

void vpmu_model_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		      struct cpuid_regs *r)
{
	if (is_beyond_leaves(m, leaf))
		*r = (struct cpuid_regs){0};
	for (uint8_t i = m->leaves.first[leaf_slot(leaf)]; i != NO_ROW; i = m->leaves.next[i])
		if (rows[i].leaf == leaf &&
		    (rows[i].subleaf == ANY || (uint32_t)rows[i].subleaf == subleaf))
			apply_row(&rows[i], m, leaf, subleaf, r);
}

/* --- vpmu's own leaves --- */

static void tell_title(const struct vpmu_model *m, struct cpuid_regs *r)
{
	char title[sizeof(*r)] = "";
	size_t n = strlen(m->uarch->title);

	memcpy(title, m->uarch->title, n < sizeof(title) ? n : sizeof(title));
	memcpy(r, title, sizeof(title));
}

/*
 * The core in time of the personality, as vpmu/plugin/vcpu_cores.c finds it. Not inlined: its frame
 * would be part of each CPUID exit.
 */
static __attribute__((noinline)) void tell_core(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const char *const own = m->uarch->name, *name = core_name_near(own);
	char text[3 * sizeof(r->ebx)] = "";

	if (m->plugin.level < EVENTS_LEVEL_MODEL)
		return;
	if (!name)
		name = core_name_near(m->geometry->name);
	if (!name)
		return;
	r->eax = strcmp(name, own) ? VPMU_CORE_NEAREST : VPMU_CORE_OWN;
	memcpy(text, name, strlen(name));
	memcpy(&r->ebx, text, sizeof(text));
}

bool vpmu_model_describe(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
			 struct cpuid_regs *r)
{
	*r = (struct cpuid_regs){0};
	if ((leaf & ~VPMU_CPUID_EVENT_HIGH) == VPMU_CPUID_EVENT_LEAF) {
		const uint64_t high = leaf & VPMU_CPUID_EVENT_HIGH;

		r->eax = vpmu_model_truth(m, high << 32 | subleaf);
		r->ebx = vpmu_model_counters(m, high << 32 | subleaf);
		return true;
	}
	if (leaf != VPMU_CPUID_LEAF)
		return false;
	if (subleaf == VPMU_CPUID_MARK) {
		r->eax = VPMU_CPUID_LAST;
		memcpy(&r->ebx, VPMU_SIGNATURE, VPMU_SIGNATURE_BYTES);
		return true;
	}
	if (subleaf == VPMU_CPUID_SAMPLES) {
		r->eax = m->plugin.level >= EVENTS_LEVEL_MODEL ? VPMU_SAMPLES_SOURCES : 0;
		return true;
	}
	if (subleaf == VPMU_CPUID_CORE) {
		tell_core(m, r);
		return true;
	}
	if (subleaf != VPMU_CPUID_TITLE)
		return false;
	tell_title(m, r);
	return true;
}
