// SPDX-License-Identifier: BSD-2-Clause
/*
 * knightslanding.c - Knights Landing and Knights Mill: four threads a core, two counters of 40 bits
 * each. Source: Intel's event file `knightslanding`: any counter counts any event, but precisely
 * only counter 0 does. The file uses bits 3, 4, 8 and 11 of the off-core registers, which Linux
 * masks.
 */
#include "pmu/uarch/intel.h"

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0x04, 0x40)},
			/* MEM_UOPS_RETIRED.ALL_STORES */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0x04, 0x80)},
		},
	[PERF_COUNT_HW_CACHE_L1I] =
		{
			/* ICACHE.ACCESSES, ICACHE.MISSES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0x80, 0x03),
							 UARCH_SELECT(0x80, 0x02)},
		},
	[PERF_COUNT_HW_CACHE_DTLB] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS, PAGE_WALKS.D_SIDE_WALKS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0x04, 0x40),
							 UARCH_SELECT(0x05, 0x01)},
			/* MEM_UOPS_RETIRED.ALL_STORES */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0x04, 0x80)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xc4, 0x00),
							 UARCH_SELECT(0xc5, 0x00)},
		},
}};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x799ffbbfff, 0xb7, 0x02, 0x399ffbffff, false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x1ff, false),
};

const struct uarch uarch_knightslanding = {
	.name = "knightslanding",
	.aliases = "knl knm knightsmill",
	.pfm = "knl",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x57, .last = 0x57},
		   {.family = 6, .first = 0x85, .last = 0x85}},
	.gp = 2,
	.gp_ht = 2,
	.fixed = 0x07,
	.width = 40,
	.fixed_width = 40,
	.pebs = 0x01,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_EXTRAS(extras),
	.note = "",
};
