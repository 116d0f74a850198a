// SPDX-License-Identifier: BSD-2-Clause
/*
 * redwoodcove.c - Redwood Cove: the large cores of Meteor Lake, and Granite Rapids. Source: Intel's
 * event files `meteorlake_redwoodcove` and `graniterapids`, column Counter; the same with
 * hyper-threading off. REF_TSC_P counts the same as fixed counter 2.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT(UARCH_IN_TXCP, UARCH_IN_TXCP, "events with IN_TXCP"),
	UARCH_EVENT(0xa3, 0x02, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_L3_MISS"),
};

static const struct uarch_extra extras[] = {
	UARCH_FRONT(0xc6, 0x02, 0x9, "FRONTEND_RETIRED"),
	UARCH_FRONT(0xc6, 0x03, 0x7fff1f, "FRONTEND_RETIRED"),
	UARCH_NO_EXTRA(0xc6, 0x01),
};

const struct uarch uarch_redwoodcove = {
	.name = "redwoodcove",
	.aliases = "mtl meteorlake mtl_p mtl-p meteorlake_p meteorlake_redwoodcove rwc",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xaa, .last = 0xaa, .core = UARCH_CORE},
		   {.family = 6, .first = 0xac, .last = 0xac, .core = UARCH_CORE},
		   {.family = 6, .first = 0xb5, .last = 0xb5, .core = UARCH_CORE}},
	.like = &uarch_goldencove,
	.memory = uarch_memory_lioncove,
	.latency_aux = UARCH_NONE,
	UARCH_CONSTRAINTS(constraints),
	UARCH_EXTRAS(extras),
};

const struct uarch uarch_graniterapids = {
	.name = "graniterapids",
	.aliases = "gnr",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xad, .last = 0xae}},
	.like = &uarch_redwoodcove,
	.sources = UARCH_SOURCES_SAPPHIRERAPIDS,
};
