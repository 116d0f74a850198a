/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quantities.h - the quantities that events count: one list for the events of all personalities.
 *
 * ROW(NAME, ...): the counts of QEMU's plugin that make up the quantity, and a fixed ratio of
 * instructions or of the guest's TSC ticks, which is used without the plugin. The ratios are
 * consistent: every 5th instruction is a branch, and every 20th branch is mispredicted; every 4th
 * instruction loads and every 8th stores; 95 % of loads hit L1, 80 % of the rest hit L2, 80 % of
 * that rest hit the last level. Stalls are fixed shares of the cycles. Each kind of off-core
 * request and front-end stall is equally frequent. Rows without counts are always ratios.
 *
 * quantities.c has the macros of the rows.
 */
#ifndef VPMU_MODEL_QUANTITIES_H
#define VPMU_MODEL_QUANTITIES_H

#include "include/perf0/events_page.h"

#include <stdint.h>

/* Instructions, and the level at which loads and stores hit. */
#define VPMU_QUANTITIES_RETIRED(ROW)                                                               \
	ROW(INSTRUCTIONS, INSNS(1, 1))                                                             \
	ROW(REFERENCE, REF_CYCLES(1, 1))                                                           \
	ROW(BUS_CYCLES, REF_CYCLES(1, 10))                                                         \
	ROW(NEVER, RATIO(VPMU_SRC_NONE, 0, 1))                                                     \
	ROW(BRANCHES, INSNS(1, 5), SUM(PLUS(BRANCHES)))                                            \
	ROW(CONDITIONAL, INSNS(3, 20), SUM(PLUS(CONDITIONAL)))                                     \
	ROW(TAKEN, INSNS(3, 20), SUM(PLUS(BRANCHES), MINUS(CONDITIONAL), PLUS(CONDITIONAL_TAKEN))) \
	ROW(NEAR_TAKEN, INSNS(3, 20),                                                              \
	    SUM(PLUS(BRANCHES), MINUS(FAR_BRANCHES), MINUS(CONDITIONAL), PLUS(CONDITIONAL_TAKEN))) \
	ROW(NOT_TAKEN, INSNS(1, 20), SUM(PLUS(CONDITIONAL), MINUS(CONDITIONAL_TAKEN)))             \
	ROW(COND_TAKEN, INSNS(1, 10), SUM(PLUS(CONDITIONAL_TAKEN)))                                \
	ROW(CALLS, INSNS(1, 50), SUM(PLUS(CALLS)))                                                 \
	ROW(RETURNS, INSNS(1, 50), SUM(PLUS(RETURNS)))                                             \
	ROW(FAR, INSNS(1, 50000), SUM(PLUS(FAR_BRANCHES)))                                         \
	ROW(MISPREDICTS, INSNS(1, 100), SUM(PLUS(MISPREDICTED)))                                   \
	ROW(LOADS, INSNS(1, 4), SUM(PLUS(LOADS)))                                                  \
	ROW(STORES, INSNS(1, 8), SUM(PLUS(STORES)))                                                \
	ROW(LOCKS, INSNS(1, 50000), SUM(PLUS(LOCKED)))                                             \
	ROW(MEMORY, INSNS(3, 8), SUM(PLUS(LOADS), PLUS(STORES)), MOST(2))                          \
	ROW(L1_HITS, INSNS(19, 80),                                                                \
	    SUM(PLUS(L1D_LOADS), MINUS(L1D_LOAD_MISSES), MINUS(L1D_LATE_LOADS)), MOST(2))          \
	ROW(L1_MISSES, INSNS(1, 80), SUM(PLUS(L1D_LOAD_MISSES)), MOST(2))                          \
	ROW(L1_LATE, INSNS(1, 80), SUM(PLUS(L1D_LATE_LOADS)), MOST(2))                             \
	ROW(L2_HITS, INSNS(1, 100), SUM(PLUS(L2_LOAD_HITS)), MOST(2))                              \
	ROW(L2_MISSES, INSNS(1, 400), SUM(PLUS(LLC_LOAD_HITS), PLUS(LLC_LOAD_MISSES)), MOST(2))    \
	ROW(LLC_HITS, INSNS(1, 500), SUM(PLUS(LLC_LOAD_HITS)), MOST(2))                            \
	ROW(LLC_MISSES, INSNS(1, 2000), SUM(PLUS(LLC_LOAD_MISSES)), MOST(2))                       \
	ROW(CODE_LINES, INSNS(1, 4), SUM(PLUS(L1I_REFERENCES)), MOST(2))                           \
	ROW(CODE_HITS, INSNS(1, 4), SUM(PLUS(L1I_REFERENCES), MINUS(L1I_MISSES)), MOST(2))         \
	ROW(CODE_MISSES, INSNS(1, 500), SUM(PLUS(L1I_MISSES)), MOST(2))                            \
	ROW(FRONT_STALL, INSNS(1, 200))                                                            \
	ROW(UOPS, INSNS(6, 5), SUM(PLUS(UOPS)), MOST(64))                                          \
	ROW(X87, INSNS(1, 50000), SUM(PLUS(X87)))                                                  \
	ROW(DIVIDES, INSNS(1, 1000), SUM(PLUS(DIVIDES)))                                           \
	ROW(FP_ADDS, INSNS(1, 10), SUM(PLUS(FLOPS_ADD_SUB)), MOST(16))                             \
	ROW(FP_MULTS, INSNS(1, 20), SUM(PLUS(FLOPS_MULTIPLY)), MOST(16))                           \
	ROW(FP_DIVS, INSNS(1, 50000), SUM(PLUS(FLOPS_DIVIDE)), MOST(16))                           \
	ROW(FP_MACS, INSNS(1, 40), SUM(PLUS(FLOPS_FMA)), MOST(32))                                 \
	ROW(FP_ALL, INSNS(1, 5),                                                                   \
	    SUM(PLUS(FLOPS_ADD_SUB), PLUS(FLOPS_MULTIPLY), PLUS(FLOPS_DIVIDE), PLUS(FLOPS_FMA)),   \
	    MOST(32))                                                                              \
	ROW(LOOP_UOPS, INSNS(1, 10), SUM(PLUS(UOPS_LOOP)), MOST(64))                               \
	ROW(OP_CACHE_UOPS, INSNS(9, 10), SUM(PLUS(UOPS_OP_CACHE)), MOST(64))                       \
	ROW(DECODER_UOPS, INSNS(1, 10), SUM(PLUS(UOPS_DECODERS)), MOST(64))                        \
	ROW(MICROCODE_UOPS, INSNS(1, 50), SUM(PLUS(UOPS_MICROCODE)), MOST(4096))                   \
	ROW(MICROCODE_STARTS, INSNS(1, 500), SUM(PLUS(MICROCODED)))                                \
	ROW(JUMPS_FUSED, INSNS(1, 10), SUM(PLUS(FUSED_JUMPS)))                                     \
	ROW(OP_CACHE_LEFT, INSNS(1, 1000), SUM(PLUS(SWITCHES)))                                    \
	ROW(OP_CACHE_HITS, INSNS(9, 10))                                                           \
	ROW(OP_CACHE_MISSES, INSNS(1, 10))                                                         \
	ROW(OFFCORE, RATIO_L2)

/* Caches, TLBs, and accesses that cross lines or pages: many counts have the same ratio. */
#define VPMU_QUANTITIES_MISSES(ROW)                                                               \
	ROW(LLC_ALL, RATIO_L2, REQUESTS(PLUS(LLC_REFERENCES)))                                    \
	ROW(LLC_ALL_MISSES, RATIO_LLC, REQUESTS(PLUS(LLC_MISSES)))                                \
	ROW(L2_ALL, RATIO_L1, REQUESTS(PLUS(L2_REFERENCES)))                                      \
	ROW(L2_ALL_HITS, INSNS(1, 100), REQUESTS(PLUS(L2_REFERENCES), MINUS(L2_MISSES)))          \
	ROW(L2_ALL_MISSES, RATIO_L2, REQUESTS(PLUS(L2_MISSES)))                                   \
	ROW(L1_REPLACED, RATIO_L1, REQUESTS(PLUS(L1D_REPLACEMENTS)))                              \
	ROW(LOAD_WALKS, RATIO_WALKS, SUM(PLUS(DTLB_LOAD_WALKS)), MOST(2))                         \
	ROW(STORE_WALKS, RATIO_WALKS, SUM(PLUS(DTLB_STORE_WALKS)), MOST(2))                       \
	ROW(BOTH_WALKS, RATIO_WALKS, SUM(PLUS(DTLB_LOAD_WALKS), PLUS(DTLB_STORE_WALKS)), MOST(4)) \
	ROW(CODE_WALKS, RATIO_WALKS, SUM(PLUS(ITLB_WALKS)), MOST(2))                              \
	ROW(LOAD_WALKS_4K, RATIO_WALKS_4K, SUM(PLUS(DTLB_LOAD_WALKS)), MOST(2))                   \
	ROW(STORE_WALKS_4K, RATIO_WALKS_4K, SUM(PLUS(DTLB_STORE_WALKS)), MOST(2))                 \
	ROW(CODE_WALKS_4K, RATIO_WALKS_4K, SUM(PLUS(ITLB_WALKS)), MOST(2))                        \
	ROW(LOAD_STLB, RATIO_STLB, SUM(PLUS(DTLB_LOAD_STLB_HITS)), MOST(2))                       \
	ROW(STORE_STLB, RATIO_STLB, SUM(PLUS(DTLB_STORE_STLB_HITS)), MOST(2))                     \
	ROW(CODE_STLB, RATIO_STLB, SUM(PLUS(ITLB_STLB_HITS)), MOST(2))                            \
	ROW(DATA_TLB, RATIO_WALKS, SUM(PLUS(DTLB_LOAD_MISSES), PLUS(DTLB_STORE_MISSES)), MOST(4)) \
	ROW(DATA_WALKS, RATIO_WALKS_4K, SUM(PLUS(DTLB_LOAD_WALKS), PLUS(DTLB_STORE_WALKS)),       \
	    MOST(4))                                                                              \
	ROW(DATA_STLB, RATIO_STLB, SUM(PLUS(DTLB_LOAD_STLB_HITS), PLUS(DTLB_STORE_STLB_HITS)),    \
	    MOST(4))                                                                              \
	ROW(CODE_TLB, RATIO_STLB, SUM(PLUS(ITLB_MISSES)), MOST(2))                                \
	ROW(LOADS_LATENT, RATIO_L1, SUM(PLUS(LATENT_LOADS)))                                      \
	ROW(LOADS_ALIASED, INSNS(1, 50000), SUM(PLUS(LOADS_ALIASED)), MOST(8))                    \
	ROW(LOADS_BLOCKED, INSNS(1, 50000), SUM(PLUS(LOADS_BLOCKED)), MOST(8))                    \
	ROW(SNOOP_HITS, INSNS(1, 50000), SUM(PLUS(LOADS_SHARED)))                                 \
	ROW(SNOOP_HITMS, INSNS(1, 50000), SUM(PLUS(LOADS_MODIFIED)))                              \
	ROW(LOADS_ACROSS, INSNS(1, 50000), SUM(PLUS(SPLIT_LOADS)), MOST(8))                       \
	ROW(STORES_ACROSS, INSNS(1, 50000), SUM(PLUS(SPLIT_STORES)), MOST(8))                     \
	ROW(BOTH_ACROSS, INSNS(1, 50000), SUM(PLUS(SPLIT_LOADS), PLUS(SPLIT_STORES)), MOST(16))   \
	ROW(PAGES_ACROSS, INSNS(1, 50000), SUM(PLUS(PAGE_SPLIT_LOADS)), MOST(8))                  \
	ROW(RARE, INSNS(1, 50000))                                                                \
	ROW(REPEATS, INSNS(1, 100), SUM(PLUS(REP_ITERATIONS)))

/* Requests to L2 and, if they miss there, to the last level; by their purpose. */
#define VPMU_QUANTITIES_REQUESTS(ROW)                                                             \
	ROW(READS_TO_L2, RATIO_L1, REQUESTS(PLUS(L2_READS)))                                      \
	ROW(STORES_TO_L2, RATIO_L1, REQUESTS(PLUS(L2_STORES)))                                    \
	ROW(CODE_TO_L2, INSNS(1, 500), REQUESTS(PLUS(L1I_MISSES)))                                \
	ROW(DEMAND_TO_L2, RATIO_L1,                                                               \
	    REQUESTS(PLUS(L2_REFERENCES), MINUS(PREFETCHES), MINUS(L2_PREFETCHES),                \
		     MINUS(WALK_READS)))                                                          \
	ROW(WALKS_TO_L2, RATIO_WALKS, REQUESTS(PLUS(WALK_READS)))                                 \
	ROW(DEMAND_AND_WALKS_TO_L2, RATIO_L1,                                                     \
	    REQUESTS(PLUS(L2_REFERENCES), MINUS(PREFETCHES), MINUS(L2_PREFETCHES)))               \
	ROW(DATA_TO_L2, RATIO_L1, REQUESTS(PLUS(L2_READS), PLUS(L2_STORES)))                      \
	ROW(PREFETCHES_TO_L2, RATIO_L1, REQUESTS(PLUS(PREFETCHES)))                               \
	ROW(L2_PREFETCHES, RATIO_L1, REQUESTS(PLUS(L2_PREFETCHES)))                               \
	ROW(L2_PREFETCHES_HIT, INSNS(1, 100),                                                     \
	    REQUESTS(PLUS(L2_PREFETCHES), MINUS(L2_PREFETCH_MISSES)))                             \
	ROW(L2_PREFETCHES_TO_LLC, RATIO_L2, REQUESTS(PLUS(L2_PREFETCH_MISSES)))                   \
	ROW(L2_PREFETCHES_FROM_LLC, RATIO_L2,                                                     \
	    REQUESTS(PLUS(L2_PREFETCH_MISSES), MINUS(L2_PREFETCH_LLC_MISSES)))                    \
	ROW(L2_PREFETCHES_FROM_MEMORY, RATIO_LLC, REQUESTS(PLUS(L2_PREFETCH_LLC_MISSES)))         \
	ROW(L1_TO_L2, RATIO_L1, REQUESTS(PLUS(L2_REFERENCES), MINUS(L2_PREFETCHES)))              \
	ROW(L1_TO_LLC, RATIO_L2, REQUESTS(PLUS(L2_MISSES), MINUS(L2_PREFETCH_MISSES)))            \
	ROW(L1_HITS_L2, INSNS(1, 100),                                                            \
	    REQUESTS(PLUS(L2_REFERENCES), MINUS(L2_PREFETCHES), MINUS(L2_MISSES),                 \
		     PLUS(L2_PREFETCH_MISSES)))                                                   \
	ROW(READS_HIT_L2, INSNS(1, 100), REQUESTS(PLUS(L2_READS), MINUS(LLC_READS)))              \
	ROW(STORES_HIT_L2, INSNS(1, 100), REQUESTS(PLUS(L2_STORES), MINUS(LLC_STORES)))           \
	ROW(CODE_HITS_L2, INSNS(1, 500), REQUESTS(PLUS(L1I_MISSES), MINUS(L2_CODE_MISSES)))       \
	ROW(PREFETCHES_HIT_L2, INSNS(1, 100), REQUESTS(PLUS(PREFETCHES), MINUS(PREFETCH_MISSES))) \
	ROW(READS_TO_LLC, RATIO_L2, REQUESTS(PLUS(LLC_READS)))                                    \
	ROW(STORES_TO_LLC, RATIO_L2, REQUESTS(PLUS(LLC_STORES)))                                  \
	ROW(CODE_TO_LLC, RATIO_L2, REQUESTS(PLUS(L2_CODE_MISSES)))                                \
	ROW(DEMAND_TO_LLC, RATIO_L2,                                                              \
	    REQUESTS(PLUS(L2_MISSES), MINUS(PREFETCH_MISSES), MINUS(L2_PREFETCH_MISSES),          \
		     MINUS(WALK_READ_MISSES)))                                                    \
	ROW(WALKS_TO_LLC, RATIO_WALKS, REQUESTS(PLUS(WALK_READ_MISSES)))                          \
	ROW(DEMAND_AND_WALKS_TO_LLC, RATIO_L2,                                                    \
	    REQUESTS(PLUS(L2_MISSES), MINUS(PREFETCH_MISSES), MINUS(L2_PREFETCH_MISSES)))         \
	ROW(PREFETCHES_TO_LLC, RATIO_L2, REQUESTS(PLUS(PREFETCH_MISSES)))                         \
	ROW(DATA_TO_LLC, RATIO_L2, REQUESTS(PLUS(LLC_READS), PLUS(LLC_STORES)))                   \
	ROW(ALL_READS_TO_LLC, RATIO_L2,                                                           \
	    REQUESTS(PLUS(LLC_READS), PLUS(PREFETCH_MISSES), PLUS(L2_PREFETCH_MISSES)))           \
	ROW(READS_MISS_LLC, RATIO_LLC, REQUESTS(PLUS(LLC_READ_MISSES)))

/* The sources of data lines: of demand, of L1D's prefetchers, and of both. */
#define VPMU_QUANTITIES_SOURCES(ROW)                                                               \
	ROW(DATA_FROM_L2, INSNS(1, 100),                                                           \
	    REQUESTS(PLUS(L2_READS), PLUS(L2_STORES), MINUS(LLC_READS), MINUS(LLC_STORES)))        \
	ROW(DATA_FROM_LLC, INSNS(1, 500),                                                          \
	    REQUESTS(PLUS(LLC_READS), PLUS(LLC_STORES), MINUS(LLC_READ_MISSES),                    \
		     MINUS(LLC_STORE_MISSES)))                                                     \
	ROW(DATA_FROM_MEMORY, RATIO_LLC, REQUESTS(PLUS(LLC_READ_MISSES), PLUS(LLC_STORE_MISSES)))  \
	ROW(PREFETCHES_FROM_LLC, RATIO_L2,                                                         \
	    REQUESTS(PLUS(PREFETCH_MISSES), MINUS(PREFETCH_LLC_MISSES)))                           \
	ROW(PREFETCHES_FROM_MEMORY, RATIO_LLC, REQUESTS(PLUS(PREFETCH_LLC_MISSES)))                \
	ROW(ANY_FROM_L2, INSNS(1, 100),                                                            \
	    REQUESTS(PLUS(L2_READS), PLUS(L2_STORES), PLUS(PREFETCHES), MINUS(LLC_READS),          \
		     MINUS(LLC_STORES), MINUS(PREFETCH_MISSES)))                                   \
	ROW(ANY_FROM_LLC, INSNS(1, 500),                                                           \
	    REQUESTS(PLUS(LLC_READS), PLUS(LLC_STORES), PLUS(PREFETCH_MISSES),                     \
		     MINUS(LLC_READ_MISSES), MINUS(LLC_STORE_MISSES), MINUS(PREFETCH_LLC_MISSES))) \
	ROW(ANY_FROM_MEMORY, RATIO_LLC,                                                            \
	    REQUESTS(PLUS(LLC_READ_MISSES), PLUS(LLC_STORE_MISSES), PLUS(PREFETCH_LLC_MISSES)))

/* Time: stalls by cause, and cycles with pending loads. */
#define VPMU_QUANTITIES_TIME(ROW)                                                              \
	ROW(ALL_CYCLES, CYCLES(1, 1), SLOT_TIME(PLUS(SLOTS)))                                  \
	ROW(ALL_SLOTS, SLOTS(1, 1), SUM(PLUS(SLOTS)), MOST(VPMU_MOST_SLOTS))                   \
	ROW(RETIRING_SLOTS, SLOTS(1, 5), SUM(PLUS(UOPS)), MOST(64))                            \
	ROW(FRONTEND_CYCLES, CYCLES(1, 5), TIME(PLUS(STALLS_FRONTEND)))                        \
	ROW(FRONTEND_SLOTS, SLOTS(1, 10), LOST(PLUS(SLOTS_FRONTEND)))                          \
	ROW(FRONTEND_OK, CYCLES(4, 5), TIME(PLUS(CYCLES), MINUS(LATE_1)))                      \
	ROW(FRONTEND_SOME, CYCLES(4, 5), TIME(PLUS(CYCLES), MINUS(STALLS_FRONTEND)))           \
	ROW(FRONTEND_1, CYCLES(1, 5), TIME(PLUS(LATE_1)))                                      \
	ROW(FRONTEND_2, CYCLES(1, 5), TIME(PLUS(LATE_2)))                                      \
	ROW(FRONTEND_3, CYCLES(1, 5), TIME(PLUS(LATE_3)))                                      \
	ROW(FRONTEND_4, CYCLES(1, 5), TIME(PLUS(LATE_4)))                                      \
	ROW(FRONTEND_5, CYCLES(1, 5), TIME(PLUS(LATE_5)))                                      \
	ROW(EXECUTED, INSNS(6, 5), SUM(PLUS(EXECUTED)), MOST(64))                              \
	ROW(EXECUTING_1, CYCLES(1, 2), TIME(PLUS(EXECUTING_1)))                                \
	ROW(EXECUTING_2, CYCLES(1, 4), TIME(PLUS(EXECUTING_2)))                                \
	ROW(EXECUTING_3, CYCLES(1, 8), TIME(PLUS(EXECUTING_3)))                                \
	ROW(EXECUTING_4, CYCLES(1, 16), TIME(PLUS(EXECUTING_4)))                               \
	ROW(EXECUTING_5, CYCLES(1, 32), TIME(PLUS(EXECUTING_5)))                               \
	ROW(ONE_EXECUTES, CYCLES(1, 4), TIME(PLUS(EXECUTING_1), MINUS(EXECUTING_2)))           \
	ROW(TWO_EXECUTE, CYCLES(1, 8), TIME(PLUS(EXECUTING_2), MINUS(EXECUTING_3)))            \
	ROW(THREE_EXECUTE, CYCLES(1, 16), TIME(PLUS(EXECUTING_3), MINUS(EXECUTING_4)))         \
	ROW(FOUR_EXECUTE, CYCLES(1, 32), TIME(PLUS(EXECUTING_4), MINUS(EXECUTING_5)))          \
	ROW(TWO_OR_THREE_EXECUTE, CYCLES(3, 16), TIME(PLUS(EXECUTING_2), MINUS(EXECUTING_4)))  \
	ROW(STALLED_EXECUTE, CYCLES(1, 2), TIME(PLUS(STALLS_EXECUTE)))                         \
	ROW(STALLED_RETIRE, CYCLES(1, 2), TIME(PLUS(STALLS_RETIRE)))                           \
	ROW(RETIRING_CYCLES, CYCLES(1, 2), TIME(PLUS(RETIRING)))                               \
	ROW(REORDER_FULL, CYCLES(1, 16), TIME(PLUS(FULL_REORDER)))                             \
	ROW(SCHEDULER_FULL, CYCLES(1, 16), TIME(PLUS(FULL_SCHEDULER)))                         \
	ROW(LOADS_FULL, CYCLES(1, 64), TIME(PLUS(FULL_LOADS)))                                 \
	ROW(STORES_FULL, CYCLES(1, 8), TIME(PLUS(FULL_STORES)))                                \
	ROW(MEMORY_FULL, CYCLES(9, 64), TIME(PLUS(FULL_LOADS), PLUS(FULL_STORES)))             \
	ROW(MEMORY_SCHEDULER_FULL, CYCLES(13, 64),                                             \
	    TIME(PLUS(FULL_LOADS), PLUS(FULL_STORES), PLUS(FULL_SCHEDULER)))                   \
	ROW(SERIALIZED, CYCLES(1, 100), TIME(PLUS(SERIALIZED)))                                \
	ROW(SCHEDULER_EMPTY, CYCLES(1, 10), TIME(PLUS(SCHEDULER_EMPTY)))                       \
	ROW(RECOVERY_CYCLES, CYCLES(1, 40), TIME(PLUS(STALLS_BAD_SPECULATION)))                \
	ROW(ISSUED, SLOTS(1, 4), SUM(PLUS(UOPS), PLUS(WRONG_ISSUED)), MOST(64))                \
	ROW(RECOVERY_SLOTS, SLOTS(1, 10), LOST(PLUS(WRONG_PATH)))                              \
	ROW(BACKEND_CYCLES, CYCLES(1, 4), TIME(PLUS(STALLS_BACKEND)))                          \
	ROW(BACKEND_SLOTS, SLOTS(3, 5), LOST(PLUS(SLOTS_MEMORY), PLUS(SLOTS_CORE)))            \
	ROW(MEMORY_SLOTS, SLOTS(1, 5), LOST(PLUS(SLOTS_MEMORY)))                               \
	ROW(CORE_SLOTS, SLOTS(1, 5), LOST(PLUS(SLOTS_CORE)))                                   \
	ROW(STALLED, CYCLES(1, 2),                                                             \
	    TIME(PLUS(STALLS_FRONTEND), PLUS(STALLS_BAD_SPECULATION), PLUS(STALLS_BACKEND)))   \
	ROW(NOT_STALLED, CYCLES(1, 2),                                                         \
	    TIME(PLUS(CYCLES), MINUS(STALLS_FRONTEND), MINUS(STALLS_BAD_SPECULATION),          \
		 MINUS(STALLS_BACKEND)))                                                       \
	ROW(STALLED_LOADS, CYCLES(1, 5),                                                       \
	    TIME(PLUS(STALLS_L1), PLUS(STALLS_L2), PLUS(STALLS_LLC), PLUS(STALLS_MEMORY)))     \
	ROW(STALLED_L1D_MISS, CYCLES(1, 6),                                                    \
	    TIME(PLUS(STALLS_L2), PLUS(STALLS_LLC), PLUS(STALLS_MEMORY)))                      \
	ROW(STALLED_L2_MISS, CYCLES(1, 8), TIME(PLUS(STALLS_LLC), PLUS(STALLS_MEMORY)))        \
	ROW(STALLED_LLC_MISS, CYCLES(1, 16), TIME(PLUS(STALLS_MEMORY)))                        \
	ROW(STALLED_L2_HIT, CYCLES(1, 24), TIME(PLUS(STALLS_L2)))                              \
	ROW(STALLED_LLC_HIT, CYCLES(1, 16), TIME(PLUS(STALLS_LLC)))                            \
	ROW(STALLED_STORES, CYCLES(1, 8), TIME(PLUS(STALLS_STORES)))                           \
	ROW(PENDING_SUM, CYCLES(1, 4), SLOT_TIME(PLUS(MISS_SLOTS)))                            \
	ROW(PENDING_L1D, CYCLES(1, 4), SLOT_TIME(PLUS(PENDING_L1D)))                           \
	ROW(PENDING_L2, CYCLES(1, 6), SLOT_TIME(PLUS(PENDING_L2)))                             \
	ROW(PENDING_LLC, CYCLES(1, 12), SLOT_TIME(PLUS(PENDING_LLC)))                          \
	ROW(DIVIDER_CYCLES, CYCLES(1, 100), TIME(PLUS(DIVIDER)))                               \
	ROW(DISPATCHED, SLOTS(1, 4), SUM(PLUS(WRONG_PATH), PLUS(UOPS)), MOST(VPMU_MOST_SLOTS)) \
	ROW(MISSED_CONDITIONAL, INSNS(1, 200), SUM(PLUS(MISPREDICTED_CONDITIONAL)))            \
	ROW(MISSED_INDIRECT, INSNS(1, 400), SUM(PLUS(MISPREDICTED_INDIRECT)))                  \
	ROW(MISSED_RETURNS, INSNS(1, 400), SUM(PLUS(MISPREDICTED_RETURNS)))                    \
	ROW(INDIRECT, INSNS(1, 100), SUM(PLUS(INDIRECT_CALLS), PLUS(INDIRECT_JUMPS)))          \
	ROW(INDIRECT_CALLED, INSNS(1, 200), SUM(PLUS(INDIRECT_CALLS)))                         \
	ROW(INDIRECT_JUMPED, INSNS(1, 200), SUM(PLUS(INDIRECT_JUMPS)))                         \
	ROW(DIRECT_CALLED, INSNS(1, 100), SUM(PLUS(CALLS), MINUS(INDIRECT_CALLS)))             \
	ROW(LOAD_WALK_SUM, CYCLES(1, 100), TIME(PLUS(WALKING_LOADS)))                          \
	ROW(STORE_WALK_SUM, CYCLES(1, 100), TIME(PLUS(WALKING_STORES)))                        \
	ROW(CODE_WALK_SUM, CYCLES(1, 100), TIME(PLUS(WALKING_CODE)))                           \
	ROW(LOAD_WALK_CYCLES, CYCLES(1, 100), TIME(PLUS(WALKS_LOADS)))                         \
	ROW(STORE_WALK_CYCLES, CYCLES(1, 100), TIME(PLUS(WALKS_STORES)))                       \
	ROW(CODE_WALK_CYCLES, CYCLES(1, 100), TIME(PLUS(WALKS_CODE)))                          \
	ROW(DECODING_CYCLES, CYCLES(1, 10), TIME(PLUS(DECODING)))                              \
	ROW(DECODING_AT_WIDTH, CYCLES(1, 20), TIME(PLUS(DECODING_FULL)))                       \
	ROW(OP_CACHE_CYCLES, CYCLES(2, 5), TIME(PLUS(CACHING)))                                \
	ROW(OP_CACHE_AT_WIDTH, CYCLES(1, 5), TIME(PLUS(CACHING_FULL)))                         \
	ROW(LOOP_CYCLES, CYCLES(1, 10), TIME(PLUS(LOOPING)))                                   \
	ROW(LOOP_AT_WIDTH, CYCLES(1, 20), TIME(PLUS(LOOPING_FULL)))                            \
	ROW(OP_CACHE_LEAVING, CYCLES(1, 500), TIME(PLUS(SWITCHING)))                           \
	ROW(PREFIX_STALLS, CYCLES(1, 5000), TIME(PLUS(PREFIX_CYCLES)))                         \
	ROW(CODE_STALLS, CYCLES(1, 50), TIME(PLUS(CODE_WAITS)))                                \
	ROW(CODE_WALK_STALLS, CYCLES(1, 500), TIME(PLUS(CODE_WALK_WAITS)))                     \
	ROW(BUFFERS_FULL, CYCLES(1, 20))                                                       \
	ROW(LOADS_PENDING, CYCLES(1, 3))

/* Execution by port. Intel's names of events on Golden Cove number the last two ports the other way
 * round than the tables of its instructions. */
#define VPMU_QUANTITIES_PORTS(ROW)                                                               \
	ROW(PORT_0, INSNS(1, 4), SUM(PLUS(PORT_0)), MOST(64))                                    \
	ROW(PORT_1, INSNS(1, 4), SUM(PLUS(PORT_1)), MOST(64))                                    \
	ROW(PORT_2, INSNS(1, 4), SUM(PLUS(PORT_2)), MOST(64))                                    \
	ROW(PORT_3, INSNS(1, 4), SUM(PLUS(PORT_3)), MOST(64))                                    \
	ROW(PORT_4, INSNS(1, 4), SUM(PLUS(PORT_4)), MOST(64))                                    \
	ROW(PORT_5, INSNS(1, 4), SUM(PLUS(PORT_5)), MOST(64))                                    \
	ROW(PORT_6, INSNS(1, 4), SUM(PLUS(PORT_6)), MOST(64))                                    \
	ROW(PORT_7, INSNS(1, 4), SUM(PLUS(PORT_7)), MOST(64))                                    \
	ROW(PORTS_2_3, INSNS(1, 4), SUM(PLUS(PORT_2), PLUS(PORT_3)), MOST(64))                   \
	ROW(PORTS_4_9, INSNS(1, 4), SUM(PLUS(PORT_4), PLUS(PORT_9)), MOST(64))                   \
	ROW(PORTS_7_8, INSNS(1, 4), SUM(PLUS(PORT_7), PLUS(PORT_8)), MOST(64))                   \
	ROW(PORTS_2_3_10, INSNS(1, 4), SUM(PLUS(PORT_2), PLUS(PORT_3), PLUS(PORT_11)), MOST(64)) \
	ROW(PORTS_5_11, INSNS(1, 4), SUM(PLUS(PORT_5), PLUS(PORT_10)), MOST(64))

/*
 * Floating point by width and type: each event is an instruction, and a multiply-add counts twice.
 */
#define VPMU_QUANTITIES_FP(ROW)                                                             \
	ROW(FP_512_DOUBLE, FP_OF(PLUS(FP_512_DOUBLE)))                                      \
	ROW(FP_512_SINGLE, FP_OF(PLUS(FP_512_SINGLE)))                                      \
	ROW(FP_256_DOUBLE, FP_OF(PLUS(FP_256_DOUBLE)))                                      \
	ROW(FP_256_SINGLE, FP_OF(PLUS(FP_256_SINGLE)))                                      \
	ROW(FP_128_DOUBLE, FP_OF(PLUS(FP_128_DOUBLE)))                                      \
	ROW(FP_128_SINGLE, FP_OF(PLUS(FP_128_SINGLE)))                                      \
	ROW(FP_SCALAR_DOUBLE, FP_OF(PLUS(FP_SCALAR_DOUBLE)))                                \
	ROW(FP_SCALAR_SINGLE, FP_OF(PLUS(FP_SCALAR_SINGLE)))                                \
	ROW(FP_SCALAR, FP_OF(PLUS(FP_SCALAR_SINGLE), PLUS(FP_SCALAR_DOUBLE)))               \
	ROW(FP_4_FLOPS, FP_OF(PLUS(FP_128_SINGLE), PLUS(FP_256_DOUBLE)))                    \
	ROW(FP_8_FLOPS, FP_OF(PLUS(FP_256_SINGLE), PLUS(FP_512_DOUBLE)))                    \
	ROW(FP_VECTOR, FP_OF(PLUS(FP_128_SINGLE), PLUS(FP_128_DOUBLE), PLUS(FP_256_SINGLE), \
			     PLUS(FP_256_DOUBLE), PLUS(FP_512_SINGLE), PLUS(FP_512_DOUBLE)))

#define VPMU_QUANTITIES(ROW)          \
	VPMU_QUANTITIES_RETIRED(ROW)  \
	VPMU_QUANTITIES_MISSES(ROW)   \
	VPMU_QUANTITIES_REQUESTS(ROW) \
	VPMU_QUANTITIES_SOURCES(ROW)  \
	VPMU_QUANTITIES_TIME(ROW)     \
	VPMU_QUANTITIES_PORTS(ROW)    \
	VPMU_QUANTITIES_FP(ROW)

#define VPMU_QUANTITY_NUMBER(name, ...) VPMU_COUNTS_##name,
enum vpmu_counts { VPMU_QUANTITIES(VPMU_QUANTITY_NUMBER) VPMU_COUNTS_NUMBERS };
#undef VPMU_QUANTITY_NUMBER

/* The unit of a ratio: num events per den units, with exact rests. */
enum vpmu_source {
	VPMU_SRC_NONE,         /* a known event that never occurs on this machine */
	VPMU_SRC_INSTRUCTIONS, /* num/den events for each instruction retired */
	VPMU_SRC_CYCLES,       /* num/den for each core cycle (the guest's share of the TSC) */
	VPMU_SRC_REF_CYCLES,   /* num/den for each reference cycle: see reference_of() */
	VPMU_SRC_SLOTS,        /* issue slots: the personality's width times the cycles */
	VPMU_SRC_COUNTS,       /* counts of QEMU's plugin */
};

#define VPMU_TERMS EVENTS_TERMS

/* The most cycles that one instruction takes, but for those that wait for a long chain of misses:
 * where the plugin cannot stop the guest, an overflow in such a wait comes late. */
#define VPMU_MOST_CYCLES 4096
#define VPMU_MOST_SLOTS  (VPMU_MOST_CYCLES * 8)

/* The conversion of a sum: none, or slots to cycles. */
enum vpmu_sum_unit { VPMU_AS_COUNTED, VPMU_PER_WIDTH };

/* A sum of counts. A term is enum events_count plus 1, negative if it is subtracted; 0 ends the
 * list. */
struct vpmu_sum {
	int16_t term[VPMU_TERMS];
	uint8_t unit;  /* enum vpmu_sum_unit */
	uint16_t most; /* most events that an instruction adds; 0: one */
};

struct vpmu_quantity {
	uint8_t source;    /* enum vpmu_source */
	uint16_t num, den; /* 16 bits, so that 48-bit counts times either stay below 2^64 */
	/* The sum that replaces `source` and num/den where the plugin counts it. */
	struct vpmu_sum sum;
};
extern const struct vpmu_quantity vpmu_quantities[VPMU_COUNTS_NUMBERS];

#endif
