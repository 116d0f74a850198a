// SPDX-License-Identifier: BSD-2-Clause
/*
 * gracemont.c - Gracemont: the small cores of Alder and Raptor Lake, and Alder Lake N. Source:
 * Intel's event file `alderlake_gracemont`, column Counter. There is no hyper-threading. REF_TSC_P
 * counts the same as fixed counter 2.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_EVENT(0xd0, 0x05, 0x03, "MEM_UOPS_RETIRED.LOAD_LATENCY"),
};

static const struct uarch_cache cache[] = {
	/* none, ITLB_MISSES.WALK_COMPLETED */
	UARCH_CACHE(ITLB, READ, 0, UARCH_SELECT(0x85, 0x0e)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0xc03fffffffff, 0xb7, 0x02, 0xc03fffffffff, false),
	UARCH_LATENCY(0xd0, 0x05, "MEM_UOPS_RETIRED.LOAD_LATENCY", false),
	UARCH_BRANCHES(MSR_IA32_LBR_CTL, ARCH_LBR_BITS, false),
};

const struct uarch uarch_gracemont = {
	.name = "gracemont",
	.aliases = "adl_e adl-e alderlake_e rpl_e rpl-e adl_n adl-n alderlake_gracemont grt",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x97, .last = 0x97, .core = UARCH_ATOM},
		   {.family = 6, .first = 0x9a, .last = 0x9a, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xb7, .last = 0xb7, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xba, .last = 0xba, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xbe, .last = 0xbe},
		   {.family = 6, .first = 0xbf, .last = 0xbf, .core = UARCH_ATOM}},
	.like = &uarch_tremont,
	.gp = 6,
	.gp_ht = 0,
	.latency_parts = true,
	.memory = uarch_memory_gracemont,
	.sources = UARCH_SOURCES_GRACEMONT,
	.mid_ack = true,
	UARCH_SETTINGS(uarch_setting_no_shadow),
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
};
