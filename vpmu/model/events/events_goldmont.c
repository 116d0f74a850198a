// SPDX-License-Identifier: BSD-2-Clause
/*
 * events_goldmont.c - made by scripts/event-rows from Intel's event files; intel.names says what
 * the events count. A table has the differences to its parent's.
 */
#include "vpmu/model/events/event_rows.h"

/* clang-format off */

/* --- goldmont --- */

static const struct vpmu_event goldmont_rows[] = {
	VPMU_ABSENT(0x03, 0x04, 0, 0, 0), /* REHABQ.ST_SPLITS */
	VPMU_ABSENT(0x03, 0x08, 0, 0, 0), /* REHABQ.LD_SPLITS */
	VPMU_ABSENT(0x04, 0x01, 0, 0, 0), /* MEM_UOPS_RETIRED.L1_MISS_LOADS */
	VPMU_ABSENT(0x04, 0x02, 0, 0, 0), /* MEM_UOPS_RETIRED.L2_HIT_LOADS */
	VPMU_ABSENT(0x04, 0x04, 0, 0, 0), /* MEM_UOPS_RETIRED.L2_MISS_LOADS */
	VPMU_ABSENT(0x04, 0x08, 0, 0, 0), /* MEM_UOPS_RETIRED.DTLB_MISS_LOADS */
	VPMU_ABSENT(0x04, 0x20, 0, 0, 0), /* MEM_UOPS_RETIRED.HITM */
	VPMU_ABSENT(0x04, 0x40, 0, 0, 0), /* MEM_UOPS_RETIRED.ALL_LOADS */
	VPMU_ABSENT(0x04, 0x80, 0, 0, 0), /* MEM_UOPS_RETIRED.ALL_STORES */
	VPMU_ABSENT(0x05, 0x01, 0, 0, 1), /* PAGE_WALKS.D_SIDE_WALKS */
	VPMU_ABSENT(0x05, 0x02, 0, 0, 1), /* PAGE_WALKS.I_SIDE_WALKS */
	VPMU_ROW(0x0e, 0x00, ALL, UOPS), /* UOPS_ISSUED.ANY */
	VPMU_ROW(0x81, 0x04, ALL, CODE_TLB), /* ITLB.MISS */
	VPMU_ROW(0xc2, 0x00, ALL, UOPS), /* UOPS_RETIRED.ANY */
	VPMU_ABSENT(0xc2, 0x10, 0, 0, 0), /* UOPS_RETIRED.ALL */
	VPMU_ABSENT(0xca, 0x50, 0, 0, 0), /* NO_ALLOC_CYCLES.NOT_DELIVERED */
	VPMU_ROW(0xcd, 0x00, ALL, DIVIDER_CYCLES), /* CYCLES_DIV_BUSY.ALL */
	VPMU_ABSENT(0xcd, 0x01, 0, 0, 0), /* CYCLES_DIV_BUSY.ALL */
	VPMU_ROW(0xd0, 0x11, ALL, LOAD_WALKS), /* MEM_UOPS_RETIRED.DTLB_MISS_LOADS */
	VPMU_ROW(0xd0, 0x12, ALL, STORE_WALKS), /* MEM_UOPS_RETIRED.DTLB_MISS_STORES */
	VPMU_ROW(0xd0, 0x13, ALL, BOTH_WALKS), /* MEM_UOPS_RETIRED.DTLB_MISS */
	VPMU_ROW(0xd0, 0x21, ALL, LOCKS), /* MEM_UOPS_RETIRED.LOCK_LOADS */
	VPMU_ROW(0xd0, 0x41, ALL, LOADS_ACROSS), /* MEM_UOPS_RETIRED.SPLIT_LOADS */
	VPMU_ROW(0xd0, 0x42, ALL, STORES_ACROSS), /* MEM_UOPS_RETIRED.SPLIT_STORES */
	VPMU_ROW(0xd0, 0x43, ALL, BOTH_ACROSS), /* MEM_UOPS_RETIRED.SPLIT */
	VPMU_ROW(0xd0, 0x81, ALL, LOADS), /* MEM_UOPS_RETIRED.ALL_LOADS */
	VPMU_ROW(0xd0, 0x82, ALL, STORES), /* MEM_UOPS_RETIRED.ALL_STORES */
	VPMU_ROW(0xd0, 0x83, ALL, MEMORY), /* MEM_UOPS_RETIRED.ALL */
	VPMU_ROW(0xd1, 0x01, ALL, L1_HITS), /* MEM_LOAD_UOPS_RETIRED.L1_HIT */
	VPMU_ROW(0xd1, 0x02, ALL, L2_HITS), /* MEM_LOAD_UOPS_RETIRED.L2_HIT */
	VPMU_ROW(0xd1, 0x08, ALL, L1_MISSES), /* MEM_LOAD_UOPS_RETIRED.L1_MISS */
	VPMU_ROW(0xd1, 0x10, ALL, L2_MISSES), /* MEM_LOAD_UOPS_RETIRED.L2_MISS */
	VPMU_ROW(0xd1, 0x20, ALL, SNOOP_HITMS), /* MEM_LOAD_UOPS_RETIRED.HITM */
	VPMU_ROW(0xd1, 0x40, ALL, L1_LATE), /* MEM_LOAD_UOPS_RETIRED.WCB_HIT */
	VPMU_ROW(0xd1, 0x80, ALL, LLC_MISSES), /* MEM_LOAD_UOPS_RETIRED.DRAM_HIT */
};

static const uint16_t goldmont_precise[] = {
	0x00c2, 0x01c2, 0x01d1, 0x0203, 0x0213, 0x02d1, 0x0403, 0x0413, 0x08c2, 0x08d1, 0x1003, 0x10c2,
	0x10d1, 0x11d0, 0x12d0, 0x13d0, 0x20d1, 0x21d0, 0x40d1, 0x41d0, 0x42d0, 0x43d0, 0x80d1, 0x81d0,
	0x82d0, 0x83d0,
};

static const uint16_t goldmont_imprecise[] = {
	0x0204, 0x0404, 0x0804, 0x2004,
};

const struct vpmu_event_table vpmu_table_goldmont = {
	PARENT_TABLE(silvermont),
	TABLE_ROWS(goldmont_rows),
	TABLE_PRECISE(goldmont_precise),
	TABLE_IMPRECISE(goldmont_imprecise),
};

/* --- goldmontplus --- */

static const struct vpmu_event goldmontplus_rows[] = {
	VPMU_ABSENT(0x05, 0x01, 0, 0, 0), /* PAGE_WALKS.D_SIDE_CYCLES */
	VPMU_ROW(0x08, 0x02, ALL, LOAD_WALKS_4K), /* DTLB_LOAD_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x49, 0x02, ALL, STORE_WALKS_4K), /* DTLB_STORE_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x85, 0x02, ALL, CODE_WALKS_4K), /* ITLB_MISSES.WALK_COMPLETED_4K */
};

const struct vpmu_event_table vpmu_table_goldmontplus = {
	PARENT_TABLE(goldmont),
	TABLE_ROWS(goldmontplus_rows),
};

/* --- elkhartlake --- */

static const struct vpmu_event elkhartlake_rows[] = {
	VPMU_REFERENCE_CLOCK(REFERENCE),
	VPMU_ROW(0x08, 0x0e, ALL, LOAD_WALKS), /* DTLB_LOAD_MISSES.WALK_COMPLETED */
	VPMU_ROW(0x08, 0x20, ALL, LOAD_STLB), /* DTLB_LOAD_MISSES.STLB_HIT */
	VPMU_ROW(0x24, 0x00, ALL, L2_ALL), /* L2_REQUEST.ALL */
	VPMU_ROW(0x24, 0x01, ALL, L2_ALL_MISSES), /* L2_REQUEST.MISS */
	VPMU_ROW(0x24, 0x02, ALL, L2_ALL_HITS), /* L2_REQUEST.HIT */
	VPMU_ROW(0x34, 0x01, ALL, STALLED_L2_HIT), /* MEM_BOUND_STALLS.LOAD_L2_HIT */
	VPMU_ROW(0x34, 0x02, ALL, STALLED_LLC_HIT), /* MEM_BOUND_STALLS.LOAD_LLC_HIT */
	VPMU_ROW(0x34, 0x04, ALL, STALLED_LLC_MISS), /* MEM_BOUND_STALLS.LOAD_DRAM_HIT */
	VPMU_ROW(0x34, 0x07, ALL, STALLED_L1D_MISS), /* MEM_BOUND_STALLS.LOAD */
	VPMU_ROW(0x49, 0x0e, ALL, STORE_WALKS), /* DTLB_STORE_MISSES.WALK_COMPLETED */
	VPMU_ROW(0x49, 0x20, ALL, STORE_STLB), /* DTLB_STORE_MISSES.STLB_HIT */
	VPMU_ROW(0x71, 0x00, ALL, FRONTEND_SLOTS), /* TOPDOWN_FE_BOUND.ALL */
	VPMU_ROW(0x73, 0x04, ALL, RECOVERY_SLOTS), /* TOPDOWN_BAD_SPECULATION.MISPREDICT */
	VPMU_ROW(0x73, 0x06, ALL, RECOVERY_SLOTS), /* TOPDOWN_BAD_SPECULATION.ALL */
	VPMU_ROW(0x74, 0x00, ALL, BACKEND_SLOTS), /* TOPDOWN_BE_BOUND.ALL */
	VPMU_ABSENT(0x81, 0x04, 0, 0, 0), /* ITLB.MISS */
	VPMU_ROW(0x85, 0x0e, ALL, CODE_WALKS), /* ITLB_MISSES.WALK_COMPLETED */
	VPMU_ROW(0x85, 0x20, ALL, CODE_STLB), /* ITLB_MISSES.STLB_HIT */
	VPMU_ROW(0xc2, 0x00, ALL, RETIRING_SLOTS), /* TOPDOWN_RETIRING.ALL */
	VPMU_ABSENT(0xc4, 0x80, 0, 0, 0), /* BR_INST_RETIRED.ALL_TAKEN_BRANCHES */
	VPMU_ROW(0xd1, 0x04, ALL, LLC_HITS), /* MEM_LOAD_UOPS_RETIRED.L3_HIT */
	VPMU_ABSENT(0xd1, 0x40, 0, 0, 0), /* MEM_LOAD_UOPS_RETIRED.WCB_HIT */
};

static const uint16_t elkhartlake_precise[] = {
	0x02c2, 0x04d1,
};

static const uint16_t elkhartlake_imprecise[] = {
	0x40d1, 0x80c4,
};

const struct vpmu_event_table vpmu_table_elkhartlake = {
	PARENT_TABLE(goldmontplus),
	TABLE_ROWS(elkhartlake_rows),
	TABLE_PRECISE(elkhartlake_precise),
	TABLE_IMPRECISE(elkhartlake_imprecise),
};

/* --- alderlake_gracemont --- */

static const struct vpmu_event alderlake_gracemont_rows[] = {
	VPMU_ABSENT(0x08, 0x02, 0, 0, 0), /* DTLB_LOAD_MISSES.WALK_COMPLETED_4K */
	VPMU_ABSENT(0x08, 0x20, 0, 0, 0), /* DTLB_LOAD_MISSES.STLB_HIT */
	VPMU_ROW(0x34, 0x06, ALL, STALLED_L2_MISS), /* MEM_BOUND_STALLS.LOAD_L2_MISS */
	VPMU_ABSENT(0x49, 0x02, 0, 0, 0), /* DTLB_STORE_MISSES.WALK_COMPLETED_4K */
	VPMU_ABSENT(0x49, 0x20, 0, 0, 0), /* DTLB_STORE_MISSES.STLB_HIT */
	VPMU_ROW(0x73, 0x00, ALL, RECOVERY_SLOTS), /* TOPDOWN_BAD_SPECULATION.ALL */
	VPMU_ABSENT(0x73, 0x06, 0, 0, 0), /* TOPDOWN_BAD_SPECULATION.ALL */
	VPMU_ABSENT(0x80, 0x01, 0, 0, 0), /* ICACHE.HIT */
	VPMU_ABSENT(0x85, 0x02, 0, 0, 0), /* ITLB_MISSES.WALK_COMPLETED_4K */
	VPMU_ABSENT(0x85, 0x20, 0, 0, 0), /* ITLB_MISSES.STLB_HIT */
	VPMU_ROW(0xc4, 0x80, ALL, TAKEN), /* BR_INST_RETIRED.TAKEN */
	VPMU_ROW(0xc4, 0xc0, ALL, NEAR_TAKEN), /* BR_INST_RETIRED.NEAR_TAKEN */
	VPMU_ROW(0xc4, 0xef, ALL, INDIRECT_JUMPED), /* BR_INST_RETIRED.INDIRECT_JMP */
	VPMU_ABSENT(0xcd, 0x00, 0, 0, 0), /* CYCLES_DIV_BUSY.ANY */
	VPMU_MASK(0xcd, 0x03, 1, 0, ALL, DIVIDER_CYCLES), /* ARITH.DIV_ACTIVE */
	VPMU_KIND(0xd0, 0x05, 0x03, LD_LAT, LOADS_LATENT), /* MEM_UOPS_RETIRED */
};

static const uint16_t alderlake_gracemont_precise[] = {
	0x01e4, 0x05d0, 0x06d0, 0x20d2, 0x40d2, 0x80c4, 0x80c5, 0xc0c4, 0xdfc4, 0xefc4, 0xefc5,
};

static const uint16_t alderlake_gracemont_imprecise[] = {
	0x0203, 0x0213, 0x0413, 0x0803, 0x1003,
};

const struct vpmu_event_table vpmu_table_alderlake_gracemont = {
	PARENT_TABLE(elkhartlake),
	TABLE_ROWS(alderlake_gracemont_rows),
	TABLE_PRECISE(alderlake_gracemont_precise),
	TABLE_IMPRECISE(alderlake_gracemont_imprecise),
};
/* clang-format on */
