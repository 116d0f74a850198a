/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event_rows.h - how the rows of event tables are written: code, unit mask, counters that can count
 * the event, its quantity (quantities.h). scripts/event-rows makes those of Intel's cores; AMD's
 * are in events_amd.c.
 *
 * Which counters can count an event is a fact, from Intel's published event files and AMD's
 * manuals. An event without a row never increments.
 */
#ifndef VPMU_MODEL_EVENTS_EVENT_ROWS_H
#define VPMU_MODEL_EVENTS_EVENT_ROWS_H

#include "vpmu/model/event_table.h"

#define ALL  0xffff /* every general counter that there is */
#define LOW4 0x0f

#define VPMU_EVENT(c, u, on, what) \
	.code = (c), .umask = (u), .counters = (on), .counts = VPMU_COUNTS_##what
#define VPMU_ROW(c, u, on, what)            \
	{                                   \
		VPMU_EVENT(c, u, on, what), \
	}
/* The event counts the kinds that a register selects. */
#define VPMU_KIND(c, u, on, reg, what)                                 \
	{                                                              \
		VPMU_EVENT(c, u, on, what), .kinds = VPMU_KINDS_##reg, \
	}
/* The event's name has a counter mask, and perhaps INV. VPMU_EDGE: it has EDGE, too. */
#define VPMU_MASK(c, u, mask, invert, on, what)                               \
	{                                                                     \
		VPMU_EVENT(c, u, on, what), .cmask = (mask), .inv = (invert), \
	}
#define VPMU_EDGE(c, u, mask, invert, on, what)                                             \
	{                                                                                   \
		VPMU_EVENT(c, u, on, what), .cmask = (mask), .inv = (invert), .edge = true, \
	}
/* AMD's "Large Increment per Cycle Events", which take an even counter. */
#define VPMU_LARGE(c, u, what)                               \
	{                                                    \
		VPMU_EVENT(c, u, 0x15, what), .large = true, \
	}

/* The parent's row with this key is absent. */
#define VPMU_ABSENT(c, u, mask, invert, edges)                                                \
	{                                                                                     \
		.code = (c), .umask = (u), .cmask = (mask), .inv = (invert), .edge = (edges), \
	}

/*
 * SDM vol. 3, "Pre-defined Architectural Performance Events", without top-down slots. The event of
 * unhalted reference cycles is CPU_CLK_UNHALTED.REF_TSC_P on cores where `reference` is REFERENCE,
 * and CPU_CLK_UNHALTED.REF_XCLK, a slow clock, where it is BUS_CYCLES.
 */
#define VPMU_ARCHITECTURAL(reference)                                                         \
	VPMU_ROW(0x3c, 0x00, ALL, ALL_CYCLES),             /* CPU_CLK_UNHALTED.THREAD_P */    \
		VPMU_ROW(0xc0, 0x00, ALL, INSTRUCTIONS),   /* INST_RETIRED.ANY_P */           \
		VPMU_REFERENCE_CLOCK(reference),           /* unhalted reference cycles */    \
		VPMU_ROW(0x2e, 0x4f, ALL, LLC_ALL),        /* LONGEST_LAT_CACHE.REFERENCE */  \
		VPMU_ROW(0x2e, 0x41, ALL, LLC_ALL_MISSES), /* LONGEST_LAT_CACHE.MISS */       \
		VPMU_ROW(0xc4, 0x00, ALL, BRANCHES),       /* BR_INST_RETIRED.ALL_BRANCHES */ \
		VPMU_ROW(0xc5, 0x00, ALL, MISPREDICTS)     /* BR_MISP_RETIRED.ALL_BRANCHES */

#define VPMU_REFERENCE_CLOCK(reference) VPMU_ROW(0x3c, 0x01, ALL, reference)

/* Members of a table. */
#define COUNT_OF(list)        (sizeof(list) / sizeof(*(list)))
#define PARENT_TABLE(file)    .parent = &vpmu_table_##file
#define TABLE_ROWS(list)      .rows = (list), .nrows = COUNT_OF(list)
#define TABLE_PRECISE(list)   .precise = (list), .nprecise = COUNT_OF(list)
#define TABLE_IMPRECISE(list) .imprecise = (list), .nimprecise = COUNT_OF(list)

#endif
