// SPDX-License-Identifier: BSD-2-Clause
/*
 * skylake.c - Skylake client and server, and what kept its core: Kaby, Coffee, Cascade and Comet
 * Lake. Source of the constraints and of the cache events: Intel's event files `skylake` and
 * `skylakex` (perfmon), columns Counter and CounterHTOff.
 */
#include "pmu/uarch/uarch.h"

#define LOW4 0x0full

/* PREC_DIST counts on counter 1; the same event with CMASK=10 and INV is TOTAL_CYCLES_PS. */
static const struct uarch_constraint constraints[] = {
	{UARCH_SELECT(0xa3, 0x14), UARCH_EXACT, LOW4, "CYCLE_ACTIVITY.STALLS_MEM_ANY"},
	{UARCH_SELECT(0xb7, 0), UARCH_CODE, LOW4, "OFFCORE_RESPONSE_0"},
	{UARCH_SELECT(0xbb, 0), UARCH_CODE, LOW4, "OFFCORE_RESPONSE_1"},
	{UARCH_SELECT(0xc0, 0x01) | EVTSEL_INV | 10ull << 24, UARCH_FULL, 0x0d,
	 "INST_RETIRED.TOTAL_CYCLES_PS"},
	{UARCH_SELECT(0xc0, 0x01), UARCH_EXACT, 0x02, "INST_RETIRED.PREC_DIST"},
	{UARCH_SELECT(0xc4, 0x04), UARCH_EXACT, LOW4, "BR_INST_RETIRED.ALL_BRANCHES_PEBS"},
	{UARCH_SELECT(0xc5, 0x04), UARCH_EXACT, LOW4, "BR_MISP_RETIRED.ALL_BRANCHES_PEBS"},
	{UARCH_SELECT(0xc6, 0), UARCH_CODE, LOW4, "FRONTEND_RETIRED"},
	{UARCH_SELECT(0xcd, 0), UARCH_CODE, LOW4, "MEM_TRANS_RETIRED"},
	{UARCH_SELECT(0xd0, 0), UARCH_CODE, LOW4, "MEM_INST_RETIRED"},
	{UARCH_SELECT(0xd1, 0), UARCH_CODE, LOW4, "MEM_LOAD_RETIRED"},
	{UARCH_SELECT(0xd2, 0), UARCH_CODE, LOW4, "MEM_LOAD_L3_HIT_RETIRED"},
	{UARCH_SELECT(0xd3, 0), UARCH_CODE, LOW4, "MEM_LOAD_L3_MISS_RETIRED"},
	{UARCH_SELECT(0xd4, 0), UARCH_CODE, LOW4, "MEM_LOAD_MISC_RETIRED"},
};

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* MEM_INST_RETIRED.ALL_LOADS, L1D.REPLACEMENT */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0x51, 0x01)},
			/* MEM_INST_RETIRED.ALL_STORES */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0xd0, 0x82)},
		},
	[PERF_COUNT_HW_CACHE_L1I] =
		{
			/* ICACHE_64B.IFTAG_MISS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {0, UARCH_SELECT(0x83, 0x02)},
		},
	[PERF_COUNT_HW_CACHE_DTLB] =
		{
			/* MEM_INST_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.WALK_COMPLETED */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0x08, 0x0e)},
			/* MEM_INST_RETIRED.ALL_STORES, DTLB_STORE_MISSES.WALK_COMPLETED */
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

const struct uarch uarch_skylake = {
	.name = "skylake",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{6, 0x4e, 0x4e},
		   {6, 0x55, 0x55},
		   {6, 0x5e, 0x5e},
		   {6, 0x8e, 0x8e},
		   {6, 0x9e, 0x9e},
		   {6, 0xa5, 0xa6}},
	.generic = UARCH_INTEL_ARCHITECTURAL,
	.cache = &cache,
	.constraints = constraints,
	.nconstraints = sizeof(constraints) / sizeof(constraints[0]),
	.note = "",
};
