// SPDX-License-Identifier: BSD-2-Clause
/*
 * darkmont.c - Darkmont: the small cores of Panther Lake, and Clearwater Forest. They are as
 * Skymont, but loads with a latency may use any counter. Source: Intel's event files
 * `pantherlake_darkmont` and `clearwaterforest`, column Counter.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT_EVENT(0xd0, 0x05, "MEM_UOPS_RETIRED.LOAD_LATENCY"),
};

const struct uarch uarch_darkmont = {
	.name = "darkmont",
	.aliases = "ptl_e ptl-e pantherlake_e pantherlake_darkmont",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xcc, .last = 0xcc, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xd5, .last = 0xd5, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xe5, .last = 0xe5, .core = UARCH_ATOM}},
	.like = &uarch_skymont,
	UARCH_CONSTRAINTS(constraints),
};

const struct uarch uarch_clearwaterforest = {
	.name = "clearwaterforest",
	.aliases = "cwf",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xdd, .last = 0xdd}},
	.like = &uarch_darkmont,
};
