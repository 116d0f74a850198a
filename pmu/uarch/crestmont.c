// SPDX-License-Identifier: BSD-2-Clause
/*
 * crestmont.c - Crestmont: the small cores of Meteor Lake, the low-power cores of Arrow Lake H,
 * Sierra Forest and Grand Ridge. Source: Intel's event files `meteorlake_crestmont`,
 * `arrowlake_crestmont`, `sierraforest` and `grandridge`, column Counter. There is no
 * hyper-threading. REF_TSC_P counts the same as fixed counter 2. In Arrow Lake H the native model
 * of leaf 0x1A distinguishes them from Skymont.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_cache cache[] = {
	/* MEM_UOPS_RETIRED.ALL_LOADS, MEM_LOAD_UOPS_RETIRED.L1_MISS */
	UARCH_CACHE(L1D, READ, UARCH_SELECT(0xd0, 0x81), UARCH_SELECT(0xd1, 0x40)),
	/* ITLB_MISSES.STLB_HIT, ITLB_MISSES.WALK_COMPLETED */
	UARCH_CACHE(ITLB, READ, UARCH_SELECT(0x85, 0x20), UARCH_SELECT(0x85, 0x0e)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x800ff3ffffffffff, 0xb7, 0x02, 0xff3ffffffffff, false),
	UARCH_EXTRA(0x27, 0x01, UARCH_SNOOP_0, MSR_SNOOP_RSP_0, UINT64_MAX, 0, false,
		    "SNOOP_RESPONSE_0", UARCH_FIELD),
	UARCH_EXTRA(0x27, 0x02, UARCH_SNOOP_1, MSR_SNOOP_RSP_1, UINT64_MAX, 0, false,
		    "SNOOP_RESPONSE_1", UARCH_FIELD),
};

const struct uarch uarch_crestmont = {
	.name = "crestmont",
	.aliases = "mtl_e mtl-e meteorlake_e meteorlake_crestmont arrowlake_crestmont arl_lp "
		   "arl-lp cmt",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xaa, .last = 0xaa, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xac, .last = 0xac, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xb5, .last = 0xb5, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xc5, .last = 0xc5, .core = UARCH_ATOM, .native = 2}},
	.like = &uarch_gracemont,
	.sources = UARCH_SOURCES_CRESTMONT,
	.gp = 8,
	.gp_ht = 0,
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
};

const struct uarch uarch_sierraforest = {
	.name = "sierraforest",
	.aliases = "srf",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xaf, .last = 0xaf}},
	.like = &uarch_crestmont,
};

const struct uarch uarch_grandridge = {
	.name = "grandridge",
	.aliases = "grr",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xb6, .last = 0xb6}},
	.like = &uarch_crestmont,
};
