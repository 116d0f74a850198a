// SPDX-License-Identifier: BSD-2-Clause
/*
 * fam15h.c - Family 15h (Bulldozer to Excavator): six counters, and classes of events that only
 * some of them count: 0, 2:0, 3, 3 and 0, 5:0 or 5:3. The pair of 3 and 0 overlaps the others, as
 * it is no subset of 2:0 or of 5:3. So giving it counter 0 first may take the counter that an event
 * of 2:0 needs. Source: the BKDG of family 15h, "Core Performance Monitor Counters", each event's
 * line PERF_CTL[...]. The northbridge has its own counters. An event without a row counts on all
 * six. A name with a number in it is a code that no public list of events has: its row is from
 * Linux.
 */
#include "pmu/uarch/rows.h"

/* The counters of a class, as the BKDG names them. */
#define PMC0  0x01
#define PMC20 0x07
#define PMC3  0x08
#define PMC30 0x09
#define PMC50 0x3f
#define PMC53 0x38
#define NONE  0x00

#define EVENT(code, counters, name, ...)                                                 \
	UARCH_ROW(UARCH_AMD_SELECT(code, 0), UARCH_AMD_CODE, counters, name, UARCH_BKDG, \
		  __VA_ARGS__)
#define UNNAMED(code, counters, name, ...)                                                \
	UARCH_ROW(UARCH_AMD_SELECT(code, 0), UARCH_AMD_CODE, counters, name, UARCH_FIELD, \
		  __VA_ARGS__)
#define UNIT(code, umask, counters, name)                                                       \
	UARCH_ROW(UARCH_AMD_SELECT(code, umask), UARCH_AMD_CODE | EVTSEL_UMASK, counters, name, \
		  UARCH_BKDG)
/* At most one bit of the unit mask. */
#define ONE_UNIT(code, counters, name)                                              \
	UNIT(code, 0x00, counters, name), UNIT(code, 0x01, counters, name),         \
		UNIT(code, 0x02, counters, name), UNIT(code, 0x04, counters, name), \
		UNIT(code, 0x08, counters, name), UNIT(code, 0x10, counters, name), \
		UNIT(code, 0x20, counters, name), UNIT(code, 0x40, counters, name), \
		UNIT(code, 0x80, counters, name)
/* Sixteen codes, whatever the upper four bits are. */
#define CLASS(code, counters, name) UARCH_ROW(code, 0xf0, counters, name, UARCH_BKDG)

static const struct uarch_constraint constraints[] = {
	/* Floating point, 0x00 to 0x1f: an event for all pipes of one kind counts on 5:3. */
	UARCH_ROW(0x000, UARCH_AMD_CODE | 0xf000, PMC53, "FPU Pipe Assignment, one kind",
		  UARCH_BKDG),
	UARCH_ROW(0x000, UARCH_AMD_CODE | 0x0f00, PMC53, "FPU Pipe Assignment, one kind",
		  UARCH_BKDG),
	EVENT(0x000, PMC3, "FPU Pipe Assignment"),
	EVENT(0x003, PMC3, "Retired SSE/AVX Operations"),
	ONE_UNIT(0x004, PMC53, "Number of Move Elimination and Scalar Op Optimization, one kind"),
	EVENT(0x004, PMC3, "Number of Move Elimination and Scalar Op Optimization"),
	UNNAMED(0x00b, PMC3, "floating point 0x00b"),
	UNNAMED(0x00d, PMC3, "floating point 0x00d"),
	CLASS(0x00, PMC53, "floating point"),
	CLASS(0x10, PMC53, "floating point"),
	/* Load, store and data cache, 0x20 to 0x5f. */
	EVENT(0x023, PMC20, "Load Queue/Store Queue Full"),
	UNNAMED(0x02d, PMC3, "load/store 0x02d"),
	UNNAMED(0x02e, PMC30, "load/store 0x02e", .flags = UARCH_OVERLAP),
	ONE_UNIT(0x031, PMC20, "load/store 0x031, one kind"),
	UNNAMED(0x031, NONE, "load/store 0x031"),
	EVENT(0x043, PMC20, "Data Cache Refills from Northbridge"),
	EVENT(0x045, PMC20, "Unified TLB Hit"),
	EVENT(0x046, PMC20, "Unified TLB Miss"),
	EVENT(0x054, PMC20, "DCACHE Misses by Locked Instructions"),
	UNNAMED(0x055, PMC20, "data cache 0x055"),
	/*
	 * The unit shared by two cores, instruction cache and decoder: 0x60 to 0x9f, 0xd0 to 0xdf.
	 */
	UNNAMED(0x08f, PMC0, "fetch 0x08f"),
	UNNAMED(0x187, PMC0, "fetch 0x187"),
	UNNAMED(0x188, PMC0, "fetch 0x188"),
	EVENT(0x0db, PMC50, "FPU Exceptions"),
	EVENT(0x0dc, PMC50, "DR0 Breakpoint Match"),
	EVENT(0x0dd, PMC50, "DR1 Breakpoint Match"),
	EVENT(0x0de, PMC50, "DR2 Breakpoint Match"),
	EVENT(0x0df, PMC50, "DR3 Breakpoint Match"),
	UNNAMED(0x1d6, PMC50, "decoder 0x1d6"),
	EVENT(0x1d8, PMC50, "Dispatch Stall for STQ Full"),
	CLASS(0x60, PMC20, "unit of two cores"),
	CLASS(0x70, PMC20, "unit of two cores"),
	CLASS(0x80, PMC20, "instruction cache"),
	CLASS(0x90, PMC20, "decoder"),
	CLASS(0xd0, PMC20, "decoder"),
	/* Execution, 0xc0 to 0xcf. */
	EVENT(0x1c0, PMC53, "Retired x87 Floating Point Operations"),
	/* Codes without an event, and the northbridge, which has its own counters. */
	CLASS(0xa0, NONE, "no event has such a code"),
	CLASS(0xb0, NONE, "no event has such a code"),
	UARCH_ROW(0xe0, 0xe0, NONE, "northbridge events", UARCH_BKDG),
};

static const struct uarch_cache cache[] = {
	/* data prefetches attempted */
	UARCH_CACHE(L1D, PREFETCH, UARCH_AMD_SELECT(0x067, 0x02), 0),
	UARCH_NO_CACHE(NODE, READ),
};

const struct uarch uarch_fam15h = {
	.name = "fam15h",
	.aliases = "bulldozer piledriver steamroller excavator interlagos amdfam15h",
	.pfm = "amd64_fam15h_interlagos",
	.vendor = CPU_VENDOR_AMD,
	.models = {{.family = 0x15, .first = 0x00, .last = 0xff}},
	.like = &uarch_fam10h,
	.gp = 6,
	.gp_ht = 0,
	UARCH_CONSTRAINTS(constraints),
	UARCH_CACHES(cache),
};
