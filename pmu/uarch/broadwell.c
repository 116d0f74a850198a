// SPDX-License-Identifier: BSD-2-Clause
/*
 * broadwell.c - Broadwell, client, server and Xeon D. Source: Intel's event files `broadwell`,
 * `broadwellx` and `broadwellde`, columns Counter and CounterHTOff. Some selects have two names
 * there, one on the low counters only, one on all (0x3c umask 2, 0xa3 umasks 2, 4, 5, 6): the
 * narrower holds. The files have MEM_TRANS_RETIRED on counter 3, where Linux uses the low four: the
 * files' word holds. They use bits 30:23 of the off-core registers on the client, too, where Linux
 * masks them.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_IN_TXCP, UARCH_IN_TXCP, 0x04, "events with IN_TXCP", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0xa3, 0), UARCH_CODE, 0x04, "CYCLE_ACTIVITY", UARCH_FIELD,
		  .until = UARCH_LINUX_RC(4, 3, 4)),
	UARCH_ROW(UARCH_SELECT(0x0e, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_ISSUED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_EVENT(0x3c, 0x02, UARCH_LOW4, "CPU_CLK_THREAD_UNHALTED.ONE_THREAD_ACTIVE"),
	UARCH_EVENT(0x48, 0x01, 0x04, "L1D_PEND_MISS.PENDING"),
	UARCH_EVENT(0x79, 0x02, UARCH_LOW4, "IDQ.EMPTY"),
	UARCH_EVENTS(0x9c, UARCH_LOW4, "IDQ_UOPS_NOT_DELIVERED"),
	UARCH_EVENTS(0xa0, UARCH_LOW4, "UOP_DISPATCHES_CANCELLED.SIMD_PRF"),
	UARCH_EVENT(0xa3, 0x02, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_MEM_ANY"),
	UARCH_EVENT(0xa3, 0x04, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	UARCH_EVENT(0xa3, 0x05, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	UARCH_EVENT(0xa3, 0x06, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_LDM_PENDING"),
	UARCH_EVENT(0xa3, 0x08, 0x04, "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	UARCH_EVENT(0xa3, 0x0c, 0x04, "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(1), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(2), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(3), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(4), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_4_UOPS_EXEC", UARCH_PERFMON),
	UARCH_EVENTS(0xb7, UARCH_LOW4, "OFFCORE_RESPONSE_0"),
	UARCH_EVENTS(0xbb, UARCH_LOW4, "OFFCORE_RESPONSE_1"),
	UARCH_EVENTS(0xbc, UARCH_LOW4, "PAGE_WALKER_LOADS"),
	UARCH_EVENT(0xc0, 0x01, 0x02, "INST_RETIRED.PREC_DIST", .flags = UARCH_PEBS_ONLY),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_RETIRED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(16) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_RETIRED.TOTAL_CYCLES", UARCH_PERFMON),
	UARCH_EVENT(0xc4, 0x04, UARCH_LOW4, "BR_INST_RETIRED.ALL_BRANCHES_PEBS"),
	UARCH_EVENT(0xc5, 0x04, UARCH_LOW4, "BR_MISP_RETIRED.ALL_BRANCHES_PEBS"),
	UARCH_EVENTS(0xc7, UARCH_LOW4, "FP_ARITH_INST_RETIRED"),
	UARCH_EVENTS(0xc9, UARCH_LOW4, "RTM_RETIRED"),
	UARCH_EVENT(0xca, 0x1e, UARCH_LOW4, "FP_ASSIST.ANY"),
	UARCH_EVENTS(0xcd, 0x08, "MEM_TRANS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd0, UARCH_LOW4, "MEM_UOPS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd1, UARCH_LOW4, "MEM_LOAD_UOPS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_UOPS_L3_HIT_RETIRED",
		     .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd3, UARCH_LOW4, "MEM_LOAD_UOPS_L3_MISS_RETIRED"),
};

/* Access, miss. */
static const struct uarch_cache cache = {{
	[PERF_COUNT_HW_CACHE_L1D] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS, L1D.REPLACEMENT */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0x51, 0x01)},
			/* MEM_UOPS_RETIRED.ALL_STORES */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0xd0, 0x82)},
		},
	[PERF_COUNT_HW_CACHE_L1I] =
		{
			/* none, ICACHE.MISSES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {0, UARCH_SELECT(0x80, 0x02)},
		},
	[PERF_COUNT_HW_CACHE_LL] =
		{
			/* MEM_LOAD_UOPS_RETIRED.L2_MISS, MEM_LOAD_UOPS_RETIRED.L3_MISS */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd1, 0x10),
							 UARCH_SELECT(0xd1, 0x20)},
		},
	[PERF_COUNT_HW_CACHE_DTLB] =
		{
			/* MEM_UOPS_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xd0, 0x81),
							 UARCH_SELECT(0x08, 0x01)},
			/* MEM_UOPS_RETIRED.ALL_STORES, DTLB_STORE_MISSES.MISS_CAUSES_A_WALK */
			[PERF_COUNT_HW_CACHE_OP_WRITE] = {UARCH_SELECT(0xd0, 0x82),
							  UARCH_SELECT(0x49, 0x01)},
		},
	[PERF_COUNT_HW_CACHE_ITLB] =
		{
			/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.MISS_CAUSES_A_WALK */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0x85, 0x60),
							 UARCH_SELECT(0x85, 0x01)},
		},
	[PERF_COUNT_HW_CACHE_BPU] =
		{
			/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
			[PERF_COUNT_HW_CACHE_OP_READ] = {UARCH_SELECT(0xc4, 0x00),
							 UARCH_SELECT(0xc5, 0x00)},
		},
}};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x3fffff8fff, 0xbb, 0x01, 0x3fffff8fff, false),
	UARCH_LATENCY(0xcd, 0x01, "MEM_TRANS_RETIRED.LOAD_LATENCY", false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x3ff, false),
};

const struct uarch uarch_broadwell = {
	.name = "broadwell",
	.aliases = "bdw",
	.pfm = "bdw",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3d, .last = 0x3d},
		   {.family = 6, .first = 0x47, .last = 0x47}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.memory_names = true,
	.precise = &uarch_precise_broadwell,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.note = "",
};

const struct uarch uarch_broadwellx = {
	.name = "broadwellx",
	.aliases = "bdx bdw_ep",
	.pfm = "bdw_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x4f, .last = 0x4f}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.memory_names = true,
	.precise = &uarch_precise_broadwellx,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.note = "",
};

const struct uarch uarch_broadwellde = {
	.name = "broadwellde",
	.aliases = "bde bdw_de",
	.pfm = "bdw_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x56, .last = 0x56}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.memory_names = true,
	.precise = &uarch_precise_broadwellx,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.note = "",
};
