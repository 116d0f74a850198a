// SPDX-License-Identifier: BSD-2-Clause
/*
 * westmere.c - Westmere, client, server, and the EX line. The event file of the EX line has
 * Nehalem's one off-core register and its constraint. Source: Intel's event files `westmereep-sp`,
 * `westmereep-dp`, `westmereex`. Two threads of a core share the off-core response, load latency
 * and LBR select registers.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT_EVENTS(0x40, "L1D_CACHE_LD"),
	UARCH_NOT_EVENTS(0x41, "L1D_CACHE_ST"),
	UARCH_NOT_EVENTS(0x42, "L1D_CACHE_LOCK"),
	UARCH_NOT_EVENTS(0x43, "L1D_ALL_REF"),
	UARCH_NOT_EVENTS(0x53, "L1D_CACHE_LOCK_FB_HIT"),
	UARCH_NOT_EVENTS(0xb7, "OFFCORE_RESPONSE_0"),
	UARCH_EVENTS(0x60, 0x01, "OFFCORE_REQUESTS_OUTSTANDING"),
	UARCH_EVENTS(0xb3, 0x01, "SNOOPQ_REQUESTS_OUTSTANDING"),
};

static const struct uarch_cache cache[] = {
	/* BR_INST_RETIRED.ALL_BRANCHES, BR_MISP_RETIRED.ALL_BRANCHES */
	UARCH_CACHE(BPU, READ, UARCH_SELECT(0xc4, 0x04), UARCH_SELECT(0xc5, 0x04)),
};

static const struct uarch_extra extras[] = {
	UARCH_OFFCORE_PAIR(0xb7, 0x01, 0xffff, 0xbb, 0x01, 0xffff, true),
};

static const struct uarch_constraint westmereex_constraints[] = {
	UARCH_EVENTS(0xb7, 0x04, "OFFCORE_RESPONSE_0"),
};

static const struct uarch_extra westmereex_extras[] = {
	UARCH_OFFCORE(0xb7, 0x01, 0xffff, true),
	UARCH_NO_EXTRA(0xbb, 0x01),
};

/* Nehalem's least period holds for Nehalem only. */
static const struct uarch_setting settings[] = {UARCH_NO_SETTING};

const struct uarch uarch_westmere = {
	.name = "westmere",
	.aliases = "wsm wsm_dp westmereep-sp westmereep-dp",
	.pfm = "wsm_dp",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x25, .last = 0x25},
		   {.family = 6, .first = 0x2c, .last = 0x2c}},
	.like = &uarch_nehalem,
	UARCH_SETTINGS(settings),
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
	UARCH_EXTRAS(extras),
	.precise = &uarch_precise_westmere,
};

const struct uarch uarch_westmereex = {
	.name = "westmereex",
	.aliases = "wsm_ex wsmex",
	.pfm = "wsm",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x2f, .last = 0x2f}},
	.like = &uarch_westmere,
	UARCH_CONSTRAINTS(westmereex_constraints),
	UARCH_EXTRAS(westmereex_extras),
	.precise = &uarch_precise_westmereex,
};
