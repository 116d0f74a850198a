// SPDX-License-Identifier: BSD-2-Clause
/*
 * zen3.c - Zen 3: as Zen 2, without events of the instruction cache. Source: the PPRs of family
 * 19h, "Core Performance Monitor Counters".
 */
#include "pmu/uarch/rows.h"

static const struct uarch_cache cache[] = {
	UARCH_NO_CACHE(L1I, READ),
};

const struct uarch uarch_zen3 = {
	.name = "zen3",
	.aliases = "znver3 amdzen3 milan kvm_amd kvm-amd",
	.pfm = "amd64_fam19h_zen3",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x19, .first = 0x00, .last = 0x0f},
		   {.family = 0x19, .first = 0x20, .last = 0x5f}},
	.like = &uarch_zen2,
	UARCH_CACHES(cache),
};
