// SPDX-License-Identifier: BSD-2-Clause
/*
 * zen4.c - Zen 4: as Zen 3, with an event for reference cycles. Source: the PPRs of family 19h,
 * "Core Performance Monitor Counters", event numbers PMCx...
 */
#include "arch/x86/msr.h"
#include "pmu/uarch/rows.h"

/* PPR of family 19h, "LbrExtV2": branch records need the register, no event does. */
static const struct uarch_extra extras[] = {
	{
		.match = 1,
		.valid = 0x1ff,
		.msr = MSR_AMD_LBR_SELECT,
		.reg = UARCH_LBR_SELECT,
		.source = UARCH_PPR,
		.name = "branch records",
	},
};

const struct uarch uarch_zen4 = {
	.name = "zen4",
	.aliases = "znver4 amdzen4 genoa",
	.pfm = "amd64_fam19h_zen4",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x19, .first = 0x10, .last = 0x1f},
		   {.family = 0x19, .first = 0x60, .last = 0x7f},
		   {.family = 0x19, .first = 0xa0, .last = 0xaf}},
	.like = &uarch_zen3,
	.generic = {[PERF_COUNT_HW_REF_CPU_CYCLES] = UARCH_AMD_SELECT(0x120, 0x01)},
	UARCH_EXTRAS(extras),
};
