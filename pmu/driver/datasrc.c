// SPDX-License-Identifier: BSD-2-Clause
/* datasrc.c - see datasrc.h. */
#include "pmu/driver/datasrc.h"

#define CODE         0xfull
#define STLB_MISS    (1ull << 4)
#define LOCKED       (1ull << 5)
#define STORE_HIT_L1 (1ull << 0)

struct row {
	uint16_t level; /* PERF_MEM_LVL_ */
	uint8_t number; /* PERF_MEM_LVLNUM_ */
	uint8_t remote;
	uint8_t snoop; /* PERF_MEM_SNOOP_ */
};

#define HIT  PERF_MEM_LVL_HIT
#define MISS PERF_MEM_LVL_MISS
#define ROW(level_, number_, remote_, snoop_)                                                  \
	{                                                                                      \
		.level = (level_), .number = PERF_MEM_LVLNUM_##number_,                        \
		.remote = PERF_MEM_REMOTE_REMOTE * (remote_), .snoop = PERF_MEM_SNOOP_##snoop_ \
	}

static const struct row rows[CODE + 1] = {
	[0x0] = ROW(PERF_MEM_LVL_L3 | MISS, L3, 0, NA), /* beyond the last level, not known where */
	[0x1] = ROW(PERF_MEM_LVL_L1 | HIT, L1, 0, NONE),
	[0x2] = ROW(PERF_MEM_LVL_LFB | HIT, LFB, 0, NONE),
	[0x3] = ROW(PERF_MEM_LVL_L2 | HIT, L2, 0, NONE),
	[0x4] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, NONE),
	[0x5] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, MISS),
	[0x6] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, HIT),
	[0x7] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, HITM),
	[0x8] = ROW(PERF_MEM_LVL_REM_CCE1 | HIT, L3, 1, HIT),
	[0x9] = ROW(PERF_MEM_LVL_REM_CCE1 | HIT, L3, 1, HITM),
	[0xa] = ROW(PERF_MEM_LVL_LOC_RAM | HIT, RAM, 0, HIT),
	[0xb] = ROW(PERF_MEM_LVL_REM_RAM1 | HIT, RAM, 1, HIT),
	[0xc] = ROW(PERF_MEM_LVL_LOC_RAM | HIT, RAM, 0, NONE),
	[0xd] = ROW(PERF_MEM_LVL_REM_RAM1 | HIT, RAM, 1, NONE),
	[0xe] = ROW(PERF_MEM_LVL_IO | HIT, NA, 0, NONE),
	[0xf] = ROW(PERF_MEM_LVL_UNC | HIT, NA, 0, NONE),
};

static uint64_t pebs_tlb_result(uint64_t code)
{
	if (code & STLB_MISS)
		return PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2;
	return PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2;
}

union perf_mem_data_src pmu_data_source_load(uint64_t code)
{
	const struct row *row = &rows[code & CODE];

	return (union perf_mem_data_src){
		.mem_op = PERF_MEM_OP_LOAD,
		.mem_lvl = row->level,
		.mem_lvl_num = row->number,
		.mem_remote = row->remote,
		.mem_snoop = row->snoop,
		.mem_dtlb = pebs_tlb_result(code),
		.mem_lock = code & LOCKED ? PERF_MEM_LOCK_LOCKED : 0,
	};
}

union perf_mem_data_src pmu_data_source_access(uint64_t code, uint64_t mem_op)
{
	union perf_mem_data_src src = {
		.mem_op = mem_op,
		.mem_lvl = PERF_MEM_LVL_NA,
		.mem_snoop = PERF_MEM_SNOOP_NA,
		.mem_lock = PERF_MEM_LOCK_NA,
		.mem_dtlb = PERF_MEM_TLB_NA,
	};

	if (mem_op == PERF_MEM_OP_STORE)
		src.mem_lvl = PERF_MEM_LVL_L1 | (code & STORE_HIT_L1 ? HIT : MISS);
	return src;
}
