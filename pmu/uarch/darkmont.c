// SPDX-License-Identifier: BSD-2-Clause
/*
 * darkmont.c - Darkmont: the small cores of Panther Lake, and Clearwater Forest. Source: Intel's
 * event files `pantherlake_darkmont` and `clearwaterforest`, column Counter. There is no hyper-
 * threading. Fixed counter 3 is not there; 4, 5 and 6 count three parts of the top-down method, and
 * so do general events: the files give those general counters only, but the count is the same.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x3c, 0x01), UARCH_PLAIN, UARCH_FIXED(2) | UARCH_GENERAL,
		  "CPU_CLK_UNHALTED.REF_TSC_P", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0x73, 0x00), UARCH_PLAIN, UARCH_FIXED(4) | UARCH_GENERAL,
		  "TOPDOWN_BAD_SPECULATION.ALL_P", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0x9c, 0x01), UARCH_PLAIN, UARCH_FIXED(5) | UARCH_GENERAL,
		  "TOPDOWN_FE_BOUND.ALL_P", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x02), UARCH_PLAIN, UARCH_FIXED(6) | UARCH_GENERAL,
		  "TOPDOWN_RETIRING.ALL_P", UARCH_SDM),
};

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS, MEM_LOAD_UOPS_RETIRED.L1_MISS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0xd1, 0x40)},
			/* MEM_UOPS_RETIRED.ALL_STORES */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0xd0, 0x82)},
		},
	[PERF_COUNT_HW_CACHE_L1I] =
		{
			/* ICACHE.ACCESSES, ICACHE.MISSES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0x80, 0x03),
							 UARCH_SELECT(0x80, 0x02)},
		},
	[PERF_COUNT_HW_CACHE_LL] =
		{
			/* MEM_LOAD_UOPS_RETIRED.L2_MISS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd1, 0x80)},
		},
	[PERF_COUNT_HW_CACHE_DTLB] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.WALK_COMPLETED */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0x08, 0x0e)},
			/* MEM_UOPS_RETIRED.ALL_STORES, DTLB_STORE_MISSES.WALK_COMPLETED */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0xd0, 0x82),
							  UARCH_SELECT(0x49, 0x0e)},
		},
	[PERF_COUNT_HW_CACHE_ITLB] =
		{
			/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.WALK_COMPLETED */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0x85, 0x20),
							 UARCH_SELECT(0x85, 0x0e)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xc4, 0x00),
							 UARCH_SELECT(0xc5, 0x00)},
		},
}};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x800ff3ffffffffff, 0xb7, 0x02, 0xff3ffffffffff, false),
	UARCH_LATENCY(0xd0, 0x05, "MEM_UOPS_RETIRED.LOAD_LATENCY", false),
	UARCH_BRANCHES(MSR_IA32_LBR_CTL, ARCH_LBR_BITS, false),
};

const struct uarch uarch_darkmont = {
	.name = "darkmont",
	.aliases = "ptl_e ptl-e pantherlake_e pantherlake_darkmont",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xcc, .last = 0xcc, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xd5, .last = 0xd5, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xe5, .last = 0xe5, .core = UARCH_ATOM}},
	.gp = 8,
	.gp_ht = 0,
	.fixed = 0x77,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_EVERY,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.note = "",
};

const struct uarch uarch_clearwaterforest = {
	.name = "clearwaterforest",
	.aliases = "cwf",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xdd, .last = 0xdd}},
	.gp = 8,
	.gp_ht = 0,
	.fixed = 0x77,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_EVERY,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.note = "",
};
