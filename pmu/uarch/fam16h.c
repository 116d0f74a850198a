// SPDX-License-Identifier: BSD-2-Clause
/*
 * fam16h.c - Family 16h (Jaguar, Puma). Any of the four core counters counts any core event; the
 * northbridge has counters of its own, so that its events are none of the core's. Source: the BKDG
 * of family 16h, "Core Performance Monitor Counters". What stalls, and the L2, is Linux's choice:
 * it has the codes 0x7d, 0x7e, 0xd0 and 0xd1 of the families before, which the BKDG does not list.
 */
#include "pmu/uarch/uarch.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(0xe0, 0xe0, 0, "northbridge events", UARCH_BKDG),
};

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* data cache accesses, misses */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x040, 0x00),
							 UARCH_AMD_SELECT(0x041, 0x01)},
			/* data prefetches attempted */
			[PERF_COUNT_HW_CACHE_OP_PREFETCH] = {UARCH_AMD_SELECT(0x067, 0x02)},
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
		},
	[PERF_COUNT_HW_CACHE_DTLB] =
		{
			/* data cache accesses, misses of both levels of TLB */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x040, 0x00),
							 UARCH_AMD_SELECT(0x046, 0x07)},
		},
	[PERF_COUNT_HW_CACHE_ITLB] =
		{
			/* instruction cache fetches, misses of both levels of TLB */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x080, 0x00),
							 UARCH_AMD_SELECT(0x085, 0x03)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* retired branches, those mispredicted */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_AMD_SELECT(0x0c2, 0x00),
							 UARCH_AMD_SELECT(0x0c3, 0x00)},
		},
}};

const struct uarch uarch_fam16h = {
	.name = "fam16h",
	.aliases = "jaguar puma amdfam16h",
	.pfm = "amd64_fam16h",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x16, .first = 0x00, .last = 0xff}},
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
