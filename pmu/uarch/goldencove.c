// SPDX-License-Identifier: BSD-2-Clause
/*
 * goldencove.c - Golden Cove: the large cores of Alder and Raptor Lake, and Sapphire and Emerald
 * Rapids. Source: Intel's event files `alderlake_goldencove`, `sapphirerapids` and `emeraldrapids`,
 * column Counter; the same with hyper-threading off. REF_TSC_P counts the same as fixed counter 2.
 * The counters of codes below 0x90 that the files do not list are from Linux.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_IN_TXCP, UARCH_IN_TXCP, 0x04, "events with IN_TXCP", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0x3c, 0x01), UARCH_PLAIN, UARCH_FIXED(2) | UARCH_GENERAL,
		  "CPU_CLK_UNHALTED.REF_TSC_P", UARCH_SDM),
	UARCH_EVENTS(0x03, UARCH_LOW4, "LD_BLOCKS"),
	UARCH_EVENTS(0x11, UARCH_LOW4, "ITLB_MISSES"),
	UARCH_EVENTS(0x12, UARCH_LOW4, "DTLB_LOAD_MISSES"),
	UARCH_EVENTS(0x13, UARCH_LOW4, "DTLB_STORE_MISSES"),
	UARCH_EVENTS(0x20, UARCH_LOW4, "OFFCORE_REQUESTS_OUTSTANDING"),
	UARCH_EVENTS(0x21, UARCH_LOW4, "OFFCORE_REQUESTS"),
	UARCH_EVENTS(0x23, UARCH_LOW4, "L2_TRANS.L2_WB"),
	UARCH_EVENTS(0x24, UARCH_LOW4, "L2_RQSTS"),
	UARCH_EVENTS(0x25, UARCH_LOW4, "L2_LINES_IN.ALL"),
	UARCH_EVENTS(0x26, UARCH_LOW4, "L2_LINES_OUT"),
	UARCH_EVENTS(0x27, UARCH_LOW4, "CORE_SNOOP_RESPONSE"),
	UARCH_EVENTS(0x28, UARCH_LOW4, "CORE_POWER"),
	UARCH_EVENTS(0x2a, UARCH_LOW4, "OCR"),
	UARCH_EVENTS(0x2b, UARCH_LOW4, "OCR"),
	UARCH_EVENTS(0x2c, UARCH_LOW4, "SQ_MISC.BUS_LOCK"),
	UARCH_EVENTS(0x2d, UARCH_LOW4, "XQ.FULL_CYCLES"),
	UARCH_EVENTS(0x40, UARCH_LOW4, "SW_PREFETCH_ACCESS"),
	UARCH_EVENTS(0x42, UARCH_LOW4, "LOCK_CYCLES.CACHE_LOCK_DURATION"),
	UARCH_EVENTS(0x43, UARCH_LOW4, "MEM_LOAD_COMPLETED.L1_MISS_ANY"),
	UARCH_EVENTS(0x44, UARCH_LOW4, "MEM_STORE_RETIRED.L2_HIT"),
	UARCH_EVENTS(0x47, UARCH_LOW4, "MEMORY_ACTIVITY"),
	UARCH_EVENTS(0x48, UARCH_LOW4, "L1D_PEND_MISS"),
	UARCH_EVENTS(0x4c, UARCH_LOW4, "LOAD_HIT_PREFETCH.SWPF"),
	UARCH_EVENTS(0x51, UARCH_LOW4, "L1D"),
	UARCH_EVENTS(0x54, UARCH_LOW4, "TX_MEM"),
	UARCH_EVENTS(0x60, UARCH_LOW4, "BACLEARS.ANY"),
	UARCH_EVENTS(0x61, UARCH_LOW4, "DSB2MITE_SWITCHES.PENALTY_CYCLES"),
	UARCH_EVENTS(0x75, UARCH_LOW4, "INST_DECODED.DECODERS"),
	UARCH_EVENTS(0x76, UARCH_LOW4, "UOPS_DECODED.DEC0_UOPS"),
	UARCH_EVENTS(0x79, UARCH_LOW4, "IDQ"),
	UARCH_EVENTS(0x80, UARCH_LOW4, "ICACHE_DATA"),
	UARCH_EVENTS(0x83, UARCH_LOW4, "ICACHE_TAG"),
	UARCH_EVENTS(0x87, UARCH_LOW4, "DECODE"),
	UARCH_EVENT(0xa3, 0x01, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_L2_MISS"),
	UARCH_EVENT(0xa3, 0x05, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L2_MISS"),
	UARCH_EVENT(0xa3, 0x06, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L3_MISS"),
	UARCH_EVENT(0xa3, 0x08, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	UARCH_EVENT(0xa3, 0x0c, UARCH_LOW4, "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	UARCH_EVENT(0xa4, 0x04, 0x01, "TOPDOWN.BAD_SPEC_SLOTS"),
	UARCH_EVENT(0xa4, 0x08, 0x01, "TOPDOWN.BR_MISPREDICT_SLOTS"),
	UARCH_EVENT(0xcd, 0x01, 0xfe, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	UARCH_EVENT(0xcd, 0x02, 0x01, "MEM_TRANS_RETIRED.STORE_SAMPLE"),
	UARCH_EVENTS(0xd0, UARCH_LOW4, "MEM_INST_RETIRED"),
	UARCH_EVENTS(0xd1, UARCH_LOW4, "MEM_LOAD_RETIRED"),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_L3_HIT_RETIRED"),
	UARCH_EVENTS(0xd3, UARCH_LOW4, "MEM_LOAD_L3_MISS_RETIRED"),
	UARCH_EVENTS(0xd4, UARCH_LOW4, "MEM_LOAD_MISC_RETIRED.UC"),
	UARCH_EVENTS(0x2e, UARCH_GENERAL, "LONGEST_LAT_CACHE"),
	UARCH_EVENTS(0x3c, UARCH_GENERAL, "CPU_CLK_UNHALTED"),
	UARCH_ROW(0x00, 0x80, UARCH_LOW4, "codes below 0x80", UARCH_FIELD),
	UARCH_ROW(0x80, 0xf0, UARCH_LOW4, "codes 0x80 to 0x8f", UARCH_FIELD),
};

static const struct uarch_cache cache[] = {
	/* MEM_INST_RETIRED.ALL_LOADS, L2_RQSTS.ALL_DEMAND_DATA_RD */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x24, 0xe1)),
	/* MEM_INST_RETIRED.ALL_STORES */
	UARCH_CACHE(L1D, WRITE, UARCH_SELECT(0xd0, 0x82), 0),
	/* none, L2_RQSTS.ALL_CODE_RD */
	UARCH_CACHE(L1I, READ, 0, UARCH_SELECT(0x24, 0xe4)),
	UARCH_GOLDENCOVE_OFFCORE_CACHES,
	/* MEM_INST_RETIRED.ALL_LOADS, DTLB_LOAD_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0x12, 0x0e)),
	/* MEM_INST_RETIRED.ALL_STORES, DTLB_STORE_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0xd0, 0x82), UARCH_SELECT(0x13, 0x0e)),
	/* none, ITLB_MISSES.WALK_COMPLETED */
	UARCH_CACHE(ITLB, READ, 0, UARCH_SELECT(0x11, 0x0e)),
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x00), UARCH_SELECT(0xc5, 0x00)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0x2a, 0x01, 0x3fffffffff, 0x2b, 0x01, 0x3fffffffff, false),
	UARCH_LATENCY(0xcd, 0x01, "MEM_TRANS_RETIRED.LOAD_LATENCY", false),
	UARCH_FRONT(0xc6, 0x01, 0x7fff1f, "FRONTEND_RETIRED"),
	UARCH_FRONT(0xad, 0x40, 0x7, "INT_MISC.UNKNOWN_BRANCH_CYCLES"),
	UARCH_FRONT(0xc2, 0x04, 0x8, "UOPS_RETIRED.MS"),
	UARCH_BRANCHES(MSR_IA32_LBR_CTL, ARCH_LBR_BITS, false),
};

const struct uarch uarch_goldencove = {
	.name = "goldencove",
	.aliases = "adl alderlake rpl raptorlake adl_p adl-p alderlake_p rpl_p rpl-p "
		   "alderlake_goldencove glc",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x97, .last = 0x97, .core = UARCH_CORE},
		   {.family = 6, .first = 0x9a, .last = 0x9a, .core = UARCH_CORE},
		   {.family = 6, .first = 0xb7, .last = 0xb7, .core = UARCH_CORE},
		   {.family = 6, .first = 0xba, .last = 0xba, .core = UARCH_CORE},
		   {.family = 6, .first = 0xbf, .last = 0xbf, .core = UARCH_CORE}},
	.gp = 8,
	.gp_ht = 8,
	.fixed = 0x0f,
	.width = 48,
	.fixed_width = 48,
	.pebs = UARCH_EVERY,
	.generic = {UARCH_INTEL_ARCHITECTURAL},
	.metrics = 8,
	.latency_parts = true,
	.memory = uarch_memory_goldencove,
	.latency_aux = UARCH_LOADS_AUX,
	.sources = UARCH_SOURCES_GOLDENCOVE,
	UARCH_SETTINGS(uarch_setting_no_shadow),
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
};

const struct uarch uarch_sapphirerapids = {
	.name = "sapphirerapids",
	.aliases = "spr",
	.pfm = "spr",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x8f, .last = 0x8f}},
	.like = &uarch_goldencove,
	.sources = UARCH_SOURCES_SAPPHIRERAPIDS,
};

const struct uarch uarch_emeraldrapids = {
	.name = "emeraldrapids",
	.aliases = "emr",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xcf, .last = 0xcf}},
	.like = &uarch_sapphirerapids,
};
