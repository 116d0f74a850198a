// SPDX-License-Identifier: BSD-2-Clause
/*
 * knightslanding.c - Knights Landing and Knights Mill: four threads per core, with two counters of
 * 40 bits each. Source: Intel's event file `knightslanding`: any counter counts any event, but only
 * counter 0 counts precise events. The file uses bits 3, 4, 8 and 11 of the off-core registers,
 * which Linux masks.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT(UARCH_SELECT(0x3c, 0x01), UARCH_EXACT, "CPU_CLK_UNHALTED.REF_P"),
};

static const struct uarch_cache cache[] = {
	/* OFFCORE_RESPONSE_0: any response of L2, beyond L2 */
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10002, 0x3981f80002),
	UARCH_CACHE_OFFCORE(LL, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x10030, 0x3981f80030),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0x799ffbbfff, 0xb7, 0x02, 0x399ffbffff, false),
};

const struct uarch uarch_knightslanding = {
	.name = "knightslanding",
	.aliases = "knl knm knightsmill",
	.pfm = "knl",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x57, .last = 0x57},
		   {.family = 6, .first = 0x85, .last = 0x85}},
	.like = &uarch_silvermont,
	.gp = 2,
	.gp_ht = 2,
	UARCH_CACHES(cache),
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
	.lbr = {.depth = 8, .mispredicts = true, .from = MSR_LBR_FROM0, .to = MSR_LBR_TO0},
};
