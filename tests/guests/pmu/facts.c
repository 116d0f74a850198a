// SPDX-License-Identifier: BSD-2-Clause
/*
 * facts.c - the facts that the CPU gives about its PMU, and that they do not contradict each other:
 * SDM vol. 2, "CPUID", leaves 01H, 0AH, 14H, 1CH, 23H; APM vol. 3, "CPUID", 8000_0001h ECX,
 * 8000_001Bh, 8000_0022h.
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/insn.h"

#define PERFMON_LEAF       0x0a
#define ARCH_LBR_LEAF      0x1c
#define EXTENDED_PERFMON   0x23
#define EXTENDED_LEAF      0x80000000u
#define FEATURES_LEAF      0x80000001u
#define SIZES_LEAF         0x80000008u
#define IBS_LEAF           0x8000001bu
#define AMD_PMU_LEAF       0x80000022u
#define ECX_DTES64         (1u << 2)
#define ECX_PDCM           (1u << 15)
#define EDX_DS             (1u << 21)
#define EDX_ARCH_LBR       (1u << 19)
#define EAX_LEAF_23H       (1u << 8) /* of leaf 7, subleaf 1 */
#define EBX_UMASK2         (1u << 0) /* of leaf 23H */
#define EBX_EQ             (1u << 1)
#define ECX_CORE_EXT       (1u << 23)
#define ECX_IBS            (1u << 10)
#define EBX_BRS            (1u << 31) /* of SIZES_LEAF */
#define EAX_PERFMON_V2     (1u << 0)
#define EAX_LBR_V2         (1u << 1)
#define EAX_LBR_FREEZE     (1u << 2)
#define AMD_WIDTH          48
#define VENDOR_AMD_EBX     0x68747541u /* "Auth" */
#define EVENTS_DEFINED     13
#define EDX_FIXED          0x1fu
#define EDX_FIXED_WIDTH    0xffu
#define EDX_ANY_DEPRECATED (1u << 15)

struct pmu pmu;

static uint32_t last_leaf(uint32_t range)
{
	return insn_cpuid(range, 0).eax;
}

static void find_amd(void)
{
	const uint32_t features = insn_cpuid(FEATURES_LEAF, 0).ecx;
	const bool has_leaf = last_leaf(EXTENDED_LEAF) >= AMD_PMU_LEAF;
	const struct cpuid_regs leaf =
		has_leaf ? insn_cpuid(AMD_PMU_LEAF, 0) : (struct cpuid_regs){0};

	pmu.is_amd = true;
	pmu.width = AMD_WIDTH;
	pmu.version = leaf.eax & EAX_PERFMON_V2 ? 2 : 0;
	pmu.counters = features & ECX_CORE_EXT ? 6 : 4;
	if (pmu.version)
		pmu.counters = leaf.ebx & 0xf;
	pmu.has_ibs = features & ECX_IBS;
	pmu.has_brs = insn_cpuid(SIZES_LEAF, 0).ebx & EBX_BRS;
	pmu.has_amd_lbr = leaf.eax & EAX_LBR_V2;
	pmu.lbr_depth = pmu.has_amd_lbr ? leaf.ebx >> 4 & 0x3f : 0;
}

/* Since version 5 a bitmap has the fixed counters beside those of the number. */
static uint32_t fixed_of(const struct cpuid_regs *leaf)
{
	return (uint32_t)PMU_BITS(leaf->edx & EDX_FIXED) | (pmu.version >= 5 ? leaf->ecx : 0);
}

static bool says_leaf_23h(void)
{
	return last_leaf(0) >= EXTENDED_PERFMON && insn_cpuid(7, 0).eax >= 1 &&
	       insn_cpuid(7, 1).eax & EAX_LEAF_23H;
}

static bool has_subleaf(unsigned n)
{
	return insn_cpuid(EXTENDED_PERFMON, 0).eax >> n & 1;
}

/* SDM vol. 2, "CPUID", leaf 23H: the counters of this core; leaf 0AH has those that all cores
 * have. */
static void find_by_leaf_23h(void)
{
	const uint32_t select = insn_cpuid(EXTENDED_PERFMON, 0).ebx;

	pmu.has_umask2 = select & EBX_UMASK2;
	pmu.has_eq = select & EBX_EQ;
	if (has_subleaf(1)) {
		const struct cpuid_regs leaf = insn_cpuid(EXTENDED_PERFMON, 1);

		pmu.counters = 0;
		while (leaf.eax >> pmu.counters & 1)
			pmu.counters++;
		pmu.fixed = leaf.ebx;
	}
	if (has_subleaf(2))
		pmu.reloaded = insn_cpuid(EXTENDED_PERFMON, 2).eax;
	if (has_subleaf(3)) {
		pmu.events = EVENTS_DEFINED;
		pmu.missing_events =
			~insn_cpuid(EXTENDED_PERFMON, 3).eax & (uint32_t)PMU_BITS(EVENTS_DEFINED);
	}
}

static void find_intel(void)
{
	const struct cpuid_regs first = insn_cpuid(1, 0), leaf = insn_cpuid(PERFMON_LEAF, 0);

	pmu.version = leaf.eax & 0xff;
	pmu.counters = leaf.eax >> 8 & 0xff;
	pmu.width = leaf.eax >> 16 & 0xff;
	pmu.events = leaf.eax >> 24;
	pmu.missing_events = leaf.ebx & (uint32_t)PMU_BITS(pmu.events);
	pmu.fixed = fixed_of(&leaf);
	pmu.fixed_width = leaf.edx >> 5 & EDX_FIXED_WIDTH;
	pmu.has_debug_store = first.edx & EDX_DS && first.ecx & ECX_DTES64;
	if (first.ecx & ECX_PDCM)
		pmu.capabilities = rdmsr(MSR_IA32_PERF_CAPABILITIES);
	pmu.has_leaf_23h = says_leaf_23h();
	if (pmu.has_leaf_23h)
		find_by_leaf_23h();
	if (last_leaf(0) >= ARCH_LBR_LEAF && insn_cpuid(7, 0).edx & EDX_ARCH_LBR)
		pmu.has_arch_lbr = insn_cpuid(ARCH_LBR_LEAF, 0).eax & 0xff;
}

void pmu_find(void)
{
	if (insn_cpuid(0, 0).ebx == VENDOR_AMD_EBX)
		find_amd();
	else if (last_leaf(0) >= PERFMON_LEAF)
		find_intel();
}

/* SDM vol. 3, "Architectural Performance Monitoring Version 1" and behind it. */
static void check_intel(void)
{
	const struct cpuid_regs first = insn_cpuid(1, 0), leaf = insn_cpuid(PERFMON_LEAF, 0);

	pmu_ok(pmu.width >= 32, "%u bits, for writes are of 32 at least", pmu.width);
	pmu_ok(pmu.events >= 7, "%u architectural events, of which there are 7 since the first",
	       pmu.events);
	pmu_is(leaf.ebx & ~PMU_BITS(leaf.eax >> 24), 0, "no event behind the last one is missing");
	if (pmu.version >= 2)
		pmu_ok(pmu.fixed_width >= 32, "fixed counters of %u bits", pmu.fixed_width);
	if (pmu.version < 5) {
		pmu_is(leaf.ecx, 0, "no map of fixed counters before version 5");
		pmu_is(leaf.edx >> 13, 0, "EDX[31:13] are reserved before version 5");
	} else {
		pmu_is(leaf.ecx & PMU_BITS(leaf.edx & EDX_FIXED), PMU_BITS(leaf.edx & EDX_FIXED),
		       "the map of fixed counters has those that are counted");
		pmu_ok(leaf.edx & EDX_ANY_DEPRECATED, "AnyThread is deprecated");
	}
	pmu_ok(first.ecx & ECX_PDCM, "PDCM: there is IA32_PERF_CAPABILITIES");
	pmu_is(last_leaf(EXTENDED_LEAF) >= AMD_PMU_LEAF && insn_cpuid(AMD_PMU_LEAF, 0).eax, 0,
	       "no leaf of AMD's");
}

/* This core has all counters that all cores have; a subleaf that is not announced is empty. */
static void check_leaf_23h(void)
{
	const struct cpuid_regs old = insn_cpuid(PERFMON_LEAF, 0),
				first = insn_cpuid(EXTENDED_PERFMON, 0),
				counters = insn_cpuid(EXTENDED_PERFMON, 1),
				events = insn_cpuid(EXTENDED_PERFMON, 3);
	const uint32_t old_events = (uint32_t)PMU_BITS(old.eax >> 24) & ~old.ebx;

	pmu_ok(first.eax & 1, "leaf 23H: subleaf 0 is there");
	pmu_is(PMU_BITS(old.eax >> 8 & 0xff) & ~counters.eax, 0, "general counters of leaf 0AH");
	pmu_is(fixed_of(&old) & ~counters.ebx, 0, "fixed counters of leaf 0AH");
	pmu_is(old_events & ~events.eax, 0, "events of leaf 0AH");
	pmu_is(pmu.reloaded & ~counters.eax, 0, "counters that are reloaded are there");
	for (unsigned n = 0; n < 8; n++) {
		const struct cpuid_regs r = insn_cpuid(EXTENDED_PERFMON, n);

		if (!has_subleaf(n))
			pmu_is(r.eax | r.ebx | r.ecx | r.edx, 0, "no subleaf %u", n);
	}
}

/* SDM vol. 4, "IA32_PERF_CAPABILITIES" and "IA32_MISC_ENABLE". */
static void check_capabilities(void)
{
	const uint64_t enable = rdmsr(MSR_IA32_MISC_ENABLE);

	pmu_is(pmu.capabilities >> 18, 0, "capabilities: bits that are reserved are clear");
	pmu_is(!!(enable & MISC_ENABLE_PERFMON), 1, "MISC_ENABLE: performance monitoring is there");
	pmu_is(!(enable & MISC_ENABLE_PEBS_UNAVAILABLE),
	       pmu.has_debug_store && PERF_CAP_PEBS_FMT(pmu.capabilities) > 0,
	       "MISC_ENABLE and DS agree on PEBS");
	pmu_is(PERF_CAP_LBR_FMT(pmu.capabilities) == LBR_FORMAT_ARCHITECTURAL, pmu.has_arch_lbr,
	       "format 3FH is that of architectural records");
	if (PERF_CAP_PEBS_FMT(pmu.capabilities) < 4)
		pmu_ok(!(pmu.capabilities & PERF_CAP_PEBS_BASELINE),
		       "no adaptive records before format 4");
}

static void check_amd(void)
{
	const struct cpuid_regs leaf = insn_cpuid(AMD_PMU_LEAF, 0);
	const uint32_t features = insn_cpuid(FEATURES_LEAF, 0).ecx;

	pmu_ok(features & ECX_CORE_EXT, "PerfMonV2 implies PerfCtrExtCore");
	pmu_ok(pmu.counters >= 6, "%u core counters, no fewer than PerfCtrExtCore's 6",
	       pmu.counters);
	pmu_is(!!(leaf.eax & EAX_LBR_V2), !!(leaf.ebx >> 4 & 0x3f),
	       "LBRs are there where their number is told");
	if (leaf.eax & EAX_LBR_V2)
		pmu_ok(leaf.eax & EAX_LBR_FREEZE, "records can be frozen with counters");
	pmu_is(!!(features & ECX_IBS), insn_cpuid(IBS_LEAF, 0).eax & 1,
	       "IBS is there where its leaf says so");
	pmu_is(last_leaf(0) >= PERFMON_LEAF ? insn_cpuid(PERFMON_LEAF, 0).eax : 0, 0,
	       "no leaf of Intel's");
}

void pmu_check_enumeration(void)
{
	pmu_say("%s, version %u: %u counters of %u bits, fixed ones %x of %u",
		pmu.is_amd ? "AMD" : "Intel", pmu.version, pmu.counters, pmu.width, pmu.fixed,
		pmu.fixed_width);
	if (pmu.is_amd) {
		check_amd();
		return;
	}
	check_intel();
	if (pmu.has_leaf_23h)
		check_leaf_23h();
	check_capabilities();
}
