// SPDX-License-Identifier: BSD-2-Clause
/*
 * skylake.c - Skylake client and server, and the CPUs that have the same core: Kaby, Coffee, Comet
 * and Cascade Lake. Source: Intel's event files `skylake`, `skylakex` and `cascadelakex`, columns
 * Counter and CounterHTOff. Linux constrains none of 0xd3, 0xd4, 0xb7 and 0xbb: the table follows
 * the files. INST_RETIRED.PREC_DIST counts on counter 1. The same event with CMASK=10 and INV is
 * TOTAL_CYCLES_PS, which does not count there. Transactions take counter 3 where CPUID shows
 * TSX_FORCE_ABORT and the register does not forbid them.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_IN_TXCP, UARCH_IN_TXCP, 0x04, "events with IN_TXCP", UARCH_SDM),
	UARCH_EVENT(0xa3, 0x14, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
	UARCH_EVENTS(0xb7, UARCH_LOW4, "OFFCORE_RESPONSE_0"),
	UARCH_EVENTS(0xbb, UARCH_LOW4, "OFFCORE_RESPONSE_1"),
	UARCH_ROW(UARCH_SELECT(0xc0, 0x01), UARCH_FULL, 0x02, "INST_RETIRED.PREC_DIST",
		  UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xc0, 0x01) | UARCH_CMASK(10) | EVTSEL_INV, UARCH_FULL, 0x0d,
		  "INST_RETIRED.TOTAL_CYCLES_PS", UARCH_PERFMON),
	UARCH_EVENT(0xc4, 0x04, UARCH_LOW4, "BR_INST_RETIRED.ALL_BRANCHES_PEBS"),
	UARCH_EVENT(0xc5, 0x04, UARCH_LOW4, "BR_MISP_RETIRED.ALL_BRANCHES_PEBS"),
	UARCH_EVENTS(0xc6, UARCH_LOW4, "FRONTEND_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xcd, UARCH_LOW4, "MEM_TRANS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd0, UARCH_LOW4, "MEM_INST_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd1, UARCH_LOW4, "MEM_LOAD_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_L3_HIT_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd3, UARCH_LOW4, "MEM_LOAD_L3_MISS_RETIRED"),
	UARCH_EVENTS(0xd4, UARCH_LOW4, "MEM_LOAD_MISC_RETIRED.UC"),
};

static const struct uarch_cache cache[] = {
	/* MEM_INST_RETIRED.ALL_LOADS, L1D.REPLACEMENT */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x51, 0x01)),
	/* MEM_INST_RETIRED.ALL_STORES */
	UARCH_CACHE(L1D, WRITE, UARCH_SELECT(0xd0, 0x82), 0),
	/* none, ICACHE_64B.IFTAG_MISS */
	UARCH_CACHE(L1I, READ, 0, UARCH_SELECT(0x83, 0x02)),
	UARCH_SKYLAKE_OFFCORE_CACHES,
	/* MEM_INST_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x08, 0x0e)),
	/* MEM_INST_RETIRED.ALL_STORES, DTLB_STORE_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0xd0, 0x82), UARCH_SELECT(0x49, 0x0e)),
	/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.WALK_COMPLETED */
	UARCH_CACHE(ITLB, READ, UARCH_SELECT(0x85, 0x20), UARCH_SELECT(0x85, 0x0e)),
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc5, 0x00)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x3fffff8fff, 0xbb, 0x01, 0x3fffff8fff, false),
	UARCH_LATENCY(0xcd, 0x01, "MEM_TRANS_RETIRED.LOAD_LATENCY", false),
	UARCH_FRONT(0xc6, 0x01, 0x7fff17, "FRONTEND_RETIRED"),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x3ff, false),
};

static const struct uarch_erratum errata[] = {
	UARCH_TSX_COUNTER(
		"Performance Monitoring General Purpose Counter 3 May Contain Unexpected Values"),
};

const struct uarch uarch_skylake = {
	.name = "skylake",
	.aliases = "skl kbl cfl cml kabylake coffeelake cometlake",
	.pfm = "skl",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x4e, .last = 0x4e},
		   {.family = 6, .first = 0x5e, .last = 0x5e},
		   {.family = 6, .first = 0x8e, .last = 0x8e},
		   {.family = 6, .first = 0x9e, .last = 0x9e},
		   {.family = 6, .first = 0xa5, .last = 0xa6}},
	.gp = 8,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_LOW4,
	.memory = uarch_memory_haswell,
	.sources = UARCH_SOURCES_SKYLAKE,
	.precise = &uarch_precise_skylake,
	.generic = {UARCH_INTEL_ARCHITECTURAL},
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	UARCH_ERRATA(errata),
	UARCH_LBR(32),
};

const struct uarch uarch_skylakex = {
	.name = "skylakex",
	.aliases = "skx kvm_intel kvm-intel",
	.pfm = "skx",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x55, .last = 0x55, .stepping = 0, .steppings = 5}},
	.like = &uarch_skylake,
	.sources = UARCH_SOURCES_SKYLAKEX,
	.precise = &uarch_precise_skylakex,
	UARCH_ERRATA(errata),
};

const struct uarch uarch_cascadelakex = {
	.name = "cascadelakex",
	.aliases = "clx cpx",
	.pfm = "clx",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x55, .last = 0x55, .stepping = 5, .steppings = 11}},
	.like = &uarch_skylakex,
	.precise = &uarch_precise_cascadelakex,
	UARCH_ERRATA(errata),
};
