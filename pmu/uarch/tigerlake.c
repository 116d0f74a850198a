// SPDX-License-Identifier: BSD-2-Clause
/*
 * tigerlake.c - Tiger Lake (Willow Cove). Source: Intel's event file `tigerlake`, column Counter;
 * the same with hyper-threading off.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT(UARCH_IN_TXCP, UARCH_IN_TXCP, "events with IN_TXCP"),
	UARCH_NOT_EVENT(0xa3, 0x02, "CYCLE_ACTIVITY.CYCLES_L3_MISS"),
	UARCH_NOT_EVENTS(0xd3, "MEM_LOAD_L3_MISS_RETIRED"),
	UARCH_NOT_EVENTS(0xef, "CORE_SNOOP_RESPONSE"),
	UARCH_EVENTS(0x63, UARCH_LOW4, "LOCK_CYCLES.CACHE_LOCK_DURATION"),
};

const struct uarch uarch_tigerlake = {
	.name = "tigerlake",
	.aliases = "tgl",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x8c, .last = 0x8d}},
	.like = &uarch_icelake,
	UARCH_CONSTRAINTS(constraints),
};
