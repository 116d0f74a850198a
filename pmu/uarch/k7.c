// SPDX-License-Identifier: BSD-2-Clause
/*
 * k7.c - K7 (Athlon), family 6. Any of the four counters counts any event. Source: AMD's Athlon
 * optimization guide, "Performance-Monitoring Counters". It has no events of requests to L2, so
 * cache references and misses are the data cache's.
 */
#include "pmu/uarch/uarch.h"

static const struct uarch_cache cache[] = {
	/* data cache accesses, misses */
	UARCH_CACHE(L1D, READ, UARCH_AMD_SELECT(0x040, 0x00), UARCH_AMD_SELECT(0x041, 0x00)),
	/* instruction cache fetches, misses */
	UARCH_CACHE(L1I, READ, UARCH_AMD_SELECT(0x080, 0x00), UARCH_AMD_SELECT(0x081, 0x00)),
	/* data cache accesses, misses of both levels of TLB */
	UARCH_CACHE(DTLB, READ, UARCH_AMD_SELECT(0x040, 0x00), UARCH_AMD_SELECT(0x046, 0x00)),
	/* instruction cache fetches, misses of both levels of TLB */
	UARCH_CACHE(ITLB, READ, UARCH_AMD_SELECT(0x080, 0x00), UARCH_AMD_SELECT(0x085, 0x00)),
	/* retired branches, mispredicted ones */
	UARCH_CACHE(BPU, READ, UARCH_AMD_SELECT(0x0c2, 0x00), UARCH_AMD_SELECT(0x0c3, 0x00)),
};

const struct uarch uarch_k7 = {
	.name = "k7",
	.aliases = "athlon",
	.pfm = "amd64_k7",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x06, .first = 0x00, .last = 0xff}},
	.gp = 4,
	.width = 48,
	.generic =
		{
			[PERF_COUNT_HW_CPU_CYCLES] = UARCH_AMD_SELECT(0x076, 0x00),
			[PERF_COUNT_HW_INSTRUCTIONS] = UARCH_AMD_SELECT(0x0c0, 0x00),
			[PERF_COUNT_HW_CACHE_REFERENCES] = UARCH_AMD_SELECT(0x040, 0x00),
			[PERF_COUNT_HW_CACHE_MISSES] = UARCH_AMD_SELECT(0x041, 0x00),
			[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = UARCH_AMD_SELECT(0x0c2, 0x00),
			[PERF_COUNT_HW_BRANCH_MISSES] = UARCH_AMD_SELECT(0x0c3, 0x00),
		},
	UARCH_CACHES(cache),
};
