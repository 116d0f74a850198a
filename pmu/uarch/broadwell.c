// SPDX-License-Identifier: BSD-2-Clause
/*
 * broadwell.c - Broadwell, client, server and Xeon D. Source: Intel's event files `broadwell`,
 * `broadwellx` and `broadwellde`, columns Counter and CounterHTOff. Some selects have two names
 * there, one on the low counters only, one on all (0x3c umask 2, 0xa3 umasks 2, 4, 5, 6): the table
 * has the narrower constraint. The files have MEM_TRANS_RETIRED on counter 3, where Linux uses the
 * low four: the table follows the files. The files use bits 30:23 of the off-core registers on the
 * client, too, where Linux masks them.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_NOT_EVENT(0xb1, 0x01, "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC"),
	UARCH_ROW(UARCH_SELECT(0xa3, 0), UARCH_CODE, 0x04, "CYCLE_ACTIVITY", UARCH_FIELD,
		  .until = UARCH_LINUX_RC(4, 3, 4)),
	UARCH_EVENTS(0xa0, UARCH_LOW4, "UOP_DISPATCHES_CANCELLED.SIMD_PRF"),
	UARCH_EVENT(0xa3, 0x02, UARCH_LOW4, "CYCLE_ACTIVITY.CYCLES_MEM_ANY"),
	UARCH_EVENT(0xa3, 0x08, 0x04, "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	UARCH_EVENT(0xa3, 0x0c, 0x04, "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(1), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_1_UOP_EXEC", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(1) | EVTSEL_INV, UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.STALL_CYCLES", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(2), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_2_UOPS_EXEC", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(3), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_3_UOPS_EXEC", UARCH_PERFMON),
	UARCH_ROW(UARCH_SELECT(0xb1, 0x01) | UARCH_CMASK(4), UARCH_FULL, UARCH_LOW4,
		  "UOPS_EXECUTED.CYCLES_GE_4_UOPS_EXEC", UARCH_PERFMON),
	UARCH_EVENTS(0xc7, UARCH_LOW4, "FP_ARITH_INST_RETIRED"),
	UARCH_EVENTS(0xcd, 0x08, "MEM_TRANS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd0, UARCH_LOW4, "MEM_UOPS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd1, UARCH_LOW4, "MEM_LOAD_UOPS_RETIRED", .since = UARCH_LINUX_RC(4, 7, 7)),
	UARCH_EVENTS(0xd2, UARCH_LOW4, "MEM_LOAD_UOPS_L3_HIT_RETIRED",
		     .since = UARCH_LINUX_RC(4, 7, 7)),
};

static const struct uarch_cache cache[] = {
	/* OFFCORE_RESPONSE_0: any response, beyond the last level; local memory, remote memory */
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10001, 0x1fbc000001),
	UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10002, 0x1fbc000002),
	UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0xb7, 0x01), 0x1f84000001, 0x1fb8000001),
	UARCH_CACHE_OFFCORE(NODE, WRITE, UARCH_SELECT(0xb7, 0x01), 0x1f84000002, 0x1fb8000002),
};

/* Errata BDM11 (a period is at least 100) and BDM55 (its lowest six bits are 0). */
static const struct uarch_setting settings[] = {
	UARCH_SETTING(INST_RETIRED_ALL, UARCH_EXACT, 0, 128, 64, "BDM11 and BDM55"),
};

const struct uarch uarch_broadwell = {
	.name = "broadwell",
	.aliases = "bdw",
	.pfm = "bdw",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x3d, .last = 0x3d},
		   {.family = 6, .first = 0x47, .last = 0x47}},
	.like = &uarch_haswell,
	UARCH_SETTINGS(settings),
	.precise = &uarch_precise_broadwell,
	UARCH_CACHES(cache),
	UARCH_CONSTRAINTS(constraints),
};

const struct uarch uarch_broadwellx = {
	.name = "broadwellx",
	.aliases = "bdx bdw_ep",
	.pfm = "bdw_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x4f, .last = 0x4f}},
	.like = &uarch_broadwell,
	.precise = &uarch_precise_broadwellx,
};

const struct uarch uarch_broadwellde = {
	.name = "broadwellde",
	.aliases = "bde bdw_de",
	.pfm = "bdw_ep",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0x56, .last = 0x56}},
	.like = &uarch_broadwellx,
};
