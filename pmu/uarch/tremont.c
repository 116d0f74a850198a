// SPDX-License-Identifier: BSD-2-Clause
/*
 * tremont.c - Tremont: Elkhart, Jasper and Snow Ridge. Source: Intel's event files `elkhartlake`
 * and `snowridgex`: any counter counts any event, precisely too. REF_TSC_P counts what fixed
 * counter 2 counts.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x3c, 0x01), UARCH_PLAIN, UARCH_FIXED(2) | UARCH_GENERAL,
		  "CPU_CLK_UNHALTED.REF_TSC_P", UARCH_SDM),
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
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x800ff0ffffff9fff, 0xb7, 0x02, 0xff0ffffff9fff, false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x3ff, false),
};

const struct uarch uarch_tremont = {
	.name = "tremont",
	.aliases = "tnt tmt elkhartlake ehl jsl snowridgex snr",
	.pfm = "tmt",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x86, .last = 0x86},
		   {.family = 6, .first = 0x96, .last = 0x96},
		   {.family = 6, .first = 0x9c, .last = 0x9c}},
	.gp = 4,
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
