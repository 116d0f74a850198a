// SPDX-License-Identifier: BSD-2-Clause
/*
 * uarch.c - the personalities: which PMU each pretends to be, and what its events count.
 *
 * What an event counts is a model, not a measurement. Every one is a fixed ratio of what vpmu knows
 * exactly: instructions, and the guest's share of the TSC. The ratios tell one consistent story:
 * every 5th instruction is a branch, and every 20th of those is mispredicted; every 4th instruction
 * loads and every 8th stores; of the loads 95 % hit L1, of the rest 80 % hit L2, of the rest
 * 80 % hit the last level. Stalls are fixed shares of the cycles. Of off-core responses and
 * front-end stalls each kind that is asked for is as frequent as the next.
 *
 * Which counters can count an event is fact: Intel's published event files (haswell, skylakex,
 * icelakex) and the PPR of family 19h, where large increments take an even counter. An event that
 * is not here never increments.
 */
#include "vpmu/model/model.h"

#include "arch/x86/msr.h"
#include "lib/string.h"

#define ALL  0xff /* every general counter that there is */
#define LOW4 0x0f

#define UMASK_SHIFT        8
#define CMASK_SHIFT        24
#define AMD_EVENT_HI_SHIFT 24 /* bits 35:32 of the selector become bits 11:8 of the event */

#define EVENT(c, u, on, what, title)                                               \
	{                                                                          \
		.code = (c), .umask = (u), .counters = (on), what, .name = (title) \
	}
/* Counts what a register selects. */
#define KINDS(c, u, on, reg, what, title)                                                     \
	{                                                                                     \
		.code = (c), .umask = (u), .counters = (on), .kinds = VPMU_KINDS_##reg, what, \
		.name = (title)                                                               \
	}
/* On AMD: "Large Increment per Cycle Events" */
#define LARGE(c, u, what, title)                                                                  \
	{                                                                                         \
		.code = (c), .umask = (u), .counters = 0x15, .large = true, what, .name = (title) \
	}
#define MASKED(c, u, mask, on, what, title)                                         \
	{                                                                           \
		.code = (c), .umask = (u), .cmask = (mask), .counters = (on), what, \
		.name = (title)                                                     \
	}

#define MASKED_NOT(c, u, mask, on, what, title)                                                  \
	{                                                                                        \
		.code = (c), .umask = (u), .cmask = (mask), .inv = true, .counters = (on), what, \
		.name = (title)                                                                  \
	}

#define RATIO(src, n, d) .source = (src), .num = (n), .den = (d)
#define INSNS(n, d)      RATIO(VPMU_SRC_INSTRUCTIONS, n, d)
#define CYCLES(n, d)     RATIO(VPMU_SRC_CYCLES, n, d)
#define REF_CYCLES(n, d) RATIO(VPMU_SRC_REF_CYCLES, n, d)
#define SLOTS(n, d)      RATIO(VPMU_SRC_SLOTS, n, d)
#define NEVER            RATIO(VPMU_SRC_NONE, 0, 1)

/* A ratio, and the counts that it stands for where these are not counted. */
#define PLUS(count)  (EVENTS_##count + 1)
#define MINUS(count) (-(EVENTS_##count + 1))
#define SUM(...)     .sum.term = {__VA_ARGS__}
#define MOST(n)      .sum.most = (n)

#define BRANCHES    INSNS(1, 5), SUM(PLUS(BRANCHES))
#define CONDITIONAL INSNS(3, 20), SUM(PLUS(CONDITIONAL))
#define TAKEN       INSNS(3, 20), SUM(PLUS(BRANCHES), MINUS(CONDITIONAL), PLUS(CONDITIONAL_TAKEN))
#define NEAR_TAKEN                                                                 \
	INSNS(3, 20), SUM(PLUS(BRANCHES), MINUS(FAR_BRANCHES), MINUS(CONDITIONAL), \
			  PLUS(CONDITIONAL_TAKEN))
#define NOT_TAKEN   INSNS(1, 20), SUM(PLUS(CONDITIONAL), MINUS(CONDITIONAL_TAKEN))
#define COND_TAKEN  INSNS(1, 10), SUM(PLUS(CONDITIONAL_TAKEN))
#define CALLS       INSNS(1, 50), SUM(PLUS(CALLS))
#define RETURNS     INSNS(1, 50), SUM(PLUS(RETURNS))
#define FAR         INSNS(1, 50000), SUM(PLUS(FAR_BRANCHES))
#define MISPREDICTS INSNS(1, 100), SUM(PLUS(MISPREDICTED))
#define LOADS       INSNS(1, 4), SUM(PLUS(LOADS))
#define STORES      INSNS(1, 8), SUM(PLUS(STORES))
#define LOCKS       INSNS(1, 50000), SUM(PLUS(LOCKED))
#define MEMORY      INSNS(3, 8), SUM(PLUS(LOADS), PLUS(STORES)), MOST(2)
#define L1_HITS     INSNS(19, 80), SUM(PLUS(L1D_LOADS), MINUS(L1D_LOAD_MISSES))
#define L1_MISSES   INSNS(1, 80), SUM(PLUS(L1D_LOAD_MISSES))
#define L2_HITS     INSNS(1, 100), SUM(PLUS(L2_LOAD_HITS))
#define L2_MISSES   INSNS(1, 400), SUM(PLUS(LLC_LOAD_HITS), PLUS(LLC_LOAD_MISSES))
#define LLC_HITS    INSNS(1, 500), SUM(PLUS(LLC_LOAD_HITS))
#define LLC_MISSES  INSNS(1, 2000), SUM(PLUS(LLC_LOAD_MISSES))
#define CODE_MISSES INSNS(1, 500), SUM(PLUS(L1I_MISSES))
#define FRONT_STALL INSNS(1, 200)
#define UOPS        INSNS(6, 5), SUM(PLUS(UOPS)), MOST(64)
#define FP_ADDS     INSNS(1, 10), SUM(PLUS(FLOPS_ADD_SUB)), MOST(16)
#define FP_MULTS    INSNS(1, 20), SUM(PLUS(FLOPS_MULTIPLY)), MOST(16)
#define FP_DIVS     INSNS(1, 50000), SUM(PLUS(FLOPS_DIVIDE)), MOST(16)
#define FP_MACS     INSNS(1, 40), SUM(PLUS(FLOPS_FMA)), MOST(32)
/* The same ratios of other counts. */
#define RATIO_L1       INSNS(1, 80)
#define RATIO_L2       INSNS(1, 400)
#define RATIO_LLC      INSNS(1, 2000)
#define RATIO_WALKS    INSNS(1, 4000)
#define RATIO_WALKS_4K INSNS(1, 5000)
#define RATIO_STLB     INSNS(1, 1000)
#define LLC_ALL        RATIO_L2, SUM(PLUS(LLC_REFERENCES))
#define LLC_ALL_MISSES RATIO_LLC, SUM(PLUS(LLC_MISSES))
#define L2_ALL         RATIO_L1, SUM(PLUS(L2_REFERENCES))
#define L2_ALL_MISSES  RATIO_L2, SUM(PLUS(L2_MISSES))
#define L1_REPLACED    RATIO_L1, SUM(PLUS(L1D_REPLACEMENTS))
#define LOAD_WALKS     RATIO_WALKS, SUM(PLUS(DTLB_LOAD_WALKS))
#define STORE_WALKS    RATIO_WALKS, SUM(PLUS(DTLB_STORE_WALKS))
#define CODE_WALKS     RATIO_WALKS, SUM(PLUS(ITLB_WALKS))
#define LOAD_WALKS_4K  RATIO_WALKS_4K, SUM(PLUS(DTLB_LOAD_WALKS))
#define STORE_WALKS_4K RATIO_WALKS_4K, SUM(PLUS(DTLB_STORE_WALKS))
#define CODE_WALKS_4K  RATIO_WALKS_4K, SUM(PLUS(ITLB_WALKS))
#define LOAD_STLB      RATIO_STLB, SUM(PLUS(DTLB_LOAD_STLB_HITS))
#define STORE_STLB     RATIO_STLB, SUM(PLUS(DTLB_STORE_STLB_HITS))
#define CODE_STLB      RATIO_STLB, SUM(PLUS(ITLB_STLB_HITS))
#define DATA_TLB       RATIO_WALKS, SUM(PLUS(DTLB_LOAD_MISSES), PLUS(DTLB_STORE_MISSES)), MOST(4)
#define DATA_WALKS     RATIO_WALKS_4K, SUM(PLUS(DTLB_LOAD_WALKS), PLUS(DTLB_STORE_WALKS)), MOST(4)
#define LOADS_LATENT   RATIO_L1, SUM(PLUS(LATENT_LOADS))
#define SNOOP_HITS     INSNS(1, 50000), SUM(PLUS(LOADS_SHARED))
#define SNOOP_HITMS    INSNS(1, 50000), SUM(PLUS(LOADS_MODIFIED))
#define LOADS_ACROSS   INSNS(1, 50000), SUM(PLUS(SPLIT_LOADS)), MOST(8)
#define STORES_ACROSS  INSNS(1, 50000), SUM(PLUS(SPLIT_STORES)), MOST(8)
#define RARE           INSNS(1, 50000)

/* SDM vol. 3, "Pre-defined Architectural Performance Events", without top-down slots. */
#define INTEL_ARCHITECTURAL                                                             \
	EVENT(0x3c, 0x00, ALL, CYCLES(1, 1), "CPU_CLK_UNHALTED.THREAD_P"),              \
		EVENT(0xc0, 0x00, ALL, INSNS(1, 1), "INST_RETIRED.ANY_P"),              \
		EVENT(0x3c, 0x01, ALL, REF_CYCLES(1, 10), "CPU_CLK_UNHALTED.REF_XCLK"), \
		EVENT(0x2e, 0x4f, ALL, LLC_ALL, "LONGEST_LAT_CACHE.REFERENCE"),         \
		EVENT(0x2e, 0x41, ALL, LLC_ALL_MISSES, "LONGEST_LAT_CACHE.MISS"),       \
		EVENT(0xc4, 0x00, ALL, BRANCHES, "BR_INST_RETIRED.ALL_BRANCHES"),       \
		EVENT(0xc5, 0x00, ALL, MISPREDICTS, "BR_MISP_RETIRED.ALL_BRANCHES")

/* Events that all three Intel personalities count under the same codes and constraints; Skylake's
 * names. */
#define INTEL_COMMON                                                                       \
	EVENT(0x0e, 0x01, ALL, UOPS, "UOPS_ISSUED.ANY"),                                   \
		KINDS(0xb7, 0x01, LOW4, OFFCORE_0, RATIO_L2, "OFFCORE_RESPONSE_0"),        \
		KINDS(0xbb, 0x01, LOW4, OFFCORE_1, RATIO_L2, "OFFCORE_RESPONSE_1"),        \
		EVENT(0xc3, 0x02, ALL, RARE, "MACHINE_CLEARS.MEMORY_ORDERING"),            \
		EVENT(0xc3, 0x04, ALL, NEVER, "MACHINE_CLEARS.SMC"),                       \
		EVENT(0xc4, 0x02, ALL, CALLS, "BR_INST_RETIRED.NEAR_CALL"),                \
		EVENT(0xc4, 0x08, ALL, RETURNS, "BR_INST_RETIRED.NEAR_RETURN"),            \
		EVENT(0xc4, 0x10, ALL, NOT_TAKEN, "BR_INST_RETIRED.NOT_TAKEN"),            \
		EVENT(0xc4, 0x20, ALL, NEAR_TAKEN, "BR_INST_RETIRED.NEAR_TAKEN"),          \
		EVENT(0xc4, 0x40, ALL, FAR, "BR_INST_RETIRED.FAR_BRANCH"),                 \
		EVENT(0xd0, 0x11, LOW4, LOAD_WALKS, "MEM_INST_RETIRED.STLB_MISS_LOADS"),   \
		EVENT(0xd0, 0x12, LOW4, STORE_WALKS, "MEM_INST_RETIRED.STLB_MISS_STORES"), \
		EVENT(0xd0, 0x21, LOW4, LOCKS, "MEM_INST_RETIRED.LOCK_LOADS"),             \
		EVENT(0xd0, 0x41, LOW4, LOADS_ACROSS, "MEM_INST_RETIRED.SPLIT_LOADS"),     \
		EVENT(0xd0, 0x42, LOW4, STORES_ACROSS, "MEM_INST_RETIRED.SPLIT_STORES"),   \
		EVENT(0xd0, 0x81, LOW4, LOADS, "MEM_INST_RETIRED.ALL_LOADS"),              \
		EVENT(0xd0, 0x82, LOW4, STORES, "MEM_INST_RETIRED.ALL_STORES"),            \
		EVENT(0xd1, 0x01, LOW4, L1_HITS, "MEM_LOAD_RETIRED.L1_HIT"),               \
		EVENT(0xd1, 0x02, LOW4, L2_HITS, "MEM_LOAD_RETIRED.L2_HIT"),               \
		EVENT(0xd1, 0x04, LOW4, LLC_HITS, "MEM_LOAD_RETIRED.L3_HIT"),              \
		EVENT(0xd1, 0x08, LOW4, L1_MISSES, "MEM_LOAD_RETIRED.L1_MISS"),            \
		EVENT(0xd1, 0x10, LOW4, L2_MISSES, "MEM_LOAD_RETIRED.L2_MISS"),            \
		EVENT(0xd1, 0x20, LOW4, LLC_MISSES, "MEM_LOAD_RETIRED.L3_MISS"),           \
		EVENT(0xd1, 0x40, LOW4, RATIO_L1, "MEM_LOAD_RETIRED.FB_HIT"),              \
		EVENT(0xd2, 0x02, LOW4, SNOOP_HITS, "MEM_LOAD_L3_HIT_RETIRED.XSNP_HIT"),   \
		EVENT(0xd2, 0x04, LOW4, SNOOP_HITMS, "MEM_LOAD_L3_HIT_RETIRED.XSNP_HITM")

/* Page walks: the same codes on all three, on the low four counters only from Ice Lake on. */
#define INTEL_TLB(on)                                                                         \
	EVENT(0x08, 0x02, on, LOAD_WALKS_4K, "DTLB_LOAD_MISSES.WALK_COMPLETED_4K"),           \
		EVENT(0x08, 0x0e, on, LOAD_WALKS, "DTLB_LOAD_MISSES.WALK_COMPLETED"),         \
		EVENT(0x08, 0x20, on, LOAD_STLB, "DTLB_LOAD_MISSES.STLB_HIT"),                \
		EVENT(0x49, 0x02, on, STORE_WALKS_4K, "DTLB_STORE_MISSES.WALK_COMPLETED_4K"), \
		EVENT(0x49, 0x0e, on, STORE_WALKS, "DTLB_STORE_MISSES.WALK_COMPLETED"),       \
		EVENT(0x49, 0x20, on, STORE_STLB, "DTLB_STORE_MISSES.STLB_HIT"),              \
		EVENT(0x85, 0x02, on, CODE_WALKS_4K, "ITLB_MISSES.WALK_COMPLETED_4K"),        \
		EVENT(0x85, 0x0e, on, CODE_WALKS, "ITLB_MISSES.WALK_COMPLETED"),              \
		EVENT(0x85, 0x20, on, CODE_STLB, "ITLB_MISSES.STLB_HIT")

/* What Haswell has and Skylake kept. */
#define HASWELL_AND_SKYLAKE                                                                  \
	EVENT(0x08, 0x01, ALL, LOAD_WALKS, "DTLB_LOAD_MISSES.MISS_CAUSES_A_WALK"),           \
		EVENT(0x24, 0x27, ALL, L2_ALL_MISSES, "L2_RQSTS.ALL_DEMAND_MISS"),           \
		EVENT(0x24, 0xe1, ALL, L1_MISSES, "L2_RQSTS.ALL_DEMAND_DATA_RD"),            \
		EVENT(0x24, 0xff, ALL, L2_ALL, "L2_RQSTS.REFERENCES"),                       \
		EVENT(0x49, 0x01, ALL, STORE_WALKS, "DTLB_STORE_MISSES.MISS_CAUSES_A_WALK"), \
		EVENT(0x51, 0x01, ALL, L1_REPLACED, "L1D.REPLACEMENT"),                      \
		EVENT(0x85, 0x01, ALL, CODE_WALKS, "ITLB_MISSES.MISS_CAUSES_A_WALK"),        \
		EVENT(0xa2, 0x01, ALL, CYCLES(1, 4), "RESOURCE_STALLS.ANY"),                 \
		EVENT(0xc0, 0x01, 0x02, INSNS(1, 1), "INST_RETIRED.PREC_DIST"),              \
		EVENT(0xc4, 0x01, ALL, CONDITIONAL, "BR_INST_RETIRED.CONDITIONAL"),          \
		EVENT(0xc4, 0x04, LOW4, BRANCHES, "BR_INST_RETIRED.ALL_BRANCHES_PEBS"),      \
		EVENT(0xc5, 0x04, LOW4, MISPREDICTS, "BR_MISP_RETIRED.ALL_BRANCHES_PEBS")

static const struct vpmu_event haswell_events[] = {
	INTEL_ARCHITECTURAL,
	INTEL_COMMON,
	INTEL_TLB(ALL),
	HASWELL_AND_SKYLAKE,
	EVENT(0x80, 0x02, ALL, CODE_MISSES, "ICACHE.MISSES"),
	EVENT(0x85, 0x60, ALL, CODE_STLB, "ITLB_MISSES.STLB_HIT, all sizes"),
	EVENT(0x48, 0x01, 0x04, CYCLES(1, 4), "L1D_PEND_MISS.PENDING"),
	EVENT(0x48, 0x02, ALL, CYCLES(1, 20), "L1D_PEND_MISS.REQUEST_FB_FULL"),
	MASKED(0xa3, 0x01, 1, ALL, CYCLES(1, 6), "CYCLE_ACTIVITY.CYCLES_L2_PENDING"),
	MASKED(0xa3, 0x02, 2, LOW4, CYCLES(1, 3), "CYCLE_ACTIVITY.CYCLES_LDM_PENDING"),
	MASKED(0xa3, 0x04, 4, LOW4, CYCLES(1, 2), "CYCLE_ACTIVITY.CYCLES_NO_EXECUTE"),
	MASKED(0xa3, 0x05, 5, ALL, CYCLES(1, 8), "CYCLE_ACTIVITY.STALLS_L2_PENDING"),
	MASKED(0xa3, 0x06, 6, LOW4, CYCLES(1, 5), "CYCLE_ACTIVITY.STALLS_LDM_PENDING"),
	MASKED(0xa3, 0x08, 8, 0x04, CYCLES(1, 4), "CYCLE_ACTIVITY.CYCLES_L1D_PENDING"),
	MASKED(0xa3, 0x0c, 12, 0x04, CYCLES(1, 6), "CYCLE_ACTIVITY.STALLS_L1D_PENDING"),
	EVENT(0xb1, 0x02, ALL, UOPS, "UOPS_EXECUTED.CORE"),
	EVENT(0xc2, 0x01, ALL, UOPS, "UOPS_RETIRED.ALL"),
	EVENT(0xc2, 0x02, ALL, INSNS(1, 1), "UOPS_RETIRED.RETIRE_SLOTS"),
	KINDS(0xcd, 0x01, 0x08, LD_LAT, LOADS_LATENT, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
};

static const struct vpmu_event skylake_events[] = {
	INTEL_ARCHITECTURAL,
	INTEL_COMMON,
	INTEL_TLB(ALL),
	HASWELL_AND_SKYLAKE,
	EVENT(0x48, 0x01, ALL, CYCLES(1, 4), "L1D_PEND_MISS.PENDING"),
	EVENT(0x48, 0x02, ALL, CYCLES(1, 20), "L1D_PEND_MISS.FB_FULL"),
	EVENT(0x83, 0x02, ALL, CODE_MISSES, "ICACHE_64B.IFTAG_MISS"),
	EVENT(0x9c, 0x01, ALL, CYCLES(1, 5), "IDQ_UOPS_NOT_DELIVERED.CORE"),
	MASKED(0xa3, 0x01, 1, ALL, CYCLES(1, 6), "CYCLE_ACTIVITY.CYCLES_L2_MISS"),
	MASKED(0xa3, 0x02, 2, ALL, CYCLES(1, 12), "CYCLE_ACTIVITY.CYCLES_L3_MISS"),
	MASKED(0xa3, 0x04, 4, ALL, CYCLES(1, 2), "CYCLE_ACTIVITY.STALLS_TOTAL"),
	MASKED(0xa3, 0x05, 5, ALL, CYCLES(1, 8), "CYCLE_ACTIVITY.STALLS_L2_MISS"),
	MASKED(0xa3, 0x06, 6, ALL, CYCLES(1, 16), "CYCLE_ACTIVITY.STALLS_L3_MISS"),
	MASKED(0xa3, 0x08, 8, ALL, CYCLES(1, 4), "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	MASKED(0xa3, 0x0c, 12, ALL, CYCLES(1, 6), "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	MASKED(0xa3, 0x10, 16, ALL, CYCLES(1, 3), "CYCLE_ACTIVITY.CYCLES_MEM_ANY"),
	MASKED(0xa3, 0x14, 20, LOW4, CYCLES(1, 5), "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
	EVENT(0xb1, 0x01, ALL, UOPS, "UOPS_EXECUTED.THREAD"),
	MASKED_NOT(0xc0, 0x01, 10, 0x0d, CYCLES(1, 1), "INST_RETIRED.TOTAL_CYCLES_PS"),
	EVENT(0xc2, 0x02, ALL, UOPS, "UOPS_RETIRED.RETIRE_SLOTS"),
	KINDS(0xc6, 0x01, LOW4, FRONTEND, FRONT_STALL, "FRONTEND_RETIRED"),
	KINDS(0xcd, 0x01, LOW4, LD_LAT, LOADS_LATENT, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	EVENT(0xd0, 0x83, LOW4, MEMORY, "MEM_INST_RETIRED.ANY"),
};

static const struct vpmu_event icelake_events[] = {
	INTEL_ARCHITECTURAL,
	INTEL_COMMON,
	INTEL_TLB(LOW4),
	EVENT(0x24, 0x27, LOW4, L2_ALL_MISSES, "L2_RQSTS.ALL_DEMAND_MISS"),
	EVENT(0x24, 0xe1, LOW4, L1_MISSES, "L2_RQSTS.ALL_DEMAND_DATA_RD"),
	EVENT(0x48, 0x01, LOW4, CYCLES(1, 4), "L1D_PEND_MISS.PENDING"),
	EVENT(0x48, 0x02, LOW4, CYCLES(1, 20), "L1D_PEND_MISS.FB_FULL"),
	EVENT(0x51, 0x01, LOW4, L1_REPLACED, "L1D.REPLACEMENT"),
	EVENT(0x83, 0x02, LOW4, CODE_MISSES, "ICACHE_64B.IFTAG_MISS"),
	EVENT(0xa2, 0x08, ALL, CYCLES(1, 8), "RESOURCE_STALLS.SB"),
	MASKED(0xa3, 0x01, 1, LOW4, CYCLES(1, 6), "CYCLE_ACTIVITY.CYCLES_L2_MISS"),
	MASKED(0xa3, 0x04, 4, ALL, CYCLES(1, 2), "CYCLE_ACTIVITY.STALLS_TOTAL"),
	MASKED(0xa3, 0x05, 5, LOW4, CYCLES(1, 8), "CYCLE_ACTIVITY.STALLS_L2_MISS"),
	MASKED(0xa3, 0x06, 6, LOW4, CYCLES(1, 16), "CYCLE_ACTIVITY.STALLS_L3_MISS"),
	MASKED(0xa3, 0x08, 8, LOW4, CYCLES(1, 4), "CYCLE_ACTIVITY.CYCLES_L1D_MISS"),
	MASKED(0xa3, 0x0c, 12, LOW4, CYCLES(1, 6), "CYCLE_ACTIVITY.STALLS_L1D_MISS"),
	MASKED(0xa3, 0x10, 16, ALL, CYCLES(1, 3), "CYCLE_ACTIVITY.CYCLES_MEM_ANY"),
	MASKED(0xa3, 0x14, 20, ALL, CYCLES(1, 5), "CYCLE_ACTIVITY.STALLS_MEM_ANY"),
	EVENT(0xa4, 0x01, ALL, SLOTS(1, 1), "TOPDOWN.SLOTS_P"),
	EVENT(0xa4, 0x02, ALL, SLOTS(3, 5), "TOPDOWN.BACKEND_BOUND_SLOTS"),
	EVENT(0xa8, 0x01, LOW4, INSNS(1, 10), "LSD.UOPS"),
	EVENT(0xb1, 0x01, ALL, UOPS, "UOPS_EXECUTED.THREAD"),
	EVENT(0xc2, 0x02, ALL, UOPS, "UOPS_RETIRED.SLOTS"),
	EVENT(0xc4, 0x01, ALL, COND_TAKEN, "BR_INST_RETIRED.COND_TAKEN"),
	EVENT(0xc4, 0x11, ALL, CONDITIONAL, "BR_INST_RETIRED.COND"),
	KINDS(0xc6, 0x01, ALL, FRONTEND, FRONT_STALL, "FRONTEND_RETIRED"),
	KINDS(0xcd, 0x01, ALL, LD_LAT, LOADS_LATENT, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	EVENT(0xd0, 0x83, LOW4, MEMORY, "MEM_INST_RETIRED.ANY"),
};

/* Intel's event file `alderlake_goldencove`. */
static const struct vpmu_event goldencove_events[] = {
	INTEL_ARCHITECTURAL,
	EVENT(0x12, 0x02, LOW4, LOAD_WALKS_4K, "DTLB_LOAD_MISSES.WALK_COMPLETED_4K"),
	EVENT(0x12, 0x0e, LOW4, LOAD_WALKS, "DTLB_LOAD_MISSES.WALK_COMPLETED"),
	EVENT(0x13, 0x0e, LOW4, STORE_WALKS, "DTLB_STORE_MISSES.WALK_COMPLETED"),
	EVENT(0x11, 0x0e, LOW4, CODE_WALKS, "ITLB_MISSES.WALK_COMPLETED"),
	EVENT(0x11, 0x20, LOW4, CODE_STLB, "ITLB_MISSES.STLB_HIT"),
	KINDS(0x2a, 0x01, LOW4, OFFCORE_0, RATIO_L2, "OCR"),
	KINDS(0x2b, 0x01, LOW4, OFFCORE_1, RATIO_L2, "OCR"),
	EVENT(0x48, 0x01, LOW4, CYCLES(1, 4), "L1D_PEND_MISS.PENDING"),
	EVENT(0x51, 0x01, LOW4, L1_REPLACED, "L1D.REPLACEMENT"),
	EVENT(0xa4, 0x01, ALL, SLOTS(1, 1), "TOPDOWN.SLOTS_P"),
	EVENT(0xa4, 0x02, ALL, SLOTS(3, 5), "TOPDOWN.BACKEND_BOUND_SLOTS"),
	EVENT(0xae, 0x01, ALL, UOPS, "UOPS_ISSUED.ANY"),
	EVENT(0xb1, 0x01, ALL, UOPS, "UOPS_EXECUTED.THREAD"),
	EVENT(0xc2, 0x02, ALL, UOPS, "UOPS_RETIRED.SLOTS"),
	EVENT(0xc4, 0x01, ALL, COND_TAKEN, "BR_INST_RETIRED.COND_TAKEN"),
	EVENT(0xc4, 0x02, ALL, CALLS, "BR_INST_RETIRED.NEAR_CALL"),
	EVENT(0xc4, 0x08, ALL, RETURNS, "BR_INST_RETIRED.NEAR_RETURN"),
	EVENT(0xc4, 0x11, ALL, CONDITIONAL, "BR_INST_RETIRED.COND"),
	EVENT(0xc4, 0x20, ALL, NEAR_TAKEN, "BR_INST_RETIRED.NEAR_TAKEN"),
	KINDS(0xc6, 0x01, ALL, FRONTEND, FRONT_STALL, "FRONTEND_RETIRED"),
	KINDS(0xcd, 0x01, ALL, LD_LAT, LOADS_LATENT, "MEM_TRANS_RETIRED.LOAD_LATENCY"),
	EVENT(0xd0, 0x81, LOW4, LOADS, "MEM_INST_RETIRED.ALL_LOADS"),
	EVENT(0xd0, 0x82, LOW4, STORES, "MEM_INST_RETIRED.ALL_STORES"),
	EVENT(0xd0, 0x83, LOW4, MEMORY, "MEM_INST_RETIRED.ANY"),
	EVENT(0xd1, 0x01, LOW4, L1_HITS, "MEM_LOAD_RETIRED.L1_HIT"),
	EVENT(0xd1, 0x08, LOW4, L1_MISSES, "MEM_LOAD_RETIRED.L1_MISS"),
	EVENT(0xd1, 0x10, LOW4, L2_MISSES, "MEM_LOAD_RETIRED.L2_MISS"),
	EVENT(0xd1, 0x20, LOW4, LLC_MISSES, "MEM_LOAD_RETIRED.L3_MISS"),
};

/* Intel's event file `alderlake_gracemont`. */
static const struct vpmu_event gracemont_events[] = {
	INTEL_ARCHITECTURAL,
	EVENT(0x08, 0x0e, ALL, LOAD_WALKS, "DTLB_LOAD_MISSES.WALK_COMPLETED"),
	EVENT(0x49, 0x0e, ALL, STORE_WALKS, "DTLB_STORE_MISSES.WALK_COMPLETED"),
	EVENT(0x85, 0x0e, ALL, CODE_WALKS, "ITLB_MISSES.WALK_COMPLETED"),
	EVENT(0x0e, 0x00, ALL, UOPS, "UOPS_ISSUED.ANY"),
	EVENT(0x71, 0x00, ALL, SLOTS(1, 10), "TOPDOWN_FE_BOUND.ALL"),
	EVENT(0x73, 0x00, ALL, SLOTS(1, 10), "TOPDOWN_BAD_SPECULATION.ALL"),
	EVENT(0x74, 0x00, ALL, SLOTS(3, 5), "TOPDOWN_BE_BOUND.ALL"),
	EVENT(0xc2, 0x00, ALL, SLOTS(1, 5), "TOPDOWN_RETIRING.ALL"),
	EVENT(0x80, 0x02, ALL, CODE_MISSES, "ICACHE.MISSES"),
	EVENT(0x80, 0x03, ALL, INSNS(1, 4), "ICACHE.ACCESSES"),
	KINDS(0xb7, 0x01, ALL, OFFCORE_0, RATIO_L2, "OCR"),
	KINDS(0xb7, 0x02, ALL, OFFCORE_1, RATIO_L2, "OCR"),
	EVENT(0xd0, 0x81, ALL, LOADS, "MEM_UOPS_RETIRED.ALL_LOADS"),
	EVENT(0xd0, 0x82, ALL, STORES, "MEM_UOPS_RETIRED.ALL_STORES"),
	EVENT(0xd1, 0x08, ALL, L1_MISSES, "MEM_LOAD_UOPS_RETIRED.L1_MISS"),
	EVENT(0xd1, 0x10, ALL, L2_MISSES, "MEM_LOAD_UOPS_RETIRED.L2_MISS"),
};

/* PPR of family 19h, "Core Performance Monitor Counters": any counter counts any event. */
static const struct vpmu_event zen4_events[] = {
	LARGE(0x003, 0x01, FP_ADDS, "FP_RET_SSE_AVX_OPS.ADD_SUB_FLOPS"),
	LARGE(0x003, 0x02, FP_MULTS, "FP_RET_SSE_AVX_OPS.MULT_FLOPS"),
	LARGE(0x003, 0x04, FP_DIVS, "FP_RET_SSE_AVX_OPS.DIV_FLOPS"),
	LARGE(0x003, 0x08, FP_MACS, "FP_RET_SSE_AVX_OPS.MAC_FLOPS"),
	EVENT(0x029, 0x01, ALL, LOADS, "LS_DISPATCH.LD_DISPATCH"),
	EVENT(0x029, 0x02, ALL, STORES, "LS_DISPATCH.STORE_DISPATCH"),
	EVENT(0x029, 0x04, ALL, RARE, "LS_DISPATCH.LD_ST_DISPATCH"),
	EVENT(0x029, 0x07, ALL, MEMORY, "LS_DISPATCH.ANY"),
	EVENT(0x040, 0x00, ALL, MEMORY, "LS_DC_ACCESSES.ALL"),
	EVENT(0x043, 0x01, ALL, L2_HITS, "LS_DMND_FILLS_FROM_SYS.LCL_L2"),
	EVENT(0x043, 0x02, ALL, LLC_HITS, "LS_DMND_FILLS_FROM_SYS.LOCAL_CCX"),
	EVENT(0x043, 0x08, ALL, LLC_MISSES, "LS_DMND_FILLS_FROM_SYS.DRAM_IO_NEAR"),
	EVENT(0x044, 0x5f, ALL, L1_REPLACED, "LS_ANY_FILLS_FROM_SYS.ALL"),
	EVENT(0x045, 0xff, ALL, DATA_TLB, "LS_L1_D_TLB_MISS.ALL"),
	EVENT(0x045, 0xf0, ALL, DATA_WALKS, "LS_L1_D_TLB_MISS.ALL_L2_MISS"),
	EVENT(0x05a, 0xff, ALL, RATIO_L2, "LS_HW_PF_DC_FILLS.ALL"),
	EVENT(0x060, 0xc8, ALL, L1_MISSES, "L2_REQUEST_G1.DATA_READS"),
	EVENT(0x060, 0xff, ALL, L2_ALL, "L2_REQUEST_G1.ALL"),
	EVENT(0x064, 0x09, ALL, L2_ALL_MISSES, "L2_CACHE_REQ_STAT.IC_DC_MISS_IN_L2"),
	EVENT(0x064, 0xf6, ALL, L2_HITS, "L2_CACHE_REQ_STAT.IC_DC_HIT_IN_L2"),
	EVENT(0x076, 0x00, ALL, CYCLES(1, 1), "LS_NOT_HALTED_CYC"),
	EVENT(0x084, 0x00, ALL, CODE_STLB, "BP_L1_TLB_MISS_L2_TLB_HIT"),
	EVENT(0x085, 0xff, ALL, CODE_WALKS, "BP_L1_TLB_MISS_L2_TLB_MISS.ALL"),
	EVENT(0x0a9, 0x00, ALL, CYCLES(1, 5), "DE_OP_QUEUE_EMPTY"),
	EVENT(0x0c0, 0x00, ALL, INSNS(1, 1), "EX_RET_INSTR"),
	EVENT(0x0c1, 0x00, ALL, UOPS, "EX_RET_OPS"),
	EVENT(0x0c2, 0x00, ALL, BRANCHES, "EX_RET_BRN"),
	EVENT(0x0c3, 0x00, ALL, MISPREDICTS, "EX_RET_BRN_MISP"),
	EVENT(0x0c4, 0x00, ALL, TAKEN, "EX_RET_BRN_TKN"),
	EVENT(0x0c8, 0x00, ALL, RETURNS, "EX_RET_NEAR_RET"),
	EVENT(0x0d1, 0x00, ALL, CONDITIONAL, "EX_RET_COND"),
	EVENT(0x120, 0x01, ALL, REF_CYCLES(1, 1), "LS_P0_FREQ_NOT_HALTED_CYC"),
	EVENT(0x1a0, 0x01, ALL, SLOTS(1, 5), "DE_NO_DISPATCH_PER_SLOT.NO_OPS_FROM_FRONTEND"),
	EVENT(0x1a0, 0x1e, ALL, SLOTS(3, 5), "DE_NO_DISPATCH_PER_SLOT.BACKEND_STALLS"),
	EVENT(0x28f, 0x03, ALL, INSNS(9, 10), "OP_CACHE_HIT_MISS.OP_CACHE_HIT"),
	EVENT(0x28f, 0x04, ALL, INSNS(1, 10), "OP_CACHE_HIT_MISS.OP_CACHE_MISS"),
};

/* Intel's event files `haswell` and `skylakex`, column PEBS: umask and event select. */
#define PRECISE_COMMON                                                                          \
	0x01c0, 0x01c4, 0x02c4, 0x04c4, 0x08c4, 0x20c4, 0x01c5, 0x04c5, 0x20c5, 0x01cd, 0x11d0, \
		0x12d0, 0x21d0, 0x41d0, 0x42d0, 0x81d0, 0x82d0, 0x01d1, 0x02d1, 0x04d1, 0x08d1, \
		0x10d1, 0x20d1, 0x40d1, 0x02d2, 0x04d2
static const uint16_t haswell_precise[] = {PRECISE_COMMON, 0x01c2, 0x02c2};
static const uint16_t skylake_precise[] = {PRECISE_COMMON, 0x02c0, 0x40c4, 0x02c5,
					   0x08c5,         0x01c6, 0x83d0};

#define EVENTS(table)        .events = (table), .nevents = sizeof(table) / sizeof(*(table))
#define PRECISE(table)       .precise = (table), .nprecise = sizeof(table) / sizeof(*(table))
#define PEBS_RECORDS(format) (PERF_CAP_PEBS_IS(format) | PERF_CAP_PEBS_TRAP | PERF_CAP_PEBS_REGS)

/* Which one it is. */
#define IDENTITY(PART, id, maker, pfm) .name = #id, .part = VPMU_##PART, .vendor = VPMU_##maker

#define ADL                                                                              \
	VPMU_ROW_ADL(IDENTITY), .brand = "Intel Core i9-12900 (Alder Lake, perf0 vpmu)", \
				.signature = 0x00090672, .version = 5, .width = 48,      \
				.lvtpc_masks = true

static const struct vpmu_uarch gracemont = {
	ADL,
	.title = "Alder Lake, a small core",
	.core_type = VPMU_ATOM,
	.gp = {6, 6},
	.fixed = 3,
	.slots = 5,
	.arch_events = 7,
	.perf_capabilities = PERF_CAP_FW_WRITE | PEBS_RECORDS(4) | PERF_CAP_PEBS_BASELINE,
	.offcore_bits = 0xc03fffffffff,
	EVENTS(gracemont_events),
};

static const struct vpmu_uarch uarchs[] = {
	{
		VPMU_ROW_HSW(IDENTITY),
		.title = "Haswell",
		.brand = "Intel Core i7-4770 (Haswell, perf0 vpmu)",
		.signature = 0x000306c3,
		.version = 3,
		.gp = {8, 4},
		.fixed = 3,
		.width = 48,
		.slots = 4,
		.arch_events = 7,
		.lvtpc_masks = true,
		.perf_capabilities = PERF_CAP_FW_WRITE | PEBS_RECORDS(2),
		.offcore_bits = 0x3fffff8fff,
		PRECISE(haswell_precise),
		EVENTS(haswell_events),
	},
	{
		VPMU_ROW_SKX(IDENTITY),
		.title = "Skylake-SP",
		.brand = "Intel Xeon Gold 6130 (Skylake-SP, perf0 vpmu)",
		.signature = 0x00050654,
		.version = 4,
		.gp = {8, 4},
		.fixed = 3,
		.width = 48,
		.slots = 4,
		.arch_events = 7,
		.lvtpc_masks = true,
		.perf_capabilities = PERF_CAP_FW_WRITE | PEBS_RECORDS(3),
		.offcore_bits = 0x3fffff8fff,
		.frontend_bits = 0x7fff17,
		.tsx_force_abort = true,
		PRECISE(skylake_precise),
		EVENTS(skylake_events),
	},
	{
		VPMU_ROW_ICL(IDENTITY),
		.title = "Ice Lake",
		.brand = "Intel Core i7-1065G7 (Ice Lake, perf0 vpmu)",
		.signature = 0x000706e5,
		.version = 5,
		.gp = {8, 8},
		.fixed = 4,
		.width = 48,
		.slots = 5,
		.arch_events = 8,
		.lvtpc_masks = true,
		.perf_capabilities = PERF_CAP_FW_WRITE | PERF_CAP_METRICS | PEBS_RECORDS(4) |
				     PERF_CAP_PEBS_BASELINE,
		.offcore_bits = 0x3fffffbfff,
		.frontend_bits = 0x7fff17,
		EVENTS(icelake_events),
	},
	{
		ADL,
		.title = "Alder Lake",
		.core_type = VPMU_CORE,
		.small = &gracemont,
		.gp = {8, 8},
		.fixed = 4,
		.slots = 6,
		.arch_events = 8,
		.perf_capabilities = PERF_CAP_FW_WRITE | PERF_CAP_METRICS | PEBS_RECORDS(4) |
				     PERF_CAP_PEBS_BASELINE,
		.offcore_bits = 0x3fffffffff,
		.frontend_bits = 0x7fff1f,
		EVENTS(goldencove_events),
	},
	{
		VPMU_ROW_ZEN4(IDENTITY),
		.title = "Zen 4",
		.brand = "AMD Ryzen 9 7950X (Zen 4, perf0 vpmu)",
		.signature = 0x00a60f12,
		.version = 2,
		.gp = {6, 6},
		.fixed = 0,
		.width = 48,
		.slots = 6,
		/* FFV, fetches, ops, count can be read and set, counts ops, branch target,
		 * 27 bits, invalid RIPs are told, fused branches, extended fetch control,
		 * L3 misses only. */
		.ibs = 0xbff,
		EVENTS(zen4_events),
	},
};
_Static_assert(sizeof(uarchs) / sizeof(*uarchs) == VPMU_NUMBERS, "a personality without a row");
_Static_assert(VPMU_NUMBERS <= 8, "struct vpmu_uarch.part has a bit for each");

const struct vpmu_uarch *vpmu_uarch_list(size_t *count)
{
	*count = sizeof(uarchs) / sizeof(*uarchs);
	return uarchs;
}

const struct vpmu_uarch *vpmu_uarch_find(const char *name)
{
	size_t count;
	const struct vpmu_uarch *row = vpmu_uarch_list(&count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(row[i].name, name))
			return &row[i];
	return NULL;
}

const struct vpmu_uarch *vpmu_uarch_of(const struct vpmu_uarch *uarch, unsigned number,
				       unsigned cpus)
{
	return uarch->small && number >= (cpus + 1) / 2 ? uarch->small : uarch;
}

static bool masks_match(const struct vpmu_event *event, uint8_t cmask, bool inv)
{
	return event->cmask == cmask && event->inv == inv;
}

const struct vpmu_event *vpmu_uarch_event(const struct vpmu_uarch *uarch, unsigned i, uint64_t sel)
{
	unsigned code = sel & EVTSEL_EVENT;
	uint8_t umask = (uint8_t)(sel >> UMASK_SHIFT), cmask = (uint8_t)(sel >> CMASK_SHIFT);
	const struct vpmu_event *plain = NULL;

	if (uarch->vendor == VPMU_AMD)
		code |= (sel & EVTSEL_AMD_EVENT_HI) >> AMD_EVENT_HI_SHIFT;
	for (size_t k = 0; k < uarch->nevents; k++) {
		const struct vpmu_event *event = &uarch->events[k];

		if (event->code != code || event->umask != umask)
			continue;
		if (masks_match(event, cmask, sel & EVTSEL_INV))
			return event->counters >> i & 1 ? event : NULL;
		if (masks_match(event, 0, false) && event->counters >> i & 1)
			plain = event;
	}
	return plain;
}

uint32_t vpmu_uarch_counters(const struct vpmu_uarch *uarch, unsigned n, uint64_t sel)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < n; i++)
		counters |= vpmu_uarch_event(uarch, i, sel) ? 1u << i : 0;
	return counters;
}
