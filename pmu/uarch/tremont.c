// SPDX-License-Identifier: BSD-2-Clause
/*
 * tremont.c - Tremont: Elkhart, Jasper and Snow Ridge. Source: Intel's event files `elkhartlake`
 * and `snowridgex`: any counter counts any event, also precise ones. REF_TSC_P counts the same as
 * fixed counter 2.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x3c, 0x01), UARCH_PLAIN, UARCH_FIXED(2) | UARCH_GENERAL,
		  "CPU_CLK_UNHALTED.REF_TSC_P", UARCH_SDM),
};

static const struct uarch_cache cache[] = {
	/* OFFCORE_RESPONSE_0: any response, beyond the last level */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10001, 0x3f04000001),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10002, 0x3f04000002),
	UARCH_NO_CACHE(LL, PREFETCH),
	/* MEM_UOPS_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x08, 0x0e)),
	/* MEM_UOPS_RETIRED.ALL_STORES, DTLB_STORE_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0xd0, 0x82), UARCH_SELECT(0x49, 0x0e)),
	/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.WALK_COMPLETED */
	UARCH_CACHE(ITLB, READ, UARCH_SELECT(0x85, 0x20), UARCH_SELECT(0x85, 0x0e)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x800ff0ffffff9fff, 0xb7, 0x02, 0xff0ffffff9fff, false),
};

const struct uarch uarch_tremont = {
	.name = "tremont",
	.aliases = "tnt tmt elkhartlake ehl jsl snowridgex snr",
	.pfm = "tmt",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x86, .last = 0x86},
		   {.family = 6, .first = 0x96, .last = 0x96},
		   {.family = 6, .first = 0x9c, .last = 0x9c}},
	.like = &uarch_goldmontplus,
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
};
