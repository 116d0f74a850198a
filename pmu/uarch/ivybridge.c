// SPDX-License-Identifier: BSD-2-Clause
/*
 * ivybridge.c - Ivy Bridge, client and server. Source: Intel's event files `ivybridge` and
 * `ivytown`, columns Counter and CounterHTOff. Event 0x3c, umask 2 has two names there, one on the
 * low counters only, one on all: the table has the narrower constraint.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT_EVENTS(0xd4, "MEM_LOAD_UOPS_MISC_RETIRED.LLC_MISS"),
	UARCH_EVENT(0xa3, 0x02, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_MEM_ANY"),
	UARCH_EVENT(0xa3, 0x04, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_TOTAL"),
	UARCH_EVENT(0xa3, 0x05, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L2_MISS"),
	UARCH_EVENT(0xa3, 0x06, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
	UARCH_EVENT(0xa3, 0x08, 0x04, "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	UARCH_EVENT(0xa3, 0x0c, 0x04, "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_EVENT(0xc0, 0x01, 0x02, "INST_RETIRED.PREC_DIST", .flags = UARCH_PEBS_ONLY),
};

static const struct uarch_cache cache[] = {
	/* MEM_UOPS_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x08, 0x81)),
};

static const struct uarch_extra ivybridgex_extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x3fffff8fff, 0xbb, 0x01, 0x3fffff8fff, false),
};

static const struct uarch_cache ivybridgex_cache[] = {UARCH_SANDYBRIDGE_OFFCORE_CACHES};

static const struct uarch_erratum errata[] = {
	UARCH_FORBIDS(0xd0, 0xfc,
		      "BV98: Performance Monitor Counters May Produce Incorrect Results",
		      UARCH_LINUX_RC(3, 10, 1), UARCH_LINUX_RC(4, 1, 1)),
	UARCH_HT_LEAK("BV98: Performance Monitor Counters May Produce Incorrect Results"),
};

const struct uarch uarch_ivybridge = {
	.name = "ivybridge",
	.aliases = "ivb",
	.pfm = "ivb",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3a, .last = 0x3a}},
	.like = &uarch_sandybridge,
	.generic = {[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = UARCH_NONE},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_ERRATA(errata),
	.precise = &uarch_precise_ivybridge,
};

const struct uarch uarch_ivybridgex = {
	.name = "ivybridgex",
	.aliases = "ivbx ivb_ep ivytown ivt",
	.pfm = "ivb_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3e, .last = 0x3e}},
	.like = &uarch_ivybridge,
	UARCH_CACHES(ivybridgex_cache),
	UARCH_EXTRAS(ivybridgex_extras),
	UARCH_ERRATA(errata),
};
