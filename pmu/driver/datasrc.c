// SPDX-License-Identifier: BSD-2-Clause
/* datasrc.c - see datasrc.h. */
#include "pmu/driver/datasrc.h"

#define STORE_HIT_L1 (1ull << 0)

/* These values are newer than the kernel headers of the build. */
#define LVLNUM_L2_MHB 0x05 /* PERF_MEM_LVLNUM_L2_MHB: miss handling buffer of L2 */
#define LVLNUM_MSC    0x06 /* PERF_MEM_LVLNUM_MSC: memory-side cache */

struct row {
	uint16_t level; /* PERF_MEM_LVL_ */
	uint8_t number; /* PERF_MEM_LVLNUM_ */
	uint8_t remote;
	uint8_t snoop; /* PERF_MEM_SNOOP_ */
	uint8_t snoopx;
	bool known;
};

#define HIT  PERF_MEM_LVL_HIT
#define MISS PERF_MEM_LVL_MISS
#define ROW_BY(level_, number_, remote_, snoop_, snoopx_)                        \
	{                                                                        \
		.level = (level_), .number = (number_),                          \
		.remote = PERF_MEM_REMOTE_REMOTE * (remote_), .snoop = (snoop_), \
		.snoopx = (snoopx_), .known = true                               \
	}
#define ROW(level, number, remote, snoop) \
	ROW_BY(level, PERF_MEM_LVLNUM_##number, remote, PERF_MEM_SNOOP_##snoop, 0)
/* The data came with the answer to the snoop. */
#define FORWARDED(level, number, remote) \
	ROW_BY(level, PERF_MEM_LVLNUM_##number, remote, 0, PERF_MEM_SNOOPX_FWD)

#define CODES 0x20

static const struct row sandybridge[CODES] = {
	[0x0] = ROW(PERF_MEM_LVL_L3 | MISS, L3, 0, NA), /* beyond the last level, source unknown */
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

/* The differences to the table above. `beyond` is a fourth level, or persistent memory. */
#define SKYLAKE(beyond)                                                       \
	[0x8] = ROW(HIT, beyond, 0, HIT), [0x9] = ROW(HIT, beyond, 1, HIT),   \
	[0xb] = ROW(HIT, RAM, 1, NONE), [0xc] = FORWARDED(HIT, ANY_CACHE, 1), \
	[0xd] = ROW(HIT, ANY_CACHE, 1, HITM)

static const struct row skylake[CODES] = {SKYLAKE(L4)};
static const struct row skylakex[CODES] = {SKYLAKE(PMEM)};

static const struct row gracemont[CODES] = {
	[0x5] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, HIT),
	[0x6] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, HITM),
	[0x8] = FORWARDED(PERF_MEM_LVL_L3 | HIT, L3, 0),
};

static const struct row crestmont[CODES] = {
	[0x7] = FORWARDED(PERF_MEM_LVL_L3 | HIT, L3, 0),
	[0x8] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, HITM),
	[0xa] = ROW(PERF_MEM_LVL_LOC_RAM | HIT, RAM, 0, NONE),
	[0xb] = ROW(HIT, RAM, 1, NONE),
	[0xc] = FORWARDED(HIT, RAM, 1),
	[0xd] = ROW(HIT, RAM, 1, HITM),
};

static const struct row lioncove[CODES] = {
	[0x00] = ROW(PERF_MEM_LVL_L3 | MISS, L3, 0, NA),
	[0x01] = ROW(PERF_MEM_LVL_L1 | HIT, L1, 0, NONE),
	[0x02] = ROW(PERF_MEM_LVL_L1 | HIT, L1, 0, NONE),
	[0x03] = ROW(PERF_MEM_LVL_LFB | HIT, LFB, 0, NONE),
	[0x05] = ROW(PERF_MEM_LVL_L2 | HIT, L2, 0, NONE),
	[0x06] = ROW_BY(HIT, LVLNUM_L2_MHB, 0, PERF_MEM_SNOOP_NONE, 0),
	[0x08] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, NONE),
	[0x0c] = FORWARDED(PERF_MEM_LVL_L3 | HIT, L3, 0),
	[0x0d] = ROW(PERF_MEM_LVL_L3 | HIT, L3, 0, HITM),
	[0x0f] = ROW(PERF_MEM_LVL_L3 | MISS, L3, 0, HITM),
	[0x10] = ROW_BY(HIT, LVLNUM_MSC, 0, PERF_MEM_SNOOP_NONE, 0),
	[0x11] = ROW(PERF_MEM_LVL_LOC_RAM | HIT, RAM, 0, NONE),
};

static const struct row unknown = ROW(0, NA, 0, NA);

/* The layout of the code; a bit of 0: the core does not report that fact. */
static const struct layout {
	const struct row *rows, *others; /* rows that `rows` lacks; NULL: none */
	uint16_t code, stlb_miss, locked, data_blocked, address_blocked;
} layouts[UARCH_NSOURCE_TABLES] = {
	[UARCH_SOURCES_SANDYBRIDGE] = {sandybridge, NULL, 0xf, 1 << 4, 1 << 5, 0, 0},
	[UARCH_SOURCES_SKYLAKE] = {skylake, sandybridge, 0xf, 1 << 4, 1 << 5, 0, 0},
	[UARCH_SOURCES_SKYLAKEX] = {skylakex, sandybridge, 0xf, 1 << 4, 1 << 5, 0, 0},
	[UARCH_SOURCES_GOLDENCOVE] = {skylake, sandybridge, 0xf, 1 << 4, 1 << 5, 1 << 6, 1 << 7},
	[UARCH_SOURCES_SAPPHIRERAPIDS] = {skylakex, sandybridge, 0xf, 1 << 4, 1 << 5, 1 << 6,
					  1 << 7},
	[UARCH_SOURCES_GRACEMONT] = {gracemont, sandybridge, 0xf, 1 << 5, 1 << 4, 1 << 6, 0},
	[UARCH_SOURCES_CRESTMONT] = {crestmont, sandybridge, 0x1f, 1 << 6, 1 << 5, 1 << 7, 0},
	[UARCH_SOURCES_LIONCOVE] = {lioncove, NULL, 0xff, 1 << 10, 1 << 11, 1 << 12, 1 << 13},
};

static const struct row *find_row(const struct layout *l, uint64_t code)
{
	code &= l->code;
	if (code < CODES && l->rows[code].known)
		return &l->rows[code];
	if (code < CODES && l->others && l->others[code].known)
		return &l->others[code];
	return &unknown;
}

static uint64_t pebs_tlb_result(bool stlb_miss)
{
	if (stlb_miss)
		return PERF_MEM_TLB_MISS | PERF_MEM_TLB_L2;
	return PERF_MEM_TLB_HIT | PERF_MEM_TLB_L1 | PERF_MEM_TLB_L2;
}

/* Returns 0 if the core does not report it. */
static uint64_t blocked_by(const struct layout *l, uint64_t code)
{
	const uint64_t by = (code & l->data_blocked ? PERF_MEM_BLK_DATA : 0) |
			    (code & l->address_blocked ? PERF_MEM_BLK_ADDR : 0);

	if (!l->data_blocked)
		return 0;
	return by ? by : PERF_MEM_BLK_NA;
}

union perf_mem_data_src pmu_data_source_load(enum uarch_sources sources, uint64_t code)
{
	const struct layout *l = &layouts[sources];
	const struct row *row = find_row(l, code);

	return (union perf_mem_data_src){
		.mem_op = PERF_MEM_OP_LOAD,
		.mem_lvl = row->level,
		.mem_lvl_num = row->number,
		.mem_remote = row->remote,
		.mem_snoop = row->snoop,
		.mem_snoopx = row->snoopx,
		.mem_dtlb = pebs_tlb_result(code & l->stlb_miss),
		.mem_lock = code & l->locked ? PERF_MEM_LOCK_LOCKED : 0,
		.mem_blk = blocked_by(l, code),
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
