// SPDX-License-Identifier: BSD-2-Clause
/*
 * silvermont.c - Silvermont and Airmont. Source: Intel's event file `silvermont`: any counter
 * counts any event. Precise events need counter 0. Counters have 40 bits.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x3c, 0x01), UARCH_EXACT, UARCH_FIXED(2), "CPU_CLK_UNHALTED.REF_P",
		  UARCH_FIELD, .until = UARCH_LINUX_RC(3, 15, 7)),
};

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
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x768005ffff, 0xb7, 0x02, 0x368005ffff, false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x1ff, false),
};

const struct uarch uarch_silvermont = {
	.name = "silvermont",
	.aliases = "slm airmont avoton baytrail",
	.pfm = "slm",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x37, .last = 0x37},
		   {.family = 6, .first = 0x4a, .last = 0x4a},
		   {.family = 6, .first = 0x4c, .last = 0x4d},
		   {.family = 6, .first = 0x5a, .last = 0x5a}},
	.gp = 2,
	.gp_ht = 0,
	.fixed = 0x07,
	.width = 40,
	.fixed_width = 40,
	.pebs = 0x01,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.note = "",
};
