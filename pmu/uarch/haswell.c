// SPDX-License-Identifier: BSD-2-Clause
/*
 * haswell.c - Haswell, client and server. Source: Intel's event files `haswell` and `haswellx`,
 * columns Counter and CounterHTOff. Event 0x3c, umask 2 has two names there, one on the low
 * counters only, one on all: the table has the narrower constraint. Linux once had all of
 * CYCLE_ACTIVITY on counter 2, and seems to need that for umask 4, too; the files allow umask 4 the
 * low four. The files use bits 30:23 of the off-core registers on the client, too, where Linux
 * masks them.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL,
		  "UOPS_EXECUTED.STALL_CYCLES"),
	UARCH_NOT(UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(10) | EVTSEL_INV, UARCH_FULL,
		  "UOPS_RETIRED.TOTAL_CYCLES"),
	UARCH_ROW(UARCH_IN_TXCP, UARCH_IN_TXCP, 0x04, "events with IN_TXCP", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0xa3, 0), UARCH_CODE, 0x04, "CYCLE_ACTIVITY", UARCH_FIELD,
		  .until = UARCH_LINUX_RC(4, 0, 7)),
	UARCH_EVENT(0xa3, 0x02, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_LDM_PENDING"),
	UARCH_EVENT(0xa3, 0x04, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	UARCH_EVENT(0xa3, 0x05, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	UARCH_EVENT(0xa3, 0x06, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_LDM_PENDING"),
	UARCH_EVENT(0xa3, 0x08, 0x04, "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	UARCH_EVENT(0xa3, 0x0c, 0x04, "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	UARCH_EVENT(0xb1, 0x01, UARCH_LOW4, "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"),
	UARCH_EVENTS(0xbc, UARCH_LOW4, "PAGE_WALKER_LOADS"),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x01) | UARCH_CMASK(16) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_RETIRED.TOTAL_CYCLES", UARCH_PERFMON),
	UARCH_EVENTS(0xc9, UARCH_LOW4, "RTM_RETIRED"),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_UOPS_L3_HIT_RETIRED"),
	UARCH_EVENTS(0xd3, UARCH_LOW4, "MEM_LOAD_UOPS_L3_MISS_RETIRED"),
};

static const struct uarch_cache cache[] = {
	/* OFFCORE_RESPONSE_0: any response, beyond the last level; local memory, remote memory */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10001, 0x3fb8400001),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10002, 0x3fb8400002),
	UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0xb7, 0x01), 0x1f80400001, 0x1fb8000001),
	UARCH_CACHE_OFFCORE(NODE, WRITE, UARCH_SELECT(0xb7, 0x01), 0x1f80400002, 0x1fb8000002),
	UARCH_NO_CACHE(LL, PREFETCH),
	UARCH_NO_CACHE(NODE, PREFETCH),
	/* MEM_UOPS_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x08, 0x01)),
	/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.MISS_CAUSES_A_WALK */
	UARCH_CACHE(ITLB, READ, UARCH_SELECT(0x85, 0x60), UARCH_SELECT(0x85, 0x01)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x3fffff8fff, 0xbb, 0x01, 0x3fffff8fff, false),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x3ff, false),
};

static const struct uarch_erratum errata[] = {
	UARCH_HT_LEAK("HSD29: Performance Monitor Counters May Produce Incorrect Results"),
};

/*
 * Erratum HSW11 (a period of INST_RETIRED.ALL is at least 100). The other row is from Linux since
 * 6.12: two counters with shorter periods have their overflows in one NMI.
 */
static const struct uarch_setting settings[] = {
	UARCH_SETTING(INST_RETIRED_ALL, UARCH_EXACT, 0, 128, 1, "HSW11"),
	UARCH_SETTING(0, 0, 0, 32, 1, "short periods"),
};

const struct uarch uarch_haswell = {
	.name = "haswell",
	.aliases = "hsw",
	.pfm = "hsw",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3c, .last = 0x3c},
		   {.family = 6, .first = 0x45, .last = 0x46}},
	.like = &uarch_ivybridge,
	.memory = uarch_memory_haswell,
	UARCH_SETTINGS(settings),
	.precise = &uarch_precise_haswell,
	.generic = {[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = UARCH_NONE},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	UARCH_ERRATA(errata),
};

const struct uarch uarch_haswellx = {
	.name = "haswellx",
	.aliases = "hsx hsw_ep",
	.pfm = "hsw_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3f, .last = 0x3f}},
	.like = &uarch_haswell,
	.precise = &uarch_precise_haswellx,
	UARCH_ERRATA(errata),
};
