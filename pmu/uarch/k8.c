// SPDX-License-Identifier: BSD-2-Clause
/*
 * k8.c - K8 (Athlon 64, Opteron), family 0Fh. Any of the four counters counts any event, but the
 * northbridge is shared: its events may be on one core of the node at a time, on each counter.
 * Source: the BKDG of family 0Fh, "Performance Counter Events".
 */
#include "pmu/uarch/uarch.h"

/* Event codes 0xe0 to 0xff are the northbridge's. */
static const struct uarch_constraint constraints[] = {
	UARCH_ROW(0xe0, 0xe0, 0x0f, "northbridge events", UARCH_BKDG, .flags = UARCH_SHARED_NB),
};

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* data cache accesses, misses */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x040, 0x00),
							 UARCH_AMD_SELECT(0x041, 0x00)},
			/* data prefetches attempted, cancelled */
			[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {UARCH_AMD_SELECT(0x067, 0x02),
							     UARCH_AMD_SELECT(0x067, 0x01)},
		},
	[PERF_COUNT_HW_CACHE_L1I] =
		{
			/* instruction cache fetches, misses */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x080, 0x00),
							 UARCH_AMD_SELECT(0x081, 0x00)},
			/* prefetch instructions dispatched, loads */
			[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {UARCH_AMD_SELECT(0x04b, 0x01)},
		},
	[PERF_COUNT_HW_CACHE_LL] =
		{
			/* L2 requests, misses: of the data cache and the instruction cache */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x07d, 0x03),
							 UARCH_AMD_SELECT(0x07e, 0x03)},
			/* L2 fills */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_AMD_SELECT(0x07f, 0x01)},
		},
	[PERF_COUNT_HW_CACHE_DTLB] =
		{
			/* data cache accesses, misses of both levels of TLB */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x040, 0x00),
							 UARCH_AMD_SELECT(0x046, 0x00)},
		},
	[PERF_COUNT_HW_CACHE_ITLB] =
		{
			/* instruction cache fetches, misses of both levels of TLB */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x080, 0x00),
							 UARCH_AMD_SELECT(0x085, 0x00)},
		},
	[PERF_COUNT_HW_CACHE_NODE] =
		{
			/* CPU requests to memory: of any node, of remote ones */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x0e9, 0xb8),
							 UARCH_AMD_SELECT(0x0e9, 0x98)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* retired branches, those mispredicted */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x0c2, 0x00),
							 UARCH_AMD_SELECT(0x0c3, 0x00)},
		},
}};

const struct uarch uarch_k8 = {
	.name = "k8",
	.aliases = "opteron athlon64",
	.pfm = "amd64_k8_revf",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x0f, .first = 0x00, .last = 0xff}},
	.gp = 4,
	.width = 48,
	.generic =
		{
			[PERF_COUNT_HW_CPU_CYCLES] = UARCH_AMD_SELECT(0x076, 0x00),
			[PERF_COUNT_HW_INSTRUCTIONS] = UARCH_AMD_SELECT(0x0c0, 0x00),
			[PERF_COUNT_HW_CACHE_REFERENCES] = UARCH_AMD_SELECT(0x07d, 0x07),
			[PERF_COUNT_HW_CACHE_MISSES] = UARCH_AMD_SELECT(0x07e, 0x07),
			[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = UARCH_AMD_SELECT(0x0c2, 0x00),
			[PERF_COUNT_HW_BRANCH_MISSES] = UARCH_AMD_SELECT(0x0c3, 0x00),
			[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = UARCH_AMD_SELECT(0x0d0, 0x00),
			[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = UARCH_AMD_SELECT(0x0d1, 0x00),
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	.note = "",
};
