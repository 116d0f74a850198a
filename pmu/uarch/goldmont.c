// SPDX-License-Identifier: BSD-2-Clause
/*
 * goldmont.c - Goldmont. Source: Intel's event file `goldmont`: any counter counts any event.
 * Precise events need counter 0. Only off-core register 0 can count outstanding requests (bit 38).
 */
#include "pmu/uarch/intel.h"

static const struct uarch_cache cache[] = {
	/* MEM_UOPS_RETIRED.ALL_LOADS, MEM_LOAD_UOPS_RETIRED.L1_MISS */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0xd1, 0x08)),
	/* MEM_UOPS_RETIRED.ALL_STORES */
	UARCH_CACHE(L1D, WRITE, UARCH_SELECT(0xd0, 0x82), 0),
	/* ICACHE.ACCESSES, ICACHE.MISSES */
	UARCH_CACHE(L1I, READ, UARCH_SELECT(0x80, 0x03), UARCH_SELECT(0x80, 0x02)),
	/* OFFCORE_RESPONSE_0: any response, beyond the last level */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10001, 0x3600000001),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10002, 0x3600000002),
	UARCH_CACHE_OFFCORE(LL, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x10030, 0x3600000030),
	/* MEM_UOPS_RETIRED.ALL_LOADS */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), 0),
	/* MEM_UOPS_RETIRED.ALL_STORES */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0xd0, 0x82), 0),
	/* none, ITLB.MISS */
	UARCH_CACHE(ITLB, READ, 0, UARCH_SELECT(0x81, 0x04)),
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc5, 0x00)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x760005ffbf, 0xb7, 0x02, 0x360005ffbf, false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x3ff, false),
};

const struct uarch uarch_goldmont = {
	.name = "goldmont",
	.aliases = "glm apollolake denverton",
	.pfm = "glm",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x5c, .last = 0x5c},
		   {.family = 6, .first = 0x5f, .last = 0x5f}},
	.gp = 4,
	.gp_ht = 0,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = 0x01,
	.generic = {UARCH_INTEL_ARCHITECTURAL},
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	UARCH_LBR(32),
};
