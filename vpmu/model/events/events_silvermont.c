// SPDX-License-Identifier: BSD-2-Clause
/*
 * events_silvermont.c - made by scripts/event-rows from Intel's event files; intel.names says what
 * the events count. A table has the differences to its parent's.
 */
#include "vpmu/model/events/event_rows.h"

/* clang-format off */

/* --- silvermont --- */

static const struct vpmu_event silvermont_rows[] = {
	VPMU_ARCHITECTURAL(BUS_CYCLES),
	VPMU_ROW(0x03, 0x04, ALL, STORES_ACROSS), /* REHABQ.ST_SPLITS */
	VPMU_ROW(0x03, 0x08, ALL, LOADS_ACROSS), /* REHABQ.LD_SPLITS */
	VPMU_ROW(0x04, 0x01, ALL, L1_MISSES), /* MEM_UOPS_RETIRED.L1_MISS_LOADS */
	VPMU_ROW(0x04, 0x02, ALL, L2_HITS), /* MEM_UOPS_RETIRED.L2_HIT_LOADS */
	VPMU_ROW(0x04, 0x04, ALL, L2_MISSES), /* MEM_UOPS_RETIRED.L2_MISS_LOADS */
	VPMU_ROW(0x04, 0x08, ALL, LOAD_WALKS), /* MEM_UOPS_RETIRED.DTLB_MISS_LOADS */
	VPMU_ROW(0x04, 0x20, ALL, SNOOP_HITMS), /* MEM_UOPS_RETIRED.HITM */
	VPMU_ROW(0x04, 0x40, ALL, LOADS), /* MEM_UOPS_RETIRED.ALL_LOADS */
	VPMU_ROW(0x04, 0x80, ALL, STORES), /* MEM_UOPS_RETIRED.ALL_STORES */
	VPMU_ROW(0x05, 0x01, ALL, LOAD_WALK_CYCLES), /* PAGE_WALKS.D_SIDE_CYCLES */
	VPMU_EDGE(0x05, 0x01, 0, 0, ALL, BOTH_WALKS), /* PAGE_WALKS.D_SIDE_WALKS */
	VPMU_ROW(0x05, 0x02, ALL, CODE_WALK_CYCLES), /* PAGE_WALKS.I_SIDE_CYCLES */
	VPMU_EDGE(0x05, 0x02, 0, 0, ALL, CODE_WALKS), /* PAGE_WALKS.I_SIDE_WALKS */
	VPMU_ROW(0x80, 0x01, ALL, CODE_HITS), /* ICACHE.HIT */
	VPMU_ROW(0x80, 0x02, ALL, CODE_MISSES), /* ICACHE.MISSES */
	VPMU_ROW(0x80, 0x03, ALL, CODE_LINES), /* ICACHE.ACCESSES */
	VPMU_KIND(0xb7, 0x01, ALL, OFFCORE_0, OFFCORE), /* OFFCORE_RESPONSE */
	VPMU_KIND(0xb7, 0x02, ALL, OFFCORE_1, OFFCORE), /* OFFCORE_RESPONSE */
	VPMU_ROW(0xc2, 0x10, ALL, UOPS), /* UOPS_RETIRED.ALL */
	VPMU_ROW(0xc3, 0x01, ALL, NEVER), /* MACHINE_CLEARS.SMC */
	VPMU_ROW(0xc3, 0x02, ALL, RARE), /* MACHINE_CLEARS.MEMORY_ORDERING */
	VPMU_ROW(0xc4, 0x7e, ALL, CONDITIONAL), /* BR_INST_RETIRED.JCC */
	VPMU_ROW(0xc4, 0x80, ALL, TAKEN), /* BR_INST_RETIRED.ALL_TAKEN_BRANCHES */
	VPMU_ROW(0xc4, 0xbf, ALL, FAR), /* BR_INST_RETIRED.FAR_BRANCH */
	VPMU_ROW(0xc4, 0xeb, ALL, INDIRECT), /* BR_INST_RETIRED.NON_RETURN_IND */
	VPMU_ROW(0xc4, 0xf7, ALL, RETURNS), /* BR_INST_RETIRED.RETURN */
	VPMU_ROW(0xc4, 0xf9, ALL, CALLS), /* BR_INST_RETIRED.CALL */
	VPMU_ROW(0xc4, 0xfb, ALL, INDIRECT_CALLED), /* BR_INST_RETIRED.IND_CALL */
	VPMU_ROW(0xc4, 0xfd, ALL, DIRECT_CALLED), /* BR_INST_RETIRED.REL_CALL */
	VPMU_ROW(0xc4, 0xfe, ALL, COND_TAKEN), /* BR_INST_RETIRED.TAKEN_JCC */
	VPMU_ROW(0xc5, 0x7e, ALL, MISSED_CONDITIONAL), /* BR_MISP_RETIRED.JCC */
	VPMU_ROW(0xc5, 0xeb, ALL, MISSED_INDIRECT), /* BR_MISP_RETIRED.NON_RETURN_IND */
	VPMU_ROW(0xc5, 0xf7, ALL, MISSED_RETURNS), /* BR_MISP_RETIRED.RETURN */
	VPMU_ROW(0xca, 0x50, ALL, FRONTEND_CYCLES), /* NO_ALLOC_CYCLES.NOT_DELIVERED */
	VPMU_ROW(0xcd, 0x01, ALL, DIVIDER_CYCLES), /* CYCLES_DIV_BUSY.ALL */
};

static const uint16_t silvermont_precise[] = {
	0x00c0, 0x00c4, 0x00c5, 0x0103, 0x0204, 0x0404, 0x0803, 0x0804, 0x2004, 0x7ec4, 0x7ec5, 0x80c4,
	0xbfc4, 0xebc4, 0xebc5, 0xf7c4, 0xf7c5, 0xf9c4, 0xfbc4, 0xfbc5, 0xfdc4, 0xfec4, 0xfec5,
};

const struct vpmu_event_table vpmu_table_silvermont = {
	TABLE_ROWS(silvermont_rows),
	TABLE_PRECISE(silvermont_precise),
};

/* --- knightslanding --- */

static const struct vpmu_event knightslanding_rows[] = {
	VPMU_ABSENT(0xc4, 0x80, 0, 0, 0), /* BR_INST_RETIRED.ALL_TAKEN_BRANCHES */
	VPMU_ABSENT(0xca, 0x50, 0, 0, 0), /* NO_ALLOC_CYCLES.NOT_DELIVERED */
	VPMU_ROW(0xca, 0x90, ALL, FRONTEND_CYCLES), /* NO_ALLOC_CYCLES.NOT_DELIVERED */
};

static const uint16_t knightslanding_precise[] = {
	0xbfc5, 0xf9c5, 0xfdc5,
};

static const uint16_t knightslanding_imprecise[] = {
	0x80c4,
};

const struct vpmu_event_table vpmu_table_knightslanding = {
	PARENT_TABLE(silvermont),
	TABLE_ROWS(knightslanding_rows),
	TABLE_PRECISE(knightslanding_precise),
	TABLE_IMPRECISE(knightslanding_imprecise),
};
/* clang-format on */
