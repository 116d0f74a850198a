// SPDX-License-Identifier: BSD-2-Clause
/*
 * goldmontplus.c - Goldmont Plus. Source: Intel's event file `goldmontplus`: any counter counts any
 * event, precisely too. Only off-core register 0 can count what is outstanding (bit 38).
 */
#include "pmu/uarch/intel.h"

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
			/* MEM_UOPS_RETIRED.ALL_LOADS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81)},
			/* MEM_UOPS_RETIRED.ALL_STORES */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0xd0, 0x82)},
		},
	[PERF_COUNT_HW_CACHE_ITLB] =
		{
			/* none, ITLB.MISS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {0, UARCH_SELECT(0x81, 0x04)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xc4, 0x00),
							 UARCH_SELECT(0xc5, 0x00)},
		},
}};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x760005ffbf, 0xb7, 0x02, 0x360005ffbf, false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x3ff, false),
};

const struct uarch uarch_goldmontplus = {
	.name = "goldmontplus",
	.aliases = "glp geminilake",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x7a, .last = 0x7a}},
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
	UARCH_EXTRAS(extras),
	.note = "",
};
