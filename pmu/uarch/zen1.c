// SPDX-License-Identifier: BSD-2-Clause
/*
 * zen1.c - Zen and Zen+. Any of the six core counters counts any core event, with SMT on or off.
 * FP_RET_SSE_AVX_OPS can grow by more than 15 a cycle, which takes an even counter and the odd one
 * above it. Source: the PPRs of family 17h, "Core Performance Monitor Counters". Cache references
 * and misses are the L2's, counted at the core.
 */
#include "pmu/uarch/uarch.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_AMD_SELECT(0x003, 0), UARCH_AMD_CODE, 0x15, "FP_RET_SSE_AVX_OPS", UARCH_PPR,
		  .flags = UARCH_PAIR),
};

static const struct uarch_cache cache[] = {
	/* LS_DC_ACCESSES, L2_REQUEST_G1: data reads and writes */
	UARCH_CACHE(L1D, READ, UARCH_AMD_SELECT(0x040, 0x00), UARCH_AMD_SELECT(0x060, 0xc8)),
	/* LS_HW_PF_DC_FILLS: from any source */
	UARCH_CACHE(L1D, PREFETCH, UARCH_AMD_SELECT(0x05a, 0xff), 0),
	/* IC_FW32, IC_FW32_MISS */
	UARCH_CACHE(L1I, READ, UARCH_AMD_SELECT(0x080, 0x00), UARCH_AMD_SELECT(0x081, 0x00)),
	/* LS_L1_D_TLB_MISS: all, misses of the L2 TLB too */
	UARCH_CACHE(DTLB, READ, UARCH_AMD_SELECT(0x045, 0xff), UARCH_AMD_SELECT(0x045, 0xf0)),
	/* BP_L1_TLB_MISS_L2_TLB_HIT, BP_L1_TLB_MISS_L2_TLB_MISS */
	UARCH_CACHE(ITLB, READ, UARCH_AMD_SELECT(0x084, 0x00), UARCH_AMD_SELECT(0x085, 0xff)),
	/* EX_RET_BRN, EX_RET_BRN_MISP */
	UARCH_CACHE(BPU, READ, UARCH_AMD_SELECT(0x0c2, 0x00), UARCH_AMD_SELECT(0x0c3, 0x00)),
};

const struct uarch uarch_zen1 = {
	.name = "zen1",
	.aliases = "zen zen+ znver1 amdzen1",
	.pfm = "amd64_fam17h_zen1",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x17, .first = 0x00, .last = 0x2f}},
	.gp = 6,
	.gp_ht = 6,
	.width = 48,
	.generic =
		{
			[PERF_COUNT_HW_CPU_CYCLES] = UARCH_AMD_SELECT(0x076, 0x00),
			[PERF_COUNT_HW_INSTRUCTIONS] = UARCH_AMD_SELECT(0x0c0, 0x00),
			[PERF_COUNT_HW_CACHE_REFERENCES] = UARCH_AMD_SELECT(0x060, 0xff),
			[PERF_COUNT_HW_CACHE_MISSES] = UARCH_AMD_SELECT(0x064, 0x09),
			[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = UARCH_AMD_SELECT(0x0c2, 0x00),
			[PERF_COUNT_HW_BRANCH_MISSES] = UARCH_AMD_SELECT(0x0c3, 0x00),
			[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = UARCH_AMD_SELECT(0x087, 0x02),
			[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = UARCH_AMD_SELECT(0x087, 0x01),
		},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
};
