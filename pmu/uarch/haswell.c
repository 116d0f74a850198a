// SPDX-License-Identifier: BSD-2-Clause
/*
 * haswell.c - Haswell, client and server. Source: Intel's event files `haswell` and `haswellx`,
 * columns Counter and CounterHTOff. Event 0x3c, umask 2 has two names there, one on the low
 * counters only, one on all: the narrower holds. CYCLE_ACTIVITY: Linux once had all of it on
 * counter 2, and is thought to need that for umask 4, too; the files allow umask 4 the low four.
 * The files use bits 30:23 of the off-core registers on the client, too, where Linux masks them.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_IN_TXCP, UARCH_IN_TXCP, 0x04, "events with IN_TXCP", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0xa3, 0), UARCH_CODE, 0x04, "CYCLE_ACTIVITY", UARCH_FIELD,
		  .until = UARCH_LINUX_RC(4, 0, 7)),
	UARCH_ROW(UARCH_SELECT(0x0e, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_ISSUED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_EVENT(0x3c, 0x02, UARCH_LOW4, "CPU_CLK_THREAD_UNHALTED.ONE_THREAD_ACTIVE"),
	UARCH_EVENT(0x48, 0x01, 0x04, "L1D_PEND_MISS.PENDING"),
	UARCH_EVENT(0x79, 0x02, UARCH_LOW4, "IDQ.EMPTY"),
	UARCH_EVENTS(0x9c, UARCH_LOW4, "IDQ_UOPS_NOT_DELIVERED"),
	UARCH_EVENT(0xa3, 0x02, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_LDM_PENDING"),
	UARCH_EVENT(0xa3, 0x04, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	UARCH_EVENT(0xa3, 0x05, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	UARCH_EVENT(0xa3, 0x06, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_LDM_PENDING"),
	UARCH_EVENT(0xa3, 0x08, 0x04, "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	UARCH_EVENT(0xa3, 0x0c, 0x04, "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	UARCH_EVENT(0xb1, 0x01, UARCH_LOW4, "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"),
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
	UARCH_EVENTS(0xc9, UARCH_LOW4, "RTM_RETIRED"),
	UARCH_EVENT(0xca, 0x1e, UARCH_LOW4, "FP_ASSIST.ANY"),
	UARCH_EVENTS(0xcd, 0x08, "MEM_TRANS_RETIRED"),
	UARCH_EVENTS(0xd0, UARCH_LOW4, "MEM_UOPS_RETIRED"),
	UARCH_EVENTS(0xd1, UARCH_LOW4, "MEM_LOAD_UOPS_RETIRED"),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_UOPS_L3_HIT_RETIRED"),
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

static const struct uarch_erratum errata[] = {
	UARCH_HT_LEAK("HSD29: Performance Monitor Counters May Produce Incorrect Results"),
};

const struct uarch uarch_haswell = {
	.name = "haswell",
	.aliases = "hsw",
	.pfm = "hsw",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3c, .last = 0x3c},
		   {.family = 6, .first = 0x45, .last = 0x46}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.memory_names = true,
	.precise = &uarch_precise_haswell,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	UARCH_ERRATA(errata),
	.note = "",
};

const struct uarch uarch_haswellx = {
	.name = "haswellx",
	.aliases = "hsx hsw_ep",
	.pfm = "hsw_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3f, .last = 0x3f}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.memory_names = true,
	.precise = &uarch_precise_haswellx,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
		},
	.cache = &cache,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	UARCH_ERRATA(errata),
	.note = "",
};
