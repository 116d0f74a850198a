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

static const struct uarch_cache cache[] = {
	/* OFFCORE_RESPONSE_0: any response, beyond the last level */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10001, 0x0),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10002, 0x3680000002),
	UARCH_CACHE_OFFCORE(LL, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x10030, 0x3680000030),
	/* MEM_UOPS_RETIRED.ALL_LOADS */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0x04, 0x40), 0),
	/* MEM_UOPS_RETIRED.ALL_STORES */
	UARCH_CACHE(L1D, WRITE, UARCH_SELECT(0x04, 0x80), 0),
	/* ICACHE.ACCESSES, ICACHE.MISSES */
	UARCH_CACHE(L1I, READ, UARCH_SELECT(0x80, 0x03), UARCH_SELECT(0x80, 0x02)),
	/* MEM_UOPS_RETIRED.ALL_LOADS, PAGE_WALKS.D_SIDE_WALKS */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0x04, 0x40), UARCH_SELECT(0x05, 0x01)),
	/* MEM_UOPS_RETIRED.ALL_STORES */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0x04, 0x80), 0),
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc5, 0x00)),
};

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
	.generic = {UARCH_INTEL_ARCHITECTURAL},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	UARCH_OLD_LBR(8),
};
