// SPDX-License-Identifier: BSD-2-Clause
/*
 * nehalem.c - Nehalem, client and server, with the server of the EX line. Source: Intel's event
 * files `nehalemep` and `nehalemex`. Two threads of a core share the off-core response, load
 * latency and LBR select registers. The files allow OFFCORE_RESPONSE on counter 2 only, where Linux
 * uses any counter: the table follows the files.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_EVENT(0x0b, 0x10, 0x08, "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD"),
	UARCH_EVENTS(0x40, 0x03, "L1D_CACHE_LD"),
	UARCH_EVENTS(0x41, 0x03, "L1D_CACHE_ST"),
	UARCH_EVENTS(0x42, 0x03, "L1D_CACHE_LOCK"),
	UARCH_EVENTS(0x43, 0x03, "L1D_ALL_REF"),
	UARCH_EVENTS(0x4c, 0x03, "LOAD_HIT_PRE"),
	UARCH_EVENTS(0x4e, 0x03, "L1D_PREFETCH"),
	UARCH_EVENTS(0x51, 0x03, "L1D"),
	UARCH_EVENTS(0x52, 0x03, "L1D_CACHE_PREFETCH_LOCK_FB_HIT"),
	UARCH_EVENTS(0x53, 0x03, "L1D_CACHE_LOCK_FB_HIT"),
	UARCH_EVENTS(0x63, 0x03, "CACHE_LOCK_CYCLES"),
	UARCH_EVENTS(0xb7, 0x04, "OFFCORE_RESPONSE_0"),
};

static const struct uarch_cache cache[] = {
	/* MEM_INST_RETIRED.LOADS, L1D.REPL */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0x0b, 0x01), UARCH_SELECT(0x51, 0x01)),
	/* MEM_INST_RETIRED.STORES */
	UARCH_CACHE(L1D, WRITE, UARCH_SELECT(0x0b, 0x02), 0),
	/* L1I.READS, L1I.MISSES */
	UARCH_CACHE(L1I, READ, UARCH_SELECT(0x80, 0x03), UARCH_SELECT(0x80, 0x02)),
	/* OFFCORE_RESPONSE_0: all suppliers, all beyond the last level; memory and remote caches,
	   remote */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0xf701, 0xf001),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0xf70a, 0xf00a),
	UARCH_CACHE_OFFCORE(LL, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0xf730, 0xf030),
	UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0xb7, 0x01), 0x7001, 0x2001),
	UARCH_CACHE_OFFCORE(NODE, WRITE, UARCH_SELECT(0xb7, 0x01), 0x700a, 0x200a),
	UARCH_CACHE_OFFCORE(NODE, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x7030, 0x2030),
	/* MEM_INST_RETIRED.LOADS, DTLB_LOAD_MISSES.WALK_COMPLETED */
	UARCH_CACHE(DTLB, READ, UARCH_SELECT(0x0b, 0x01), UARCH_SELECT(0x08, 0x02)),
	/* MEM_INST_RETIRED.STORES */
	UARCH_CACHE(DTLB, WRITE, UARCH_SELECT(0x0b, 0x02), 0),
	/* none, ITLB_MISSES.WALK_COMPLETED */
	UARCH_CACHE(ITLB, READ, 0, UARCH_SELECT(0x85, 0x02)),
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x04), UARCH_SELECT(0xc5, 0x00)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE(0xb7, 0x01, 0xffff, true),
	UARCH_LATENCY(0x0b, 0x10, "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD", true),
	UARCH_BRANCHES(MSR_LBR_SELECT, 0x1ff, true),
};

/* Linux, since 5.4: with shorter periods its handler makes no progress. */
static const struct uarch_setting settings[] = {UARCH_SETTING(0, 0, 0, 32, 1, "short periods")};

const struct uarch uarch_nehalem = {
	.name = "nehalem",
	.aliases = "nhm nehalemep",
	.pfm = "nhm",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x1a, .last = 0x1a},
		   {.family = 6, .first = 0x1e, .last = 0x1f}},
	.gp = 4,
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
				UARCH_SELECT(0xb1, 0x3f) | EVTSEL_INV | UARCH_CMASK(1),
		},
	UARCH_SETTINGS(settings),
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	UARCH_LBR(16),
	.precise = &uarch_precise_nehalem,
};

const struct uarch uarch_nehalemex = {
	.name = "nehalemex",
	.aliases = "nhm_ex nhmex",
	.pfm = "nhm_ex",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x2e, .last = 0x2e}},
	.like = &uarch_nehalem,
	.precise = &uarch_precise_nehalemex,
};
