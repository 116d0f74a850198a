// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_cpuid.c - identification: turns the machine's CPUID into the personality's. Features of the
 * machine that have nothing to do with performance monitoring stay as they are, so that software
 * uses what really works. What vpmu does not emulate is hidden, and so is what would break exact
 * counts: MONITOR and MWAIT, and the fast string bits, as TCG counts a REP instruction by
 * iterations. There is no nominal TSC frequency (leaves 0x15, 0x16): software has to measure it.
 */
#include "vpmu/model/model_priv.h"
#include "vpmu/model/platform_priv.h"

#include "include/perf0/vpmu.h"
#include "lib/bits.h"
#include "lib/string.h"

#define MAX_BASIC       0xdu
#define HYBRID_LEAF     0x1au
#define HYPERVISOR_LEAF 0x40000000u
#define PERFMON_LEAF    0x23u
#define EXTENDED_LEAF   0x80000000u
#define MAX_EXT_INTEL   0x80000008u
#define MAX_EXT_AMD     0x80000022u
#define MAX_EXT_AMD_OLD 0x8000001fu /* before PerfMonV2 */
#define BRAND_FIRST     0x80000002u
#define BRAND_LEAVES    3

#define BIT(n)    (1u << (n))
#define NONE      0u
#define ALL_BITS  (~0u)
#define KEEP(set) (~(set))
#define ZERO                                           \
	{                                              \
		ALL_BITS, ALL_BITS, ALL_BITS, ALL_BITS \
	}
#define ANY (-1)

enum vendors { BOTH, INTEL_ONLY, AMD_ONLY };

/* The answer to (leaf, subleaf) loses the bits `clear` and gains the bits `set`. */
struct filter {
	uint32_t leaf;
	int subleaf; /* or ANY */
	enum vendors vendors;
	struct cpuid_regs clear, set;
};

static const struct filter filters[] = {
	/* DTES64, MONITOR, DS-CPL, PDCM; DS. */
	{0x01, ANY, BOTH, {NONE, NONE, BIT(2) | BIT(3) | BIT(4) | BIT(15), BIT(21)}, {}},
	{0x01, ANY, INTEL_ONLY, {}, {.ecx = BIT(7) | BIT(15)}}, /* EIST, PDCM */
	{0x05, ANY, BOTH, ZERO, {}},
	/* APERF and MPERF. */
	{0x06, ANY, BOTH, {}, {.ecx = BIT(0)}},
	/* Thermal sensors of core and package; energy performance bias. */
	{0x06, ANY, INTEL_ONLY, {}, {.eax = BIT(0) | BIT(6), .ecx = BIT(3)}},
	/* SGX, HLE, ERMS, RTM, Intel PT; FSRM, TSX_FORCE_ABORT, hybrid, architectural LBR. */
	{0x07,
	 0,
	 BOTH,
	 {.ebx = BIT(2) | BIT(4) | BIT(9) | BIT(11) | BIT(25),
	  .edx = BIT(4) | BIT(13) | BIT(15) | BIT(19)},
	 {}},
	/* Fast zero-length, short REP MOVSB, STOSB, CMPSB; leaf 23H of performance monitoring. */
	{0x07, 1, BOTH, {.eax = BIT(8) | BIT(10) | BIT(11) | BIT(12)}, {}},
	{0x0a, ANY, BOTH, ZERO, {}},

	/* LAHF, LZCNT, PREFETCHW; SYSCALL, NX, 1 GiB pages, RDTSCP, long mode. */
	{0x80000001,
	 ANY,
	 INTEL_ONLY,
	 {ALL_BITS, ALL_BITS, KEEP(BIT(0) | BIT(5) | BIT(8)),
	  KEEP(BIT(11) | BIT(20) | BIT(26) | BIT(27) | BIT(29))},
	 {}},
	/* SVM, IBS, SKINIT, PerfCtrExtCore, PerfCtrExtNB, PTSC, PerfCtrExtLLC, MONITORX;
	 * TopologyExtensions. */
	{0x80000001,
	 ANY,
	 AMD_ONLY,
	 {.ecx = BIT(2) | BIT(10) | BIT(12) | BIT(23) | BIT(24) | BIT(27) | BIT(28) | BIT(29)},
	 {.ecx = BIT(22)}},
	{0x80000005, ANY, INTEL_ONLY, ZERO, {}},
	/* Read-only APERF and MPERF; count of retired instructions. */
	{0x80000007, ANY, INTEL_ONLY, {.edx = BIT(10)}, {}},
	/* Energy. */
	{0x80000007, ANY, INTEL_ONLY, {.edx = BIT(14)}, {}},
	{0x80000007, ANY, AMD_ONLY, {.edx = BIT(7) | BIT(9) | BIT(10) | BIT(14)}, {}},
	{0x80000008, ANY, AMD_ONLY, {.ebx = BIT(1) | BIT(27)}, {}},
	{0x80000008, ANY, INTEL_ONLY, {NONE, ALL_BITS, ALL_BITS, ALL_BITS}, {}},
	{0x8000000a, ANY, BOTH, ZERO, {}}, /* SVM */
	{0x8000001b, ANY, BOTH, ZERO, {}}, /* IBS */
	{0x8000001c, ANY, BOTH, ZERO, {}}, /* LWP */
	{0x8000001f, ANY, BOTH, ZERO, {}}, /* SEV */
	{0x80000020, ANY, BOTH, ZERO, {}},
	{0x80000021, ANY, BOTH, ZERO, {}},
	{0x80000022, ANY, BOTH, ZERO, {}},
};

static bool filter_applies(const struct filter *f, const struct vpmu_model *m, uint32_t leaf,
			   uint32_t subleaf)
{
	return f->leaf == leaf && (f->subleaf == ANY || (uint32_t)f->subleaf == subleaf) &&
	       (f->vendors == BOTH || (f->vendors == AMD_ONLY) == is_amd(m));
}

static void apply_filter(const struct filter *f, struct cpuid_regs *r)
{
	r->eax = (r->eax & ~f->clear.eax) | f->set.eax;
	r->ebx = (r->ebx & ~f->clear.ebx) | f->set.ebx;
	r->ecx = (r->ecx & ~f->clear.ecx) | f->set.ecx;
	r->edx = (r->edx & ~f->clear.edx) | f->set.edx;
}

static bool has_amd_v2(const struct vpmu_model *m)
{
	return is_amd(m) && m->uarch->version >= 2;
}

static uint32_t max_basic(const struct vpmu_model *m)
{
	if (m->uarch->extended)
		return PERFMON_LEAF;
	if (vpmu_cpuid_tells_branches(m))
		return VPMU_LBR_LEAF;
	if (m->uarch->core_type)
		return HYBRID_LEAF;
	if (vpmu_cpuid_tells_tlbs(m))
		return VPMU_TLB_LEAF;
	return vpmu_cpuid_tells_pt(m) ? VPMU_PT_LEAF : MAX_BASIC;
}

static uint32_t max_extended(const struct vpmu_model *m)
{
	if (!is_amd(m))
		return MAX_EXT_INTEL;
	return has_amd_v2(m) ? MAX_EXT_AMD : MAX_EXT_AMD_OLD;
}

/* Leaves beyond the highest read as zero; the range of hypervisors is not ours to judge, unless
 * there is to be none. */
static bool is_beyond_leaves(const struct vpmu_model *m, uint32_t leaf)
{
	if (leaf < HYPERVISOR_LEAF)
		return leaf > MAX_BASIC;
	if (leaf < EXTENDED_LEAF)
		return m->hides_hypervisor;
	return leaf > max_extended(m);
}

static uint32_t four_letters(const char *text)
{
	uint32_t v;

	memcpy(&v, text, sizeof(v));
	return v;
}

static void show_vendor(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const char *id = is_amd(m) ? "AuthenticAMD" : "GenuineIntel";

	r->ebx = four_letters(id);
	r->edx = four_letters(id + 4);
	r->ecx = four_letters(id + 8);
}

static void show_brand(const struct vpmu_model *m, unsigned part, struct cpuid_regs *r)
{
	char text[BRAND_LEAVES * sizeof(*r)] = {0};

	memcpy(text, m->uarch->brand, strnlen(m->uarch->brand, sizeof(text) - 1));
	memcpy(r, text + part * sizeof(*r), sizeof(*r));
}

/* SDM vol. 2, "CPUID", leaf 0AH: of events a length, and the gaps below it; of fixed counters those
 * without a gap, and since version 5 a map of all. */
static void architectural_perfmon(const struct vpmu_model *m, struct cpuid_regs *r)
{
	const struct vpmu_uarch *u = m->uarch;
	const uint32_t any_thread_deprecated = BIT(15), length = bits_length(m->told_events);

	r->eax = u->version | m->told_gp << 8 | (uint32_t)u->width << 16 | length << 24;
	r->ebx = (uint32_t)bits(length) & ~m->told_events;
	r->edx = bits_first(~(uint64_t)m->told_fixed) | (uint32_t)u->width << 5;
	if (u->version < 5)
		return;
	r->ecx = m->told_fixed;
	r->edx |= any_thread_deprecated;
}

/*
 * SDM vol. 2, "CPUID", leaf 23H: what this very core has. Subleaf 0 says which others there are; 1
 * has its counters, 2 those with auto counter reload, 3 its architectural events.
 */
static void extended_perfmon(const struct vpmu_model *m, uint32_t subleaf, struct cpuid_regs *r)
{
	const struct vpmu_uarch *u = m->uarch;
	const uint32_t umask2 = BIT(0), eq = BIT(1);

	*r = (struct cpuid_regs){0};
	if (!u->extended)
		return;
	if (subleaf == 0) {
		r->eax = BIT(0) | BIT(1) | (u->reloads ? BIT(2) : 0) | BIT(3);
		r->ebx = u->wide_select ? umask2 | eq : 0;
		r->ecx = u->tells_slots ? u->slots : 0;
	} else if (subleaf == 1) {
		r->eax = (uint32_t)bits(m->ngp);
		r->ebx = u->fixed;
	} else if (subleaf == 2) {
		vpmu_reload_cpuid(m, r);
	} else if (subleaf == 3) {
		r->eax = u->arch_events;
	}
}

/*
 * APM vol. 3, "Extended Performance Monitoring and Debug": PerfMonV2, freeze on PMI; counters of a
 * core and of the data fabric.
 */
static void amd_perfmon(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->eax = BIT(0) | BIT(2);
	r->ebx = m->ngp | (m->uarch->has & VPMU_ZEN_UNCORE ? VPMU_DF_COUNTERS << 10 : 0);
}

/* --- Topology: neighbours by APIC id are the threads of one core --- */

/* `n` logical CPUs, made up to whole cores. */
static uint32_t whole_cores(const struct vpmu_model *m, uint32_t n)
{
	return n ? (n + m->threads - 1) / m->threads * m->threads : m->threads;
}

/* How many bits of an APIC id tell `n` of them apart. */
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
static void show_levels(const struct vpmu_model *m, uint32_t subleaf, struct cpuid_regs *r)
{
	uint32_t n = subleaf ? whole_cores(m, r->ebx & 0xffff) : m->threads;

	if (subleaf > 1) {
		*r = (struct cpuid_regs){.ecx = subleaf & 0xff, .edx = r->edx};
		return;
	}
	r->eax = id_bits(n);
	r->ebx = n;
	r->ecx = (subleaf + 1) << 8 | subleaf;
}

/* APM vol. 3, "CPUID", 8000_0008h: threads of the package, and the width of their ids. */
static void amd_package(const struct vpmu_model *m, struct cpuid_regs *r)
{
	uint32_t n = whole_cores(m, (r->ecx & 0xff) + 1);

	r->ecx = (r->ecx & ~0xf0ffu) | (n - 1) | id_bits(n) << 12;
}

/* APM vol. 3, "CPUID", 8000_001Eh: threads of a core, and which core this is. */
static void amd_core(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->ebx = (m->threads - 1) << 8 | (r->eax / m->threads & 0xff);
}

/* SDM vol. 2, "CPUID", leaf 01H: DS, and DTES64, its layout of 64 bits; DS-CPL: branches are stored
 * by ring. */
static void debug_store(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (!pebs_format(m))
		return;
	r->ecx |= BIT(2) | (m->has_trace ? BIT(4) : 0);
	r->edx |= BIT(21);
}

/* SDM vol. 2, "CPUID", leaf 06H: HWP, with an activity window and a preference. */
static void show_power(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (vpmu_power_find(m->uarch, MSR_IA32_HWP_REQUEST) >= 0)
		r->eax |= BIT(7) | BIT(9) | BIT(10);
}

static void hide_hypervisor(const struct vpmu_model *m, struct cpuid_regs *r)
{
	if (m->hides_hypervisor)
		r->ecx &= ~BIT(31);
}

/* SDM vol. 2, "CPUID", leaf 07H: of subleaf 1 the bit that leaf 23H is there. */
static void show_features(const struct vpmu_model *m, uint32_t subleaf, struct cpuid_regs *r)
{
	const uint32_t tsx_force_abort = BIT(13), hybrid = BIT(15), leaf_23h = BIT(8);

	if (subleaf == 1)
		r->eax |= m->uarch->extended ? leaf_23h : 0;
	if (subleaf)
		return;
	if (m->uarch->extended && !r->eax)
		r->eax = 1;
	r->edx |= m->uarch->tsx_force_abort ? tsx_force_abort : 0;
	r->edx |= m->uarch->core_type ? hybrid : 0;
}

/* SDM vol. 2, "CPUID", leaf 1AH: the kind of the core, and its native model. */
static uint32_t core_kind(const struct vpmu_model *m)
{
	return (uint32_t)m->uarch->core_type << 24 | m->uarch->native_model;
}

static void intel_leaf(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		       struct cpuid_regs *r)
{
	if (leaf == 7)
		show_features(m, subleaf, r);
	else if (leaf == PERFMON_LEAF)
		extended_perfmon(m, subleaf, r);
	else if (leaf == HYBRID_LEAF)
		r->eax = core_kind(m);
	else if (leaf == 1)
		debug_store(m, r);
	else if (leaf == 6)
		show_power(m, r);
	else if (leaf == 0xa)
		architectural_perfmon(m, r);
	else if (leaf == EXTENDED_LEAF)
		*r = (struct cpuid_regs){.eax = MAX_EXT_INTEL};
}

/* APM vol. 3, "CPUID", 8000_0001h: IBS; counters of the core, of the northbridge or the data
 * fabric, of L3. */
static void amd_features(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->ecx |= m->uarch->ibs ? BIT(10) : 0;
	r->ecx |= m->uarch->amd_core ? BIT(23) : 0;
	r->ecx |= m->uarch->has & VPMU_ZEN_UNCORE ? BIT(24) | BIT(28) : 0;
}

/* 8000_0007h: read-only APERF and MPERF, energy; P-states by registers, core performance boost. */
static void amd_power(const struct vpmu_model *m, struct cpuid_regs *r)
{
	r->edx |= m->uarch->has & VPMU_ZEN ? BIT(10) | BIT(14) : 0;
	r->edx |= m->uarch->has & VPMU_ZEN_POWER ? BIT(7) | BIT(9) : 0;
}

static void amd_leaf(const struct vpmu_model *m, uint32_t leaf, struct cpuid_regs *r)
{
	const uint32_t irperf = BIT(1), cppc = BIT(27), prefetchers = BIT(13);

	if (leaf == EXTENDED_LEAF) {
		r->eax = max_extended(m);
		show_vendor(m, r);
	} else if (leaf == 0x80000001) {
		r->eax = m->uarch->signature;
		amd_features(m, r);
	} else if (leaf == 0x80000007) {
		amd_power(m, r);
	} else if (leaf == 0x80000021) {
		r->eax |= m->uarch->has & VPMU_ZEN_POWER ? prefetchers : 0;
	} else if (leaf == 0x80000022 && has_amd_v2(m)) {
		amd_perfmon(m, r);
	} else if (leaf == 0x8000001b) {
		r->eax = m->uarch->ibs;
	} else if (leaf == 0x80000008) {
		amd_package(m, r);
		r->ebx |= m->uarch->has & VPMU_ZEN ? irperf : 0;
		r->ebx |= m->uarch->has & VPMU_ZEN_POWER ? cppc : 0;
	} else if (leaf == 0x8000001e) {
		amd_core(m, r);
	}
}

void vpmu_model_cpuid(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		      struct cpuid_regs *r)
{
	if (is_beyond_leaves(m, leaf))
		*r = (struct cpuid_regs){0};
	for (size_t k = 0; k < sizeof(filters) / sizeof(*filters); k++)
		if (filter_applies(&filters[k], m, leaf, subleaf))
			apply_filter(&filters[k], r);
	if (leaf == 0) {
		r->eax = max_basic(m);
		show_vendor(m, r);
	} else if (leaf == 1) {
		r->eax = m->uarch->signature;
		show_package(m, r);
		hide_hypervisor(m, r);
	} else if (leaf == 0xb) {
		show_levels(m, subleaf, r);
	} else if (leaf - BRAND_FIRST < BRAND_LEAVES) {
		show_brand(m, leaf - BRAND_FIRST, r);
	}
	if (is_amd(m))
		amd_leaf(m, leaf, r);
	else
		intel_leaf(m, leaf, subleaf, r);
	vpmu_cpuid_caches(m, leaf, subleaf, r);
	vpmu_branches_cpuid(m, leaf, subleaf, r);
	vpmu_pt_cpuid(m, leaf, subleaf, r);
}

/* --- What vpmu says of itself --- */

static void tell_title(const struct vpmu_model *m, struct cpuid_regs *r)
{
	char title[sizeof(*r)] = "";
	size_t n = strlen(m->uarch->title);

	memcpy(title, m->uarch->title, n < sizeof(title) ? n : sizeof(title));
	memcpy(r, title, sizeof(title));
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
		r->eax = m->level >= EVENTS_LEVEL_MODEL ? VPMU_SAMPLES_SOURCES : 0;
		return true;
	}
	if (subleaf != VPMU_CPUID_TITLE)
		return false;
	tell_title(m, r);
	return true;
}
