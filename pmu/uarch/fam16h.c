// SPDX-License-Identifier: BSD-2-Clause
/*
 * fam16h.c - Family 16h (Jaguar, Puma). Any of the four core counters counts any core event. The
 * northbridge has its own counters, so its events have no counter of the core. Source: the BKDG of
 * family 16h, "Core Performance Monitor Counters". The events of stalled cycles and of the L2 are
 * those of Linux: the codes 0x7d, 0x7e, 0xd0 and 0xd1 of older families, which the BKDG does not
 * list.
 */
#include "pmu/uarch/rows.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(0xe0, 0xe0, 0, "northbridge events", UARCH_BKDG),
};

static const struct uarch_cache cache[] = {
	/* data prefetches attempted */
	UARCH_CACHE(L1D, PREFETCH, UARCH_AMD_SELECT(0x067, 0x02), 0),
	UARCH_NO_CACHE(LL, WRITE),
	UARCH_NO_CACHE(NODE, READ),
};

const struct uarch uarch_fam16h = {
	.name = "fam16h",
	.aliases = "jaguar puma amdfam16h",
	.pfm = "amd64_fam16h",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x16, .first = 0x00, .last = 0xff}},
	.like = &uarch_fam10h,
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
};
