// SPDX-License-Identifier: BSD-2-Clause
/*
 * facts.c - what the CPU says of its PMU: SDM vol. 2, "CPUID", leaves 01H, 0AH, 14H, 1CH, 23H; APM
 * vol. 3, "CPUID", 8000_0001h ECX, 8000_001Bh, 8000_0022h. And that it does not contradict itself.
 */
#include "tests/guests/pmu/pmu.h"

#include "arch/x86/insn.h"

#define PERFMON_LEAF       0x0a
#define ARCH_LBR_LEAF      0x1c
#define EXTENDED_LEAF      0x80000000u
#define FEATURES_LEAF      0x80000001u
#define SIZES_LEAF         0x80000008u
#define IBS_LEAF           0x8000001bu
#define AMD_PMU_LEAF       0x80000022u
#define ECX_DTES64         (1u << 2)
#define ECX_PDCM           (1u << 15)
#define EDX_DS             (1u << 21)
#define EDX_ARCH_LBR       (1u << 19)
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

static unsigned count_fixed(const struct cpuid_regs *leaf)
{
	unsigned n = leaf->edx & EDX_FIXED;

	while (n < 32 && leaf->ecx >> n & 1 && pmu.version >= 5)
		n++;
	return n;
}

static void find_intel(void)
{
	const struct cpuid_regs first = insn_cpuid(1, 0), leaf = insn_cpuid(PERFMON_LEAF, 0);

	pmu.version = leaf.eax & 0xff;
	pmu.counters = leaf.eax >> 8 & 0xff;
	pmu.width = leaf.eax >> 16 & 0xff;
	pmu.events = leaf.eax >> 24;
	pmu.missing_events = leaf.ebx & (uint32_t)PMU_BITS(pmu.events);
	pmu.fixed = count_fixed(&leaf);
	pmu.fixed_width = leaf.edx >> 5 & EDX_FIXED_WIDTH;
	pmu.has_debug_store = first.edx & EDX_DS && first.ecx & ECX_DTES64;
	if (first.ecx & ECX_PDCM)
		pmu.capabilities = rdmsr(MSR_IA32_PERF_CAPABILITIES);
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
	pmu_is(leaf.ebx & ~PMU_BITS(pmu.events), 0, "no event behind the last one is missing");
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
	pmu_say("%s, version %u: %u counters of %u bits, %u fixed ones of %u",
		pmu.is_amd ? "AMD" : "Intel", pmu.version, pmu.counters, pmu.width, pmu.fixed,
		pmu.fixed_width);
	if (pmu.is_amd) {
		check_amd();
		return;
	}
	check_intel();
	check_capabilities();
}
