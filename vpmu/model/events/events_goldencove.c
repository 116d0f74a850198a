// SPDX-License-Identifier: BSD-2-Clause
/*
 * events_goldencove.c - made by scripts/event-rows from Intel's event files; intel.names says what
 * the events count. A table has the differences to its parent's.
 */
#include "vpmu/model/events/event_rows.h"

/* clang-format off */

/* --- alderlake_goldencove --- */

static const struct vpmu_event alderlake_goldencove_rows[] = {
	VPMU_REFERENCE_CLOCK(REFERENCE),
	VPMU_ABSENT(0x08, 0x02, 0, 0, 0), /* DTLB_LOAD_MISSES.WALK_COMPLETED_4K */
	VPMU_ABSENT(0x08, 0x0e, 0, 0, 0), /* DTLB_LOAD_MISSES.WALK_COMPLETED */
	VPMU_ABSENT(0x08, 0x20, 0, 0, 0), /* DTLB_LOAD_MISSES.STLB_HIT */
	VPMU_ABSENT(0x0d, 0x01, 0, 0, 0), /* INT_MISC.RECOVERY_CYCLES */
	VPMU_ABSENT(0x0d, 0x01, 1, 0, 1), /* INT_MISC.CLEARS_COUNT */
	VPMU_ABSENT(0x0e, 0x01, 0, 0, 0), /* UOPS_ISSUED.ANY */
	VPMU_ABSENT(0x0e, 0x01, 1, 1, 0), /* UOPS_ISSUED.STALL_CYCLES */
	VPMU_ROW(0x11, 0x02, LOW4, CODE_WALKS_4K), /* ITLB_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x11, 0x0e, LOW4, CODE_WALKS), /* ITLB_MISSES.WALK_COMPLETED */
	VPMU_ROW(0x11, 0x20, LOW4, CODE_STLB), /* ITLB_MISSES.STLB_HIT */
	VPMU_ROW(0x12, 0x02, LOW4, LOAD_WALKS_4K), /* DTLB_LOAD_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x12, 0x0e, LOW4, LOAD_WALKS), /* DTLB_LOAD_MISSES.WALK_COMPLETED */
	VPMU_ROW(0x12, 0x20, LOW4, LOAD_STLB), /* DTLB_LOAD_MISSES.STLB_HIT */
	VPMU_ROW(0x13, 0x02, LOW4, STORE_WALKS_4K), /* DTLB_STORE_MISSES.WALK_COMPLETED_4K */
	VPMU_ROW(0x13, 0x0e, LOW4, STORE_WALKS), /* DTLB_STORE_MISSES.WALK_COMPLETED */
	VPMU_ROW(0x13, 0x20, LOW4, STORE_STLB), /* DTLB_STORE_MISSES.STLB_HIT */
	VPMU_ABSENT(0x14, 0x09, 1, 0, 0), /* ARITH.DIVIDER_ACTIVE */
	VPMU_ROW(0x21, 0x01, LOW4, READS_TO_LLC), /* OFFCORE_REQUESTS.DEMAND_DATA_RD */
	VPMU_ROW(0x21, 0x02, LOW4, CODE_TO_LLC), /* OFFCORE_REQUESTS.DEMAND_CODE_RD */
	VPMU_ROW(0x21, 0x04, LOW4, STORES_TO_LLC), /* OFFCORE_REQUESTS.DEMAND_RFO */
	VPMU_ROW(0x21, 0x08, LOW4, ALL_READS_TO_LLC), /* OFFCORE_REQUESTS.DATA_RD */
	VPMU_ROW(0x21, 0x10, LOW4, READS_MISS_LLC), /* OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD */
	VPMU_ROW(0x21, 0x80, LOW4, LLC_ALL), /* OFFCORE_REQUESTS.ALL_REQUESTS */
	VPMU_ROW(0x24, 0x30, LOW4, PREFETCHES_TO_LLC), /* L2_RQSTS.HWPF_MISS */
	VPMU_ROW(0x24, 0xdf, LOW4, L2_ALL_HITS), /* L2_RQSTS.HIT */
	VPMU_ABSENT(0x24, 0xe7, 0, 0, 0), /* L2_RQSTS.ALL_DEMAND_REFERENCES */
	VPMU_ROW(0x24, 0xf0, LOW4, PREFETCHES_TO_L2), /* L2_RQSTS.ALL_HWPF */
	VPMU_ROW(0x25, 0x1f, LOW4, L2_ALL_MISSES), /* L2_LINES_IN.ALL */
	VPMU_KIND(0x2a, 0x01, LOW4, OFFCORE_0, OFFCORE), /* OCR */
	VPMU_KIND(0x2b, 0x01, LOW4, OFFCORE_1, OFFCORE), /* OCR */
	VPMU_MASK(0x47, 0x02, 2, 0, LOW4, PENDING_L1D), /* MEMORY_ACTIVITY.CYCLES_L1D_MISS */
	VPMU_MASK(0x47, 0x03, 3, 0, LOW4, STALLED_L1D_MISS), /* MEMORY_ACTIVITY.STALLS_L1D_MISS */
	VPMU_MASK(0x47, 0x05, 5, 0, LOW4, STALLED_L2_MISS), /* MEMORY_ACTIVITY.STALLS_L2_MISS */
	VPMU_MASK(0x47, 0x09, 9, 0, LOW4, STALLED_LLC_MISS), /* MEMORY_ACTIVITY.STALLS_L3_MISS */
	VPMU_ABSENT(0x49, 0x02, 0, 0, 0), /* DTLB_STORE_MISSES.WALK_COMPLETED_4K */
	VPMU_ABSENT(0x49, 0x0e, 0, 0, 0), /* DTLB_STORE_MISSES.WALK_COMPLETED */
	VPMU_ABSENT(0x49, 0x20, 0, 0, 0), /* DTLB_STORE_MISSES.STLB_HIT */
	VPMU_ROW(0x51, 0x20, LOW4, PREFETCHES_TO_L2), /* L1D.HWPF_MISS */
	VPMU_ABSENT(0x83, 0x01, 0, 0, 0), /* ICACHE_64B.IFTAG_HIT */
	VPMU_ABSENT(0x83, 0x02, 0, 0, 0), /* ICACHE_64B.IFTAG_MISS */
	VPMU_ABSENT(0x85, 0x02, 0, 0, 0), /* ITLB_MISSES.WALK_COMPLETED_4K */
	VPMU_ABSENT(0x85, 0x0e, 0, 0, 0), /* ITLB_MISSES.WALK_COMPLETED */
	VPMU_ABSENT(0x85, 0x20, 0, 0, 0), /* ITLB_MISSES.STLB_HIT */
	VPMU_ABSENT(0x9c, 0x01, 5, 0, 0), /* IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE */
	VPMU_MASK(0x9c, 0x01, 6, 0, ALL, FRONTEND_CYCLES), /* IDQ_UOPS_NOT_DELIVERED.CYCLES_0_UOPS_DELIV.CORE */
	VPMU_ABSENT(0xa3, 0x02, 2, 0, 0), /* CYCLE_ACTIVITY.CYCLES_L3_MISS */
	VPMU_ABSENT(0xa3, 0x14, 20, 0, 0), /* CYCLE_ACTIVITY.STALLS_MEM_ANY */
	VPMU_ROW(0xa4, 0x04, 0x01, RECOVERY_SLOTS), /* TOPDOWN.BAD_SPEC_SLOTS */
	VPMU_ROW(0xa4, 0x08, 0x01, RECOVERY_SLOTS), /* TOPDOWN.BR_MISPREDICT_SLOTS */
	VPMU_ROW(0xa4, 0x10, ALL, MEMORY_SLOTS), /* TOPDOWN.MEMORY_BOUND_SLOTS */
	VPMU_MASK(0xa6, 0x21, 5, 0, ALL, STALLED_LOADS), /* EXE_ACTIVITY.BOUND_ON_LOADS */
	VPMU_ROW(0xa8, 0x01, ALL, LOOP_UOPS), /* LSD.UOPS */
	VPMU_ROW(0xad, 0x01, ALL, RECOVERY_CYCLES), /* INT_MISC.RECOVERY_CYCLES */
	VPMU_EDGE(0xad, 0x01, 1, 0, ALL, MISPREDICTS), /* INT_MISC.CLEARS_COUNT */
	VPMU_ROW(0xae, 0x01, ALL, ISSUED), /* UOPS_ISSUED.ANY */
	VPMU_MASK(0xae, 0x01, 1, 0, ALL, NOT_STALLED), /* UOPS_ISSUED.CYCLES */
	VPMU_ABSENT(0xb0, 0x01, 0, 0, 0), /* OFFCORE_REQUESTS.DEMAND_DATA_RD */
	VPMU_ABSENT(0xb0, 0x04, 0, 0, 0), /* OFFCORE_REQUESTS.DEMAND_RFO */
	VPMU_ABSENT(0xb0, 0x08, 0, 0, 0), /* OFFCORE_REQUESTS.ALL_DATA_RD */
	VPMU_MASK(0xb0, 0x09, 1, 0, ALL, DIVIDER_CYCLES), /* ARITH.DIV_ACTIVE */
	VPMU_ABSENT(0xb0, 0x10, 0, 0, 0), /* OFFCORE_REQUESTS.L3_MISS_DEMAND_DATA_RD */
	VPMU_ABSENT(0xb0, 0x80, 0, 0, 0), /* OFFCORE_REQUESTS.ALL_REQUESTS */
	VPMU_ABSENT(0xb1, 0x02, 0, 0, 0), /* UOPS_EXECUTED.CORE */
	VPMU_ABSENT(0xb7, 0x01, 0, 0, 0), /* OCR */
	VPMU_ABSENT(0xbb, 0x01, 0, 0, 0), /* OCR */
	VPMU_ROW(0xc0, 0x08, ALL, REPEATS), /* INST_RETIRED.REP_ITERATION */
	VPMU_MASK(0xc2, 0x02, 1, 0, ALL, NOT_STALLED), /* UOPS_RETIRED.CYCLES */
	VPMU_ABSENT(0xc7, 0x40, 0, 0, 0), /* FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE */
	VPMU_ABSENT(0xc7, 0x60, 0, 0, 0), /* FP_ARITH_INST_RETIRED.8_FLOPS */
	VPMU_ABSENT(0xc7, 0x80, 0, 0, 0), /* FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE */
	VPMU_KIND(0xcd, 0x01, 0xfe, LD_LAT, LOADS_LATENT), /* MEM_TRANS_RETIRED */
	VPMU_ROW(0xcd, 0x02, 0x01, STORES), /* MEM_TRANS_RETIRED.STORE_SAMPLE */
	VPMU_ROW(0xd3, 0x01, LOW4, LLC_MISSES), /* MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM */
	VPMU_ABSENT(0xf1, 0x1f, 0, 0, 0), /* L2_LINES_IN.ALL */
};

static const uint16_t alderlake_goldencove_precise[] = {
	0x01d3, 0x02cd, 0x08c0, 0x10c0,
};

static const uint16_t alderlake_goldencove_imprecise[] = {
	0x04c9,
};

const struct vpmu_event_table vpmu_table_alderlake_goldencove = {
	PARENT_TABLE(icelake),
	TABLE_ROWS(alderlake_goldencove_rows),
	TABLE_PRECISE(alderlake_goldencove_precise),
	TABLE_IMPRECISE(alderlake_goldencove_imprecise),
};

/* --- sapphirerapids --- */

static const struct vpmu_event sapphirerapids_rows[] = {
	VPMU_ROW(0x24, 0xe7, LOW4, DEMAND_TO_L2), /* L2_RQSTS.ALL_DEMAND_REFERENCES */
	VPMU_ROW(0xb1, 0x02, ALL, UOPS), /* UOPS_EXECUTED.CORE */
	VPMU_ROW(0xc7, 0x40, ALL, FP_512_DOUBLE), /* FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE */
	VPMU_ROW(0xc7, 0x60, ALL, FP_8_FLOPS), /* FP_ARITH_INST_RETIRED.8_FLOPS */
	VPMU_ROW(0xc7, 0x80, ALL, FP_512_SINGLE), /* FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE */
	VPMU_ROW(0xd3, 0x02, LOW4, NEVER), /* MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM */
	VPMU_ROW(0xd3, 0x04, LOW4, NEVER), /* MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM */
	VPMU_ROW(0xd3, 0x08, LOW4, NEVER), /* MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD */
	VPMU_ROW(0xd3, 0x10, LOW4, NEVER), /* MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM */
};

static const uint16_t sapphirerapids_precise[] = {
	0x02d3, 0x04c9, 0x04d3, 0x08d3, 0x10d3, 0x80d1,
};

const struct vpmu_event_table vpmu_table_sapphirerapids = {
	PARENT_TABLE(alderlake_goldencove),
	TABLE_ROWS(sapphirerapids_rows),
	TABLE_PRECISE(sapphirerapids_precise),
};

/* --- emeraldrapids --- */

static const struct vpmu_event emeraldrapids_rows[] = {
	VPMU_ABSENT(0xd3, 0x10, 0, 0, 0), /* MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM */
};

static const uint16_t emeraldrapids_imprecise[] = {
	0x10d3, 0x80d1,
};

const struct vpmu_event_table vpmu_table_emeraldrapids = {
	PARENT_TABLE(sapphirerapids),
	TABLE_ROWS(emeraldrapids_rows),
	TABLE_IMPRECISE(emeraldrapids_imprecise),
};

/* --- meteorlake_redwoodcove --- */

static const struct vpmu_event meteorlake_redwoodcove_rows[] = {
	VPMU_ROW(0x24, 0xe7, LOW4, DEMAND_TO_L2), /* L2_RQSTS.ALL_DEMAND_REFERENCES */
	VPMU_MASK(0xa3, 0x02, 2, 0, LOW4, PENDING_LLC), /* CYCLE_ACTIVITY.CYCLES_L3_MISS */
	VPMU_ROW(0xb1, 0x02, ALL, UOPS), /* UOPS_EXECUTED.CORE */
	VPMU_ABSENT(0xc6, 0x01, 0, 0, 0), /* FRONTEND_RETIRED */
	VPMU_KIND(0xc6, 0x02, ALL, FRONTEND, FRONT_STALL), /* FRONTEND_RETIRED */
	VPMU_KIND(0xc6, 0x03, ALL, FRONTEND, FRONT_STALL), /* FRONTEND_RETIRED */
};

static const uint16_t meteorlake_redwoodcove_precise[] = {
	0x02c6, 0x03c6, 0x09d0, 0x0ad0, 0x41c5, 0x42c5, 0x44c5, 0x48c5, 0x50c5, 0x51c5, 0x60c5, 0xc0c5,
};

static const uint16_t meteorlake_redwoodcove_imprecise[] = {
	0x01c6,
};

const struct vpmu_event_table vpmu_table_meteorlake_redwoodcove = {
	PARENT_TABLE(alderlake_goldencove),
	TABLE_ROWS(meteorlake_redwoodcove_rows),
	TABLE_PRECISE(meteorlake_redwoodcove_precise),
	TABLE_IMPRECISE(meteorlake_redwoodcove_imprecise),
};

/* --- graniterapids --- */

static const struct vpmu_event graniterapids_rows[] = {
	VPMU_MASK(0xa3, 0x02, 2, 0, LOW4, PENDING_LLC), /* CYCLE_ACTIVITY.CYCLES_L3_MISS */
	VPMU_ABSENT(0xc6, 0x01, 0, 0, 0), /* FRONTEND_RETIRED */
	VPMU_KIND(0xc6, 0x02, ALL, FRONTEND, FRONT_STALL), /* FRONTEND_RETIRED */
	VPMU_KIND(0xc6, 0x03, ALL, FRONTEND, FRONT_STALL), /* FRONTEND_RETIRED */
};

static const uint16_t graniterapids_precise[] = {
	0x02c6, 0x03c6, 0x09d0, 0x0ad0, 0x41c5, 0x42c5, 0x44c5, 0x48c5, 0x50c5, 0x51c5, 0x60c5, 0xc0c5,
};

static const uint16_t graniterapids_imprecise[] = {
	0x01c6,
};

const struct vpmu_event_table vpmu_table_graniterapids = {
	PARENT_TABLE(sapphirerapids),
	TABLE_ROWS(graniterapids_rows),
	TABLE_PRECISE(graniterapids_precise),
	TABLE_IMPRECISE(graniterapids_imprecise),
};
/* clang-format on */
