// SPDX-License-Identifier: BSD-2-Clause
/*
 * zen5.c - Zen 5: as Zen 4. Source: the PPRs of family 1Ah, "Core Performance Monitor Counters".
 */
#include "pmu/uarch/rows.h"

const struct uarch uarch_zen5 = {
	.name = "zen5",
	.aliases = "znver5 amdzen5 turin",
	.pfm = "",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x1a, .first = 0x00, .last = 0x4f},
		   {.family = 0x1a, .first = 0x60, .last = 0x7f}},
	.like = &uarch_zen4,
};
