// SPDX-License-Identifier: BSD-2-Clause
/*
 * k8.c - K8 (Athlon 64, Opteron), family 0Fh. Any of the four counters counts any event. But the
 * northbridge is shared: each counter may count its events on one core of the node at a time.
 * Source: the BKDG of family 0Fh, "Performance Counter Events".
 */
#include "pmu/uarch/rows.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(0xe0, 0xe0, 0x0f, "northbridge events", UARCH_BKDG, .flags = UARCH_SHARED_NB),
};

static const struct uarch_cache cache[] = {
	/* data prefetches attempted, cancelled */
	UARCH_CACHE(L1D, PREFETCH, UARCH_AMD_SELECT(0x067, 0x02), UARCH_AMD_SELECT(0x067, 0x01)),
	/* prefetch instructions dispatched, loads */
	UARCH_CACHE(L1I, PREFETCH, UARCH_AMD_SELECT(0x04b, 0x01), 0),
	/* L2 requests, misses: of the data cache and the instruction cache */
	UARCH_CACHE(LL, READ, UARCH_AMD_SELECT(0x07d, 0x03), UARCH_AMD_SELECT(0x07e, 0x03)),
	/* L2 fills */
	UARCH_CACHE(LL, WRITE, UARCH_AMD_SELECT(0x07f, 0x01), 0),
	/* CPU requests to memory: of any node, of remote nodes */
	UARCH_CACHE(NODE, READ, UARCH_AMD_SELECT(0x0e9, 0xb8), UARCH_AMD_SELECT(0x0e9, 0x98)),
};

const struct uarch uarch_k8 = {
	.name = "k8",
	.aliases = "opteron athlon64",
	.pfm = "amd64_k8_revf",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x0f, .first = 0x00, .last = 0xff}},
	.like = &uarch_k7,
	.generic =
		{
			[PERF_COUNT_HW_CACHE_REFERENCES] = UARCH_AMD_SELECT(0x07d, 0x07),
			[PERF_COUNT_HW_CACHE_MISSES] = UARCH_AMD_SELECT(0x07e, 0x07),
			[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = UARCH_AMD_SELECT(0x0d0, 0x00),
			[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = UARCH_AMD_SELECT(0x0d1, 0x00),
		},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
};
