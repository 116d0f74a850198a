/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event_table.h - the events of a core. A table states the differences to its parent's table; a
 * core's events are the rows of its table and of all its parents.
 */
#ifndef VPMU_MODEL_EVENT_TABLE_H
#define VPMU_MODEL_EVENT_TABLE_H

#include "vpmu/model/quantities.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The register that selects which kinds of an event count. A ratio counts once for each bit that is
 * set in it, and nothing while it is 0. Off-core requests: the bits of request types count, and the
 * other bits restrict them to hits or misses. Load latency: counts once from the least threshold on
 * that the SDM allows.
 */
enum vpmu_kinds {
	VPMU_KINDS_NONE, /* the event has no such register */
	VPMU_KINDS_OFFCORE_0,
	VPMU_KINDS_OFFCORE_1,
	VPMU_KINDS_LD_LAT,
	VPMU_KINDS_FRONTEND,
};

/*
 * One event. It counts only on the counters in `counters`. Some names are another event of the same
 * code with a counter mask: those rows carry `cmask`, `inv` and `edge`, and only a selector with
 * the same finds them. Code, unit mask, `cmask`, `inv` and `edge` are the row's key.
 */
struct vpmu_event {
	uint16_t code;     /* event select; AMD: 12 bits */
	uint16_t counters; /* general counters that can count it; 0: the parent's row is absent here
			    */
	uint8_t umask;
	uint8_t cmask;
	uint8_t counts;    /* enum vpmu_counts */
	uint8_t kinds : 4; /* enum vpmu_kinds */
	bool inv : 1, edge : 1;
	bool large : 1; /* may happen more than 15 times a cycle: counts on a merged counter only */
};
_Static_assert(sizeof(struct vpmu_event) == 8, "there are thousands of them");

static inline const struct vpmu_quantity *vpmu_quantity(const struct vpmu_event *event)
{
	return &vpmu_quantities[event->counts];
}

/*
 * A row replaces the parent's row with the same key. PEBS can record the events of `precise`, and
 * those of the parent that are not in `imprecise`; both are unit mask << 8 | code.
 */
struct vpmu_event_table {
	const struct vpmu_event_table *parent; /* NULL: the table states everything */
	const struct vpmu_event *rows;
	const uint16_t *precise, *imprecise;
	uint16_t nrows, nprecise, nimprecise;
};

#define VPMU_EVENT_TABLE(file) extern const struct vpmu_event_table vpmu_table_##file;
VPMU_EVENT_TABLE(nehalemep)
VPMU_EVENT_TABLE(nehalemex)
VPMU_EVENT_TABLE(westmereep_dp)
VPMU_EVENT_TABLE(westmereex)
VPMU_EVENT_TABLE(sandybridge)
VPMU_EVENT_TABLE(jaketown)
VPMU_EVENT_TABLE(ivybridge)
VPMU_EVENT_TABLE(ivytown)
VPMU_EVENT_TABLE(haswell)
VPMU_EVENT_TABLE(haswellx)
VPMU_EVENT_TABLE(broadwell)
VPMU_EVENT_TABLE(broadwellx)
VPMU_EVENT_TABLE(broadwellde)
VPMU_EVENT_TABLE(skylake)
VPMU_EVENT_TABLE(skylakex)
VPMU_EVENT_TABLE(cascadelakex)
VPMU_EVENT_TABLE(icelake)
VPMU_EVENT_TABLE(icelakex)
VPMU_EVENT_TABLE(tigerlake)
VPMU_EVENT_TABLE(rocketlake)
VPMU_EVENT_TABLE(alderlake_goldencove)
VPMU_EVENT_TABLE(sapphirerapids)
VPMU_EVENT_TABLE(emeraldrapids)
VPMU_EVENT_TABLE(meteorlake_redwoodcove)
VPMU_EVENT_TABLE(graniterapids)
VPMU_EVENT_TABLE(arrowlake_lioncove)
VPMU_EVENT_TABLE(lunarlake_lioncove)
VPMU_EVENT_TABLE(pantherlake_cougarcove)
VPMU_EVENT_TABLE(silvermont)
VPMU_EVENT_TABLE(knightslanding)
VPMU_EVENT_TABLE(goldmont)
VPMU_EVENT_TABLE(goldmontplus)
VPMU_EVENT_TABLE(elkhartlake)
VPMU_EVENT_TABLE(alderlake_gracemont)
VPMU_EVENT_TABLE(meteorlake_crestmont)
VPMU_EVENT_TABLE(sierraforest)
VPMU_EVENT_TABLE(grandridge)
VPMU_EVENT_TABLE(arrowlake_skymont)
VPMU_EVENT_TABLE(lunarlake_skymont)
VPMU_EVENT_TABLE(pantherlake_darkmont)
VPMU_EVENT_TABLE(clearwaterforest)
VPMU_EVENT_TABLE(k8)
VPMU_EVENT_TABLE(fam10h)
VPMU_EVENT_TABLE(fam15h)
VPMU_EVENT_TABLE(fam16h)
VPMU_EVENT_TABLE(zen1)
VPMU_EVENT_TABLE(zen2)
VPMU_EVENT_TABLE(zen3)
VPMU_EVENT_TABLE(zen4)
VPMU_EVENT_TABLE(zen5)
#undef VPMU_EVENT_TABLE

/*
 * The rows of a table and its parents, with an index: the first row for a code's low byte, and for
 * each row the next.
 */
#define VPMU_MAX_EVENTS 384
#define VPMU_NO_ROW     0xffff
struct vpmu_rows {
	const struct vpmu_event *row[VPMU_MAX_EVENTS];
	uint16_t first[256], next[VPMU_MAX_EVENTS];
	uint16_t nrows;
	uint8_t kinds; /* of the rows, as bits of enum vpmu_kinds */
};

/* vpmu_rows_init() - finds the rows of `table`. Absent rows stay in the list, with no counters. */
void vpmu_rows_init(struct vpmu_rows *rows, const struct vpmu_event_table *table);

/* vpmu_table_is_precise() - whether PEBS can record the event. */
bool vpmu_table_is_precise(const struct vpmu_event_table *table, const struct vpmu_event *event);

#endif
