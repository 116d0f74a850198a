// SPDX-License-Identifier: BSD-2-Clause
/*
 * sandybridge.c - Sandy Bridge, client and server. Source: Intel's event files `sandybridge` and
 * `jaketown`, columns Counter and CounterHTOff. Event 0x3c, umask 2 has two names there, one on the
 * low counters only, one on all: the table has the narrower constraint. `jaketown` puts
 * CPU_CLK_UNHALTED.THREAD_ANY on fixed counter 2, where the SDM and all other files have 1: the
 * table follows these.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x0e, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_ISSUED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_EVENT(0x3c, 0x02, UARCH_LOW4, "CPU_CLK_THREAD_UNHALTED.ONE_THREAD_ACTIVE"),
	UARCH_EVENT(0x48, 0x01, 0x04, "L1D_PEND_MISS.PENDING"),
	UARCH_EVENT(0x79, 0x02, UARCH_LOW4, "IDQ.EMPTY"),
	UARCH_EVENTS(0x9c, UARCH_LOW4, "IDQ_UOPS_NOT_DELIVERED"),
	UARCH_EVENT(0xa3, 0x02, 0x04, "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	UARCH_EVENT(0xa3, 0x04, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_NO_DISPATCH"),
	UARCH_EVENT(0xa3, 0x05, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	UARCH_EVENT(0xa3, 0x06, 0x04, "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	UARCH_EVENTS(0xb7, UARCH_LOW4, "OFFCORE_RESPONSE_0"),
	UARCH_EVENTS(0xbb, UARCH_LOW4, "OFFCORE_RESPONSE_1"),
	UARCH_EVENT(0xc0, 0x01, 0x02, "INST_RETIRED.PREC_DIST",
		    .flags = UARCH_PEBS_ONLY | UARCH_ALONE),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_RETIRED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(10) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_RETIRED.TOTAL_CYCLES", UARCH_PERFMON),
	UARCH_EVENT(0xc4, 0x04, UARCH_LOW4, "BR_INST_RETIRED.ALL_BRANCHES_PEBS"),
	UARCH_EVENT(0xc5, 0x04, UARCH_LOW4, "BR_MISP_RETIRED.ALL_BRANCHES_PEBS"),
	UARCH_EVENT(0xca, 0x1e, UARCH_LOW4, "FP_ASSIST.ANY"),
	UARCH_EVENTS(0xcd, 0x08, "MEM_TRANS_RETIRED"),
	UARCH_EVENTS(0xd0, UARCH_LOW4, "MEM_UOPS_RETIRED"),
	UARCH_EVENTS(0xd1, UARCH_LOW4, "MEM_LOAD_UOPS_RETIRED"),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_UOPS_LLC_HIT_RETIRED"),
	UARCH_EVENTS(0xd3, UARCH_LOW4, "MEM_LOAD_UOPS_LLC_MISS_RETIRED"),
	UARCH_EVENTS(0xd4, UARCH_LOW4, "MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS"),
};

static const struct uarch_cache cache[] = {
	/* MEM_UOPS_RETIRED.ALL_LOADS, L1D.REPLACEMENT */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x51, 0x01)),
	/* MEM_UOPS_RETIRED.ALL_STORES */
	UARCH_CACHE(L1D, WRITE, UARCH_SELECT(0xd0, 0x82), 0),
	/* none, ICACHE.MISSES */
	UARCH_CACHE(L1I, READ, 0, UARCH_SELECT(0x80, 0x02)),
	/* OFFCORE_RESPONSE_0: any response, beyond the last level; memory, which is always local */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10081, 0x3f80400081),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10102, 0x3f80400102),
	UARCH_CACHE_OFFCORE(LL, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x10030, 0x3f80400030),
	UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0xb7, 0x01), 0x1f80400081, 0),
	UARCH_CACHE_OFFCORE(NODE, WRITE, UARCH_SELECT(0xb7, 0x01), 0x1f80400102, 0),
	UARCH_CACHE_OFFCORE(NODE, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x1f80400030, 0),
	/* MEM_UOPS_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x08, 0x01)),
	/* MEM_UOPS_RETIRED.ALL_STORES, DTLB_STORE_MISSES.MISS_CAUSES_A_WALK */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0xd0, 0x82), UARCH_SELECT(0x49, 0x01)),
	/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.MISS_CAUSES_A_WALK */
	UARCH_CACHE(ITLB, READ, UARCH_SELECT(0x85, 0x10), UARCH_SELECT(0x85, 0x01)),
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc5, 0x00)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x3f807f8fff, 0xbb, 0x01, 0x3f807f8fff, false),
	UARCH_LATENCY(0xcd, 0x01, "MEM_TRANS_RETIRED.LOAD_LATENCY", false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x1ff, false),
};

static const struct uarch_extra sandybridgex_extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x3fffff8fff, 0xbb, 0x01, 0x3fffff8fff, false),
};

static const struct uarch_cache sandybridgex_cache[] = {UARCH_SANDYBRIDGE_OFFCORE_CACHES};

static const struct uarch_erratum errata[] = {
	UARCH_HT_LEAK("BJ122: Performance Monitor Counters May Produce Incorrect Results"),
};

const struct uarch uarch_sandybridge = {
	.name = "sandybridge",
	.aliases = "snb",
	.pfm = "snb",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x2a, .last = 0x2a}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.generic =
		{
			UARCH_INTEL_ARCHITECTURAL,
			[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] =
				UARCH_SELECT(0x0e, 0x01) | EVTSEL_INV | UARCH_CMASK(1),
			[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] =
				UARCH_SELECT(0xb1, 0x01) | EVTSEL_INV | UARCH_CMASK(1),
		},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	UARCH_ERRATA(errata),
	UARCH_LBR(16),
	.precise = &uarch_precise_sandybridge,
};

const struct uarch uarch_sandybridgex = {
	.name = "sandybridgex",
	.aliases = "snbx snb_ep jaketown jkt",
	.pfm = "snb_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x2d, .last = 0x2d}},
	.like = &uarch_sandybridge,
	UARCH_CACHES(sandybridgex_cache),
	UARCH_EXTRAS(sandybridgex_extras),
	UARCH_ERRATA(errata),
	.precise = &uarch_precise_sandybridgex,
};
