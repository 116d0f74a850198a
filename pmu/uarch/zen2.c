// SPDX-License-Identifier: BSD-2-Clause
/*
 * zen2.c - Zen 2: as Zen 1, but for the events of stalled cycles. Source: the PPRs of family 17h,
 * models 30h and up, "Core Performance Monitor Counters".
 */
#include "pmu/uarch/rows.h"

const struct uarch uarch_zen2 = {
	.name = "zen2",
	.aliases = "znver2 amdzen2 rome",
	.pfm = "amd64_fam17h_zen2",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x17, .first = 0x30, .last = 0xff}},
	.like = &uarch_zen1,
	.generic =
		{
			[PERF_COUNT_HW_STALLED_CYCLES_FRONTEND] = UARCH_AMD_SELECT(0x0a9, 0x00),
			[PERF_COUNT_HW_STALLED_CYCLES_BACKEND] = UARCH_NONE,
		},
};
