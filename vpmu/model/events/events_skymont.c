// SPDX-License-Identifier: BSD-2-Clause
/*
 * events_skymont.c - made by scripts/event-rows from Intel's event files; intel.names says what
 * the events count. A table has the differences to its parent's.
 */
#include "vpmu/model/events/event_rows.h"

/* clang-format off */

/* --- arrowlake_skymont --- */

static const struct vpmu_event arrowlake_skymont_rows[] = {
	VPMU_ROW(0x24, 0x07, ALL, L2_ALL), /* L2_REQUEST.ALL */
	VPMU_ABSENT(0x71, 0x00, 0, 0, 0), /* TOPDOWN_FE_BOUND.ALL */
	VPMU_ABSENT(0x72, 0x00, 0, 0, 0), /* TOPDOWN_RETIRING.ALL */
	VPMU_ABSENT(0x74, 0x00, 0, 0, 0), /* TOPDOWN_BE_BOUND.ALL */
	VPMU_ROW(0x80, 0x01, ALL, CODE_HITS), /* ICACHE.HIT */
	VPMU_ROW(0x9c, 0x01, ALL, FRONTEND_SLOTS), /* TOPDOWN_FE_BOUND.ALL_P */
	VPMU_ROW(0xa4, 0x02, ALL, BACKEND_SLOTS), /* TOPDOWN_BE_BOUND.ALL */
	VPMU_ROW(0xc2, 0x02, ALL, RETIRING_SLOTS), /* TOPDOWN_RETIRING.ALL_P */
	VPMU_ABSENT(0xc3, 0x01, 0, 0, 0), /* MACHINE_CLEARS.SMC */
	VPMU_ROW(0xc4, 0x7f, ALL, NOT_TAKEN), /* BR_INST_RETIRED.COND_NTAKEN */
};

static const uint16_t arrowlake_skymont_precise[] = {
	0x00e0, 0x00e1, 0x01c9, 0x01e0, 0x01e1, 0x02e1, 0x04c2, 0x04d1, 0x06c9, 0x0803, 0x08e1, 0x09d0,
	0x09e1, 0x0ad0, 0x0ec9, 0x10c7, 0x10c9, 0x1f03, 0x20c2, 0x20c9, 0x3fc7, 0x7fc4, 0x7fc5,
};

static const uint16_t arrowlake_skymont_imprecise[] = {
	0x0072, 0x10d4, 0x10e1, 0x11e1, 0x20d4,
};

const struct vpmu_event_table vpmu_table_arrowlake_skymont = {
	PARENT_TABLE(meteorlake_crestmont),
	TABLE_ROWS(arrowlake_skymont_rows),
	TABLE_PRECISE(arrowlake_skymont_precise),
	TABLE_IMPRECISE(arrowlake_skymont_imprecise),
};

/* --- lunarlake_skymont --- */

static const struct vpmu_event lunarlake_skymont_rows[] = {
	VPMU_ABSENT(0x34, 0x06, 0, 0, 0), /* MEM_BOUND_STALLS_LOAD.LLC_HIT */
	VPMU_ABSENT(0xd1, 0x1c, 0, 0, 0), /* MEM_LOAD_UOPS_RETIRED.L3_HIT */
	VPMU_ROW(0xd3, 0x01, ALL, LLC_MISSES), /* MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM */
};

static const uint16_t lunarlake_skymont_precise[] = {
	0x01d3, 0x10e1, 0x11e1, 0x40d3,
};

static const uint16_t lunarlake_skymont_imprecise[] = {
	0x02d4, 0x04d1, 0x06c9, 0x08d4, 0x1cd1,
};

const struct vpmu_event_table vpmu_table_lunarlake_skymont = {
	PARENT_TABLE(arrowlake_skymont),
	TABLE_ROWS(lunarlake_skymont_rows),
	TABLE_PRECISE(lunarlake_skymont_precise),
	TABLE_IMPRECISE(lunarlake_skymont_imprecise),
};

/* --- pantherlake_darkmont --- */

static const struct vpmu_event pantherlake_darkmont_rows[] = {
	VPMU_ABSENT(0x08, 0x10, 0, 0, 0), /* DTLB_LOAD_MISSES.WALK_PENDING */
	VPMU_ABSENT(0x24, 0x01, 0, 0, 0), /* L2_REQUEST.MISS */
	VPMU_ABSENT(0x24, 0x02, 0, 0, 0), /* L2_REQUEST.HIT */
	VPMU_ABSENT(0x24, 0x07, 0, 0, 0), /* L2_REQUEST.ALL */
	VPMU_ROW(0x24, 0x41, ALL, READS_TO_LLC), /* L2_REQUEST.DEMAND_DATA_RD_MISS */
	VPMU_ROW(0x24, 0x42, ALL, STORES_TO_LLC), /* L2_REQUEST.DEMAND_RFO_MISS */
	VPMU_ROW(0x24, 0x44, ALL, CODE_TO_LLC), /* L2_REQUEST.DEMAND_CODE_RD_MISS */
	VPMU_ROW(0x24, 0x7f, ALL, L2_ALL_MISSES), /* L2_REQUEST.MISS */
	VPMU_ROW(0x24, 0x81, ALL, READS_HIT_L2), /* L2_REQUEST.DEMAND_DATA_RD_HIT */
	VPMU_ROW(0x24, 0x82, ALL, STORES_HIT_L2), /* L2_REQUEST.DEMAND_RFO_HIT */
	VPMU_ROW(0x24, 0x84, ALL, CODE_HITS_L2), /* L2_REQUEST.DEMAND_CODE_RD_HIT */
	VPMU_ROW(0x24, 0xbf, ALL, L2_ALL_HITS), /* L2_REQUEST.HIT */
	VPMU_ROW(0x24, 0xc1, ALL, READS_TO_L2), /* L2_REQUEST.DEMAND_DATA_RD */
	VPMU_ROW(0x24, 0xc2, ALL, STORES_TO_L2), /* L2_REQUEST.DEMAND_RFO */
	VPMU_ROW(0x24, 0xc4, ALL, CODE_TO_L2), /* L2_REQUEST.DEMAND_CODE_RD */
	VPMU_ROW(0x24, 0xff, ALL, L2_ALL), /* L2_REQUEST.ALL */
	VPMU_ROW(0x34, 0x38, ALL, STALLED_LLC_MISS), /* MEM_BOUND_STALLS_LOAD.LLC_MISS */
	VPMU_ABSENT(0x34, 0x78, 0, 0, 0), /* MEM_BOUND_STALLS_LOAD.LLC_MISS */
	VPMU_ABSENT(0x49, 0x10, 0, 0, 0), /* DTLB_STORE_MISSES.WALK_PENDING */
	VPMU_ROW(0xc3, 0x01, ALL, NEVER), /* MACHINE_CLEARS.SMC */
	VPMU_ROW(0xc4, 0x03, ALL, COND_TAKEN), /* BR_INST_RETIRED.COND_TAKEN */
	VPMU_ROW(0xc4, 0x04, ALL, NOT_TAKEN), /* BR_INST_RETIRED.COND_NTAKEN */
	VPMU_ROW(0xc4, 0x07, ALL, CONDITIONAL), /* BR_INST_RETIRED.COND */
	VPMU_ROW(0xc4, 0x08, ALL, RETURNS), /* BR_INST_RETIRED.NEAR_RETURN */
	VPMU_ROW(0xc4, 0x10, ALL, INDIRECT_CALLED), /* BR_INST_RETIRED.NEAR_INDIRECT_CALL */
	VPMU_ROW(0xc4, 0x20, ALL, DIRECT_CALLED), /* BR_INST_RETIRED.NEAR_DIRECT_CALL */
	VPMU_ROW(0xc4, 0x30, ALL, CALLS), /* BR_INST_RETIRED.NEAR_CALL */
	VPMU_ROW(0xc4, 0x40, ALL, INDIRECT_JUMPED), /* BR_INST_RETIRED.NEAR_INDIRECT_JMP */
	VPMU_ROW(0xc4, 0x50, ALL, INDIRECT), /* BR_INST_RETIRED.NEAR_INDIRECT */
	VPMU_ABSENT(0xc4, 0x7e, 0, 0, 0), /* BR_INST_RETIRED.COND */
	VPMU_ABSENT(0xc4, 0x7f, 0, 0, 0), /* BR_INST_RETIRED.COND_NTAKEN */
	VPMU_ABSENT(0xc4, 0x80, 0, 0, 0), /* BR_INST_RETIRED.TAKEN */
	VPMU_ABSENT(0xc4, 0xbf, 0, 0, 0), /* BR_INST_RETIRED.FAR_BRANCH */
	VPMU_ABSENT(0xc4, 0xc0, 0, 0, 0), /* BR_INST_RETIRED.NEAR_TAKEN */
	VPMU_ABSENT(0xc4, 0xeb, 0, 0, 0), /* BR_INST_RETIRED.INDIRECT */
	VPMU_ABSENT(0xc4, 0xef, 0, 0, 0), /* BR_INST_RETIRED.INDIRECT_JMP */
	VPMU_ABSENT(0xc4, 0xf7, 0, 0, 0), /* BR_INST_RETIRED.NEAR_RETURN */
	VPMU_ABSENT(0xc4, 0xf9, 0, 0, 0), /* BR_INST_RETIRED.NEAR_CALL */
	VPMU_ROW(0xc4, 0xfb, ALL, NEAR_TAKEN), /* BR_INST_RETIRED.NEAR_TAKEN */
	VPMU_ABSENT(0xc4, 0xfd, 0, 0, 0), /* BR_INST_RETIRED.REL_CALL */
	VPMU_ABSENT(0xc4, 0xfe, 0, 0, 0), /* BR_INST_RETIRED.COND_TAKEN */
	VPMU_ROW(0xc5, 0x08, ALL, MISSED_RETURNS), /* BR_MISP_RETIRED.NEAR_RETURN */
	VPMU_ROW(0xc5, 0x50, ALL, MISSED_INDIRECT), /* BR_MISP_RETIRED.NEAR_INDIRECT */
	VPMU_ABSENT(0xc5, 0x7e, 0, 0, 0), /* BR_MISP_RETIRED.COND */
	VPMU_ABSENT(0xc5, 0xeb, 0, 0, 0), /* BR_MISP_RETIRED.INDIRECT */
	VPMU_ABSENT(0xc5, 0xf7, 0, 0, 0), /* BR_MISP_RETIRED.RETURN */
	VPMU_KIND(0xd0, 0x05, ALL, LD_LAT, LOADS_LATENT), /* MEM_UOPS_RETIRED */
	VPMU_ABSENT(0xd1, 0x20, 0, 0, 0), /* MEM_LOAD_UOPS_RETIRED.WCB_HIT */
	VPMU_ROW(0xd3, 0x01, ALL, LLC_MISSES), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM */
};

static const uint16_t pantherlake_darkmont_precise[] = {
	0x01c4, 0x01d3, 0x02c4, 0x02c9, 0x03c4, 0x03c5, 0x04c4, 0x04c5, 0x04c9, 0x07c4, 0x08c4, 0x08c5,
	0x08c9, 0x10c4, 0x10d1, 0x10d4, 0x10e1, 0x11e1, 0x20c4, 0x20d4, 0x30c4, 0x40c2, 0x40c4, 0x40d3,
	0x50c4, 0x50c5, 0x58c4, 0x80c2, 0xffd3,
};

static const uint16_t pantherlake_darkmont_imprecise[] = {
	0x00c6, 0x00e0, 0x00e1, 0x01c6, 0x01e0, 0x01e1, 0x02c6, 0x02d4, 0x02e1, 0x04c6, 0x08c6, 0x08e1,
	0x09e1, 0x20d1, 0x40c6, 0x7ec4, 0x7ec5, 0x7fc4, 0x7fc5, 0x80c5, 0x80c6, 0xbfc4, 0xdfc4, 0xebc4,
	0xebc5, 0xefc4, 0xefc5, 0xf7c4, 0xf7c5, 0xf9c4, 0xfbc5, 0xfdc4, 0xfec4, 0xfec5,
};

const struct vpmu_event_table vpmu_table_pantherlake_darkmont = {
	PARENT_TABLE(arrowlake_skymont),
	TABLE_ROWS(pantherlake_darkmont_rows),
	TABLE_PRECISE(pantherlake_darkmont_precise),
	TABLE_IMPRECISE(pantherlake_darkmont_imprecise),
};

/* --- clearwaterforest --- */

static const struct vpmu_event clearwaterforest_rows[] = {
	VPMU_ABSENT(0x34, 0x38, 0, 0, 0), /* MEM_BOUND_STALLS_LOAD.LLC_MISS */
	VPMU_ABSENT(0x34, 0x7e, 0, 0, 0), /* MEM_BOUND_STALLS_LOAD.L2_MISS */
	VPMU_ABSENT(0x34, 0x7f, 0, 0, 0), /* MEM_BOUND_STALLS_LOAD.ALL */
	VPMU_ABSENT(0xc2, 0x00, 0, 0, 0), /* UOPS_RETIRED.ALL */
	VPMU_ROW(0xd3, 0x02, ALL, NEVER), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_DRAM_OR_NOFWD */
	VPMU_ROW(0xd3, 0x04, ALL, NEVER), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_NONM */
	VPMU_ROW(0xd3, 0x08, ALL, NEVER), /* MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_HITM */
};

static const uint16_t clearwaterforest_precise[] = {
	0x00c6, 0x01c6, 0x02c6, 0x02d3, 0x04c6, 0x04d3, 0x08c6, 0x08d3, 0x40c6, 0x40c9, 0x80c6,
};

static const uint16_t clearwaterforest_imprecise[] = {
	0x08c2, 0x40d3,
};

const struct vpmu_event_table vpmu_table_clearwaterforest = {
	PARENT_TABLE(pantherlake_darkmont),
	TABLE_ROWS(clearwaterforest_rows),
	TABLE_PRECISE(clearwaterforest_precise),
	TABLE_IMPRECISE(clearwaterforest_imprecise),
};
/* clang-format on */
