// SPDX-License-Identifier: BSD-2-Clause
/*
 * cougarcove.c - Cougar Cove: the large cores of Panther Lake, as Lion Cove. Source: Intel's event
 * file `pantherlake_cougarcove`, column Counter.
 */
#include "pmu/uarch/intel.h"

const struct uarch uarch_cougarcove = {
	.name = "cougarcove",
	.aliases = "ptl pantherlake ptl_p ptl-p pantherlake_p pantherlake_cougarcove",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xcc, .last = 0xcc, .core = UARCH_CORE},
		   {.family = 6, .first = 0xd5, .last = 0xd5, .core = UARCH_CORE},
		   {.family = 6, .first = 0xe5, .last = 0xe5, .core = UARCH_CORE}},
	.like = &uarch_lioncove,
};
