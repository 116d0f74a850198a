/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - how rows of events are written: code, unit mask, counters that can count it, what it
 * counts (meanings.h). Those of Intel's cores are made by scripts/event-rows; AMD's are in
 * events/amd.c.
 *
 * Which counters can count an event is fact, from Intel's published event files and AMD's manuals.
 * An event without a row never increments.
 */
#ifndef VPMU_MODEL_ROWS_H
#define VPMU_MODEL_ROWS_H

#include "vpmu/model/model.h"

#define ALL  0xffff /* every general counter that there is */
#define LOW4 0x0f

#define VPMU_EVENT(c, u, on, what) \
	.code = (c), .umask = (u), .counters = (on), .counts = VPMU_COUNTS_##what
#define VPMU_ROW(c, u, on, what)            \
	{                                   \
		VPMU_EVENT(c, u, on, what), \
	}
/* Counts what a register selects. */
#define VPMU_KIND(c, u, on, reg, what)                                 \
	{                                                              \
		VPMU_EVENT(c, u, on, what), .kinds = VPMU_KINDS_##reg, \
	}
/* The name has a counter mask, and perhaps INV; the name has EDGE, too. */
#define VPMU_MASK(c, u, mask, invert, on, what)                               \
	{                                                                     \
		VPMU_EVENT(c, u, on, what), .cmask = (mask), .inv = (invert), \
	}
#define VPMU_EDGE(c, u, mask, invert, on, what)                                             \
	{                                                                                   \
		VPMU_EVENT(c, u, on, what), .cmask = (mask), .inv = (invert), .edge = true, \
	}
/* On AMD: "Large Increment per Cycle Events", which take an even counter. */
#define VPMU_LARGE(c, u, what)                               \
	{                                                    \
		VPMU_EVENT(c, u, 0x15, what), .large = true, \
	}

/*
 * SDM vol. 3, "Pre-defined Architectural Performance Events", without top-down slots. The clock of
 * unhalted reference cycles is the core's: VPMU_ARCHITECTURAL has CPU_CLK_UNHALTED.REF_XCLK, a slow
 * one, and VPMU_ARCHITECTURAL_TSC has CPU_CLK_UNHALTED.REF_TSC_P.
 */
#define VPMU_ARCHITECTURAL     VPMU_ARCHITECTURAL_BY(BUS_CYCLES)
#define VPMU_ARCHITECTURAL_TSC VPMU_ARCHITECTURAL_BY(REFERENCE)
#define VPMU_ARCHITECTURAL_BY(reference)                                                      \
	VPMU_ROW(0x3c, 0x00, ALL, ALL_CYCLES),             /* CPU_CLK_UNHALTED.THREAD_P */    \
		VPMU_ROW(0xc0, 0x00, ALL, INSTRUCTIONS),   /* INST_RETIRED.ANY_P */           \
		VPMU_ROW(0x3c, 0x01, ALL, reference),      /* unhalted reference cycles */    \
		VPMU_ROW(0x2e, 0x4f, ALL, LLC_ALL),        /* LONGEST_LAT_CACHE.REFERENCE */  \
		VPMU_ROW(0x2e, 0x41, ALL, LLC_ALL_MISSES), /* LONGEST_LAT_CACHE.MISS */       \
		VPMU_ROW(0xc4, 0x00, ALL, BRANCHES),       /* BR_INST_RETIRED.ALL_BRANCHES */ \
		VPMU_ROW(0xc5, 0x00, ALL, MISPREDICTS)     /* BR_MISP_RETIRED.ALL_BRANCHES */

#define VPMU_TABLE(table, list)                                                                \
	{                                                                                      \
		.rows = (table), .nrows = sizeof(table) / sizeof(*(table)), .precise = (list), \
		.nprecise = sizeof(list) / sizeof(*(list)),                                    \
	}

#endif
