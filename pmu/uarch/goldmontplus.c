// SPDX-License-Identifier: BSD-2-Clause
/*
 * goldmontplus.c - Goldmont Plus: as Goldmont, but any counter also counts precise events. Source:
 * Intel's event file `goldmontplus`.
 */
#include "pmu/uarch/intel.h"

const struct uarch uarch_goldmontplus = {
	.name = "goldmontplus",
	.aliases = "glp geminilake",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x7a, .last = 0x7a}},
	.like = &uarch_goldmont,
	.pebs = UARCH_EVERY,
};
