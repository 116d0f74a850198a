// SPDX-License-Identifier: BSD-2-Clause
/*
 * events_crestmont.c - made by scripts/event-rows from Intel's event files; intel.names says what
 * the events count. A table has the differences to its parent's.
 */
#include "vpmu/model/events/event_rows.h"

/* clang-format off */

/* --- meteorlake_crestmont --- */

static const struct vpmu_event meteorlake_crestmont_rows[] = {
	VPMU_ROW(0x03, 0x02, ALL, LOADS_BLOCKED), /* LD_BLOCKS.STORE_FORWARD */
	VPMU_ROW(0x08, 0x02, ALL, LOAD_WALKS_4K), /* DTLB_LOAD_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x08, 0x10, ALL, LOAD_WALK_SUM), /* DTLB_LOAD_MISSES.WALK_PENDING */
	VPMU_ROW(0x08, 0x20, ALL, LOAD_STLB), /* DTLB_LOAD_MISSES.STLB_HIT */
	VPMU_ABSENT(0x24, 0x00, 0, 0, 0), /* L2_REQUEST.ALL */
	VPMU_ABSENT(0x34, 0x02, 0, 0, 0), /* MEM_BOUND_STALLS.LOAD_LLC_HIT */
	VPMU_ABSENT(0x34, 0x04, 0, 0, 0), /* MEM_BOUND_STALLS.LOAD_DRAM_HIT */
	VPMU_ROW(0x34, 0x06, ALL, STALLED_LLC_HIT), /* MEM_BOUND_STALLS_LOAD.LLC_HIT */
	VPMU_ABSENT(0x34, 0x07, 0, 0, 0), /* MEM_BOUND_STALLS.LOAD */
	VPMU_ROW(0x34, 0x78, ALL, STALLED_LLC_MISS), /* MEM_BOUND_STALLS_LOAD.LLC_MISS */
	VPMU_ROW(0x34, 0x7e, ALL, STALLED_L2_MISS), /* MEM_BOUND_STALLS_LOAD.L2_MISS */
	VPMU_ROW(0x34, 0x7f, ALL, STALLED_L1D_MISS), /* MEM_BOUND_STALLS_LOAD.ALL */
	VPMU_ROW(0x49, 0x02, ALL, STORE_WALKS_4K), /* DTLB_STORE_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x49, 0x10, ALL, STORE_WALK_SUM), /* DTLB_STORE_MISSES.WALK_PENDING */
	VPMU_ROW(0x49, 0x20, ALL, STORE_STLB), /* DTLB_STORE_MISSES.STLB_HIT */
	VPMU_ROW(0x72, 0x00, ALL, RETIRING_SLOTS), /* TOPDOWN_RETIRING.ALL */
	VPMU_ROW(0x85, 0x02, ALL, CODE_WALKS_4K), /* ITLB_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x85, 0x10, ALL, CODE_WALK_SUM), /* ITLB_MISSES.WALK_PENDING */
	VPMU_ROW(0x85, 0x20, ALL, CODE_STLB), /* ITLB_MISSES.STLB_HIT */
	VPMU_ROW(0xc2, 0x00, ALL, UOPS), /* UOPS_RETIRED.ALL */
	VPMU_ABSENT(0xd1, 0x04, 0, 0, 0), /* MEM_LOAD_UOPS_RETIRED.L3_HIT */
	VPMU_ABSENT(0xd1, 0x08, 0, 0, 0), /* MEM_LOAD_UOPS_RETIRED.L1_MISS */
	VPMU_ABSENT(0xd1, 0x10, 0, 0, 0), /* MEM_LOAD_UOPS_RETIRED.L2_MISS */
	VPMU_ROW(0xd1, 0x1c, ALL, LLC_HITS), /* MEM_LOAD_UOPS_RETIRED.L3_HIT */
	VPMU_ROW(0xd1, 0x20, ALL, L1_LATE), /* MEM_LOAD_UOPS_RETIRED.WCB_HIT */
	VPMU_ROW(0xd1, 0x40, ALL, L1_MISSES), /* MEM_LOAD_UOPS_RETIRED.L1_MISS */
	VPMU_ROW(0xd1, 0x80, ALL, L2_MISSES), /* MEM_LOAD_UOPS_RETIRED.L2_MISS */
};

static const uint16_t meteorlake_crestmont_precise[] = {
	0x0072, 0x00c6, 0x01c6, 0x01c7, 0x01c8, 0x0203, 0x0213, 0x02c6, 0x02c7, 0x02c8, 0x02d4, 0x02e0,
	0x03c8, 0x0413, 0x04c6, 0x04c7, 0x08c6, 0x08c7, 0x08d4, 0x10c6, 0x10d4, 0x10e1, 0x11e1, 0x1cd1,
	0x20c6, 0x20c7, 0x20d4, 0x40c6, 0x40d1, 0x80c6, 0xffe0,
};

static const uint16_t meteorlake_crestmont_imprecise[] = {
	0x04d1, 0x08d1, 0x10d1, 0x20d2, 0x40d2,
};

const struct vpmu_event_table vpmu_table_meteorlake_crestmont = {
	PARENT_TABLE(alderlake_gracemont),
	TABLE_ROWS(meteorlake_crestmont_rows),
	TABLE_PRECISE(meteorlake_crestmont_precise),
	TABLE_IMPRECISE(meteorlake_crestmont_imprecise),
};

/* --- sierraforest --- */

static const struct vpmu_event sierraforest_rows[] = {
	VPMU_ROW(0xd3, 0x01, ALL, LLC_MISSES), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM */
	VPMU_ROW(0xd3, 0x02, ALL, NEVER), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_DRAM_OR_NOFWD */
	VPMU_ROW(0xd3, 0x04, ALL, NEVER), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_NONM */
	VPMU_ROW(0xd3, 0x08, ALL, NEVER), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_HITM */
};

static const uint16_t sierraforest_precise[] = {
	0x01d3, 0x02d3, 0x04d3, 0x08d3, 0xffd3,
};

static const uint16_t sierraforest_imprecise[] = {
	0x02d4, 0x10d4, 0x20d4,
};

const struct vpmu_event_table vpmu_table_sierraforest = {
	PARENT_TABLE(meteorlake_crestmont),
	TABLE_ROWS(sierraforest_rows),
	TABLE_PRECISE(sierraforest_precise),
	TABLE_IMPRECISE(sierraforest_imprecise),
};

/* --- grandridge --- */

static const struct vpmu_event grandridge_rows[] = {
	VPMU_ROW(0xd3, 0x01, ALL, LLC_MISSES), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM */
};

static const uint16_t grandridge_precise[] = {
	0x01d3, 0xffd3,
};

static const uint16_t grandridge_imprecise[] = {
	0x02d4, 0x08d4, 0x10d4, 0x20d4,
};

const struct vpmu_event_table vpmu_table_grandridge = {
	PARENT_TABLE(meteorlake_crestmont),
	TABLE_ROWS(grandridge_rows),
	TABLE_PRECISE(grandridge_precise),
	TABLE_IMPRECISE(grandridge_imprecise),
};
/* clang-format on */
