// SPDX-License-Identifier: BSD-2-Clause
/*
 * gracemont.c - Gracemont: the small cores of Alder and Raptor Lake, and Alder Lake N. Source:
 * Intel's event file `alderlake_gracemont`, column Counter. There is no hyper-threading. REF_TSC_P
 * counts what fixed counter 2 counts.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x3c, 0x01), UARCH_PLAIN, UARCH_FIXED(2) | UARCH_GENERAL,
		  "CPU_CLK_UNHALTED.REF_TSC_P", UARCH_SDM),
	UARCH_EVENT(0xd0, 0x05, 0x03, "MEM_UOPS_RETIRED.LOAD_LATENCY"),
};

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS, MEM_LOAD_UOPS_RETIRED.L1_MISS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0xd1, 0x08)},
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
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd1, 0x10)},
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
			/* none, ITLB_MISSES.WALK_COMPLETED */
			[PERF_COUNT_HW_CACHE_OP_READ] = {0, UARCH_SELECT(0x85, 0x0e)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xc4, 0x00),
							 UARCH_SELECT(0xc5, 0x00)},
		},
}};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0xc03fffffffff, 0xb7, 0x02, 0xc03fffffffff, false),
	UARCH_LATENCY(0xd0, 0x05, "MEM_UOPS_RETIRED.LOAD_LATENCY", false),
	UARCH_BRANCHES(MSR_IA32_LBR_CTL, ARCH_LBR_BITS, false),
};

const struct uarch uarch_gracemont = {
	.name = "gracemont",
	.aliases = "adl_e adl-e alderlake_e rpl_e rpl-e adl_n adl-n alderlake_gracemont grt",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x97, .last = 0x97, .core = UARCH_ATOM},
		   {.family = 6, .first = 0x9a, .last = 0x9a, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xb7, .last = 0xb7, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xba, .last = 0xba, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xbe, .last = 0xbe},
		   {.family = 6, .first = 0xbf, .last = 0xbf, .core = UARCH_ATOM}},
	.gp = 6,
	.gp_ht = 0,
	.fixed = 0x07,
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
