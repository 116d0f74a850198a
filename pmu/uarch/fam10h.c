// SPDX-License-Identifier: BSD-2-Clause
/*
 * fam10h.c - Family 10h (Barcelona to Istanbul), and families 11h, 12h and 14h, which have the same
 * PMU. Any of the four counters counts any event. But the northbridge is shared: each counter may
 * count its events on one core of the node at a time. Source: the BKDG of family 10h, "Performance
 * Counter Events".
 */
#include "pmu/uarch/rows.h"

static const struct uarch_cache cache[] = {
	/* data cache accesses, misses */
	UARCH_CACHE(L1D, READ, UARCH_AMD_SELECT(0x040, 0x00), UARCH_AMD_SELECT(0x041, 0x01)),
	/* data cache accesses, misses of both levels of TLB */
	UARCH_CACHE(DTLB, READ, UARCH_AMD_SELECT(0x040, 0x00), UARCH_AMD_SELECT(0x046, 0x07)),
	/* instruction cache fetches, misses of both levels of TLB */
	UARCH_CACHE(ITLB, READ, UARCH_AMD_SELECT(0x080, 0x00), UARCH_AMD_SELECT(0x085, 0x03)),
};

const struct uarch uarch_fam10h = {
	.name = "fam10h",
	.aliases = "barcelona shanghai istanbul amdfam10h fam11h fam12h llano fam14h bobcat",
	.pfm = "amd64_fam10h_istanbul",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x10, .first = 0x00, .last = 0xff},
		   {.family = 0x11, .first = 0x00, .last = 0xff},
		   {.family = 0x12, .first = 0x00, .last = 0xff},
		   {.family = 0x14, .first = 0x00, .last = 0xff}},
	.like = &uarch_k8,
	UARCH_CACHES(cache),
};
