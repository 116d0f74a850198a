/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events_count.h - the counts of what QEMU executes. The plugin that counts, the page with the
 * counts, vpmu and the documents all use this list.
 *
 * ROW(NAME, CLASS, text). EXACT: what the program did, by the manuals. MODELLED: what a machine
 * with the personality's geometry would have done, by vpmu/micro and vpmu/core.
 */
#ifndef PERF0_EVENTS_COUNT_H
#define PERF0_EVENTS_COUNT_H

#define EVENTS_EXACT(ROW)                                                             \
	ROW(INSTRUCTIONS, EXACT, "instructions retired")                              \
	ROW(REP_ITERATIONS, EXACT, "iterations of REP string instructions")           \
	ROW(BRANCHES, EXACT, "branches")                                              \
	ROW(CONDITIONAL, EXACT, "conditional branches")                               \
	ROW(CONDITIONAL_TAKEN, EXACT, "conditional branches that were taken")         \
	ROW(CALLS, EXACT, "near calls")                                               \
	ROW(RETURNS, EXACT, "near returns")                                           \
	ROW(INDIRECT_CALLS, EXACT, "near calls by register or memory")                \
	ROW(INDIRECT_JUMPS, EXACT, "near jumps by register or memory")                \
	ROW(FAR_BRANCHES, EXACT, "far branches: calls, returns, SYSCALL, INTn, IRET") \
	ROW(LOADS, EXACT, "instructions that load")                                   \
	ROW(STORES, EXACT, "instructions that store")                                 \
	ROW(LOCKED, EXACT, "locked instructions")                                     \
	ROW(SPLIT_LOADS, EXACT, "loads across two lines")                             \
	ROW(SPLIT_STORES, EXACT, "stores across two lines")                           \
	ROW(PAGE_SPLIT_LOADS, EXACT, "loads across two pages of 4 KiB")               \
	ROW(PAGE_SPLIT_STORES, EXACT, "stores across two pages of 4 KiB")             \
	ROW(UNALIGNED, EXACT, "accesses that are not aligned to their size")          \
	ROW(DIVIDES, EXACT, "integer divides")                                        \
	ROW(SYSCALLS, EXACT, "SYSCALL, SYSENTER")                                     \
	ROW(X87, EXACT, "x87 instructions that compute")                              \
	ROW(FP_SCALAR_SINGLE, EXACT, "operations, single, scalar; FMA counts twice")  \
	ROW(FP_SCALAR_DOUBLE, EXACT, "operations, double, scalar; FMA counts twice")  \
	ROW(FP_128_SINGLE, EXACT, "instructions, packed single, 128 bits; FMA twice") \
	ROW(FP_128_DOUBLE, EXACT, "instructions, packed double, 128 bits; FMA twice") \
	ROW(FP_256_SINGLE, EXACT, "instructions, packed single, 256 bits; FMA twice") \
	ROW(FP_256_DOUBLE, EXACT, "instructions, packed double, 256 bits; FMA twice") \
	ROW(FP_512_SINGLE, EXACT, "instructions, packed single, 512 bits; FMA twice") \
	ROW(FP_512_DOUBLE, EXACT, "instructions, packed double, 512 bits; FMA twice") \
	ROW(FLOPS_ADD_SUB, EXACT, "additions and subtractions of floating point")     \
	ROW(FLOPS_MULTIPLY, EXACT, "multiplications of floating point")               \
	ROW(FLOPS_DIVIDE, EXACT, "divisions and square roots of floating point")      \
	ROW(FLOPS_FMA, EXACT, "operations of multiply-adds, two an element")

#define EVENTS_MODELLED(ROW)                                                                      \
	ROW(UOPS, MODELLED, "micro-operations retired, fused")                                    \
	ROW(UOPS_DECODERS, MODELLED, "micro-operations from the decoders")                        \
	ROW(UOPS_OP_CACHE, MODELLED, "micro-operations from the op cache")                        \
	ROW(UOPS_LOOP, MODELLED, "micro-operations from the loop buffer")                         \
	ROW(UOPS_MICROCODE, MODELLED, "micro-operations of microcode")                            \
	ROW(SWITCHES, MODELLED, "changes from the op cache to the decoders")                      \
	ROW(MICROCODED, MODELLED, "instructions of microcode")                                    \
	ROW(FUSED_JUMPS, MODELLED, "jumps that are one micro-operation with another instruction") \
	ROW(EXECUTED, MODELLED, "micro-operations that ports executed, not fused")                \
	ROW(PORT_0, MODELLED, "micro-operations that port 0 executed")                            \
	ROW(PORT_1, MODELLED, "micro-operations that port 1 executed")                            \
	ROW(PORT_2, MODELLED, "micro-operations that port 2 executed")                            \
	ROW(PORT_3, MODELLED, "micro-operations that port 3 executed")                            \
	ROW(PORT_4, MODELLED, "micro-operations that port 4 executed")                            \
	ROW(PORT_5, MODELLED, "micro-operations that port 5 executed")                            \
	ROW(PORT_6, MODELLED, "micro-operations that port 6 executed")                            \
	ROW(PORT_7, MODELLED, "micro-operations that port 7 executed")                            \
	ROW(PORT_8, MODELLED, "micro-operations that port 8 executed")                            \
	ROW(PORT_9, MODELLED, "micro-operations that port 9 executed")                            \
	ROW(PORT_10, MODELLED, "micro-operations that port 10 executed")                          \
	ROW(PORT_11, MODELLED, "micro-operations that port 11 executed")                          \
	ROW(MISPREDICTED, MODELLED, "branches mispredicted")                                      \
	ROW(MISPREDICTED_CONDITIONAL, MODELLED, "conditional branches mispredicted")              \
	ROW(MISPREDICTED_INDIRECT, MODELLED, "indirect branches mispredicted")                    \
	ROW(MISPREDICTED_RETURNS, MODELLED, "returns mispredicted")                               \
	ROW(L1I_REFERENCES, MODELLED, "lines of code fetched")                                    \
	ROW(L1I_MISSES, MODELLED, "of those, not in L1I")                                         \
	ROW(L1D_LOADS, MODELLED, "loads that looked in L1D")                                      \
	ROW(L1D_LOAD_MISSES, MODELLED, "of those, not there")                                     \
	ROW(L1D_STORES, MODELLED, "stores that looked in L1D")                                    \
	ROW(L1D_STORE_MISSES, MODELLED, "of those, not there")                                    \
	ROW(L1D_REPLACEMENTS, MODELLED, "lines brought into L1D")                                 \
	ROW(L1D_LATE_LOADS, MODELLED, "loads that hit a line on its way into L1D")                \
	ROW(L2_REFERENCES, MODELLED, "requests of code, data, prefetchers, walks")                \
	ROW(L2_MISSES, MODELLED, "of those, not there")                                           \
	ROW(L2_READS, MODELLED, "requests of loads to L2")                                        \
	ROW(L2_STORES, MODELLED, "requests of stores to L2")                                      \
	ROW(L2_CODE_MISSES, MODELLED, "requests of code to L2, not there")                        \
	ROW(L2_LOAD_HITS, MODELLED, "loads whose data came from L2")                              \
	ROW(LLC_REFERENCES, MODELLED, "requests to the last level")                               \
	ROW(LLC_MISSES, MODELLED, "of those, not there")                                          \
	ROW(LLC_LOAD_HITS, MODELLED, "loads whose data came from the last level")                 \
	ROW(LLC_LOAD_MISSES, MODELLED, "loads whose data came from memory")                       \
	ROW(LLC_READS, MODELLED, "requests of loads to the last level")                           \
	ROW(LLC_READ_MISSES, MODELLED, "of those, not there")                                     \
	ROW(LLC_CODE_MISSES, MODELLED, "requests of code to the last level, not there")           \
	ROW(LLC_STORES, MODELLED, "requests of stores to the last level")                         \
	ROW(LLC_STORE_MISSES, MODELLED, "of those, not there")                                    \
	ROW(PREFETCHES, MODELLED, "lines that L1D's prefetchers asked L2 for")                    \
	ROW(PREFETCH_MISSES, MODELLED, "of those, not there")                                     \
	ROW(PREFETCH_LLC_MISSES, MODELLED, "of those, not in the last level either")              \
	ROW(L2_PREFETCHES, MODELLED, "lines that L2's prefetchers asked for")                     \
	ROW(L2_PREFETCH_MISSES, MODELLED, "of those, not in L2")                                  \
	ROW(L2_PREFETCH_LLC_MISSES, MODELLED, "of those, not in the last level either")           \
	ROW(WALK_READS, MODELLED, "entries of page tables that walks asked L2 for")               \
	ROW(WALK_READ_MISSES, MODELLED, "of those, not there")                                    \
	ROW(WALK_READ_LLC_MISSES, MODELLED, "of those, not in the last level either")             \
	ROW(LATENT_FETCHES, MODELLED, "lines of code, not sooner than the CPU asks for")          \
	ROW(ITLB_MISSES, MODELLED, "code, not in the ITLB")                                       \
	ROW(ITLB_STLB_HITS, MODELLED, "of those, in the STLB")                                    \
	ROW(ITLB_WALKS, MODELLED, "walks of page tables for code")                                \
	ROW(DTLB_LOAD_MISSES, MODELLED, "loads, not in the DTLB")                                 \
	ROW(DTLB_LOAD_STLB_HITS, MODELLED, "of those, in the STLB")                               \
	ROW(DTLB_LOAD_WALKS, MODELLED, "walks of page tables for loads")                          \
	ROW(DTLB_STORE_MISSES, MODELLED, "stores, not in the DTLB")                               \
	ROW(DTLB_STORE_STLB_HITS, MODELLED, "of those, in the STLB")                              \
	ROW(DTLB_STORE_WALKS, MODELLED, "walks of page tables for stores")                        \
	ROW(CYCLES, MODELLED, "cycles of the core in time")                                       \
	ROW(SLOTS, MODELLED, "its slots: the width, each cycle")                                  \
	ROW(STALLS_FRONTEND, MODELLED, "cycles without a micro-operation: code is late")          \
	ROW(STALLS_BAD_SPECULATION, MODELLED, "cycles lost by mispredictions")                    \
	ROW(STALLS_L1, MODELLED, "cycles that wait for L1D or the STLB")                          \
	ROW(STALLS_L2, MODELLED, "cycles that wait for L2")                                       \
	ROW(STALLS_LLC, MODELLED, "cycles that wait for the last level")                          \
	ROW(STALLS_MEMORY, MODELLED, "cycles that wait for memory")                               \
	ROW(STALLS_STORES, MODELLED, "cycles that wait for room in the store buffer")             \
	ROW(STALLS_CORE, MODELLED, "cycles that wait for units and results")                      \
	ROW(STALLS_BACKEND, MODELLED, "cycles that wait for any of the last six")                 \
	ROW(WRONG_PATH, MODELLED, "slots lost by mispredictions")                                 \
	ROW(WRONG_ISSUED, MODELLED, "of those, in cycles that were not all lost")                 \
	ROW(SLOTS_FRONTEND, MODELLED, "slots lost as code is late")                               \
	ROW(SLOTS_MEMORY, MODELLED, "slots lost by waiting for loads and stores")                 \
	ROW(SLOTS_CORE, MODELLED, "slots lost by waiting for units and results")                  \
	ROW(DIVIDER, MODELLED, "cycles of the divider")                                           \
	ROW(DECODING, MODELLED, "cycles in which the decoders deliver")                           \
	ROW(CACHING, MODELLED, "cycles in which the op cache delivers")                           \
	ROW(LOOPING, MODELLED, "cycles in which the loop buffer delivers")                        \
	ROW(DECODING_FULL, MODELLED, "cycles in which the decoders fill a cycle of rename")       \
	ROW(CACHING_FULL, MODELLED, "the same of the op cache")                                   \
	ROW(LOOPING_FULL, MODELLED, "the same of the loop buffer")                                \
	ROW(SWITCHING, MODELLED, "cycles from the op cache to the decoders")                      \
	ROW(PREFIX_CYCLES, MODELLED, "cycles of the predecoder for length-changing prefixes")     \
	ROW(CODE_WAITS, MODELLED, "cycles that wait for lines of code")                           \
	ROW(CODE_WALK_WAITS, MODELLED, "cycles that wait for walks of page tables for code")      \
	ROW(LATE_1, MODELLED, "cycles that lost a slot as code is late")                          \
	ROW(LATE_2, MODELLED, "cycles that lost two slots or more so")                            \
	ROW(LATE_3, MODELLED, "cycles that lost three slots or more so")                          \
	ROW(LATE_4, MODELLED, "cycles that lost four slots or more so")                           \
	ROW(LATE_5, MODELLED, "cycles that lost five slots or more so")                           \
	ROW(FULL_REORDER, MODELLED, "cycles that wait for room in the reorder buffer")            \
	ROW(FULL_SCHEDULER, MODELLED, "cycles that wait for room in the scheduler")               \
	ROW(FULL_LOADS, MODELLED, "cycles that wait for room in the load buffer")                 \
	ROW(FULL_STORES, MODELLED, "cycles that wait for a place in the store buffer")            \
	ROW(SERIALIZED, MODELLED, "cycles that wait as an instruction serializes")                \
	ROW(SCHEDULER_EMPTY, MODELLED, "cycles in which nothing is in the scheduler")             \
	ROW(STALLS_EXECUTE, MODELLED, "cycles in which no micro-operation begins")                \
	ROW(EXECUTING_1, MODELLED, "cycles in which a micro-operation begins")                    \
	ROW(EXECUTING_2, MODELLED, "cycles in which two or more do")                              \
	ROW(EXECUTING_3, MODELLED, "cycles in which three or more do")                            \
	ROW(EXECUTING_4, MODELLED, "cycles in which four or more do")                             \
	ROW(EXECUTING_5, MODELLED, "cycles in which five or more do")                             \
	ROW(STALLS_RETIRE, MODELLED, "cycles in which nothing retires")                           \
	ROW(RETIRING, MODELLED, "cycles in which something retires")                              \
	ROW(WALKING_LOADS, MODELLED, "cycles of all walks for loads, summed up")                  \
	ROW(WALKING_STORES, MODELLED, "cycles of all walks for stores, summed up")                \
	ROW(WALKING_CODE, MODELLED, "cycles of all walks for code, summed up")                    \
	ROW(WALKS_LOADS, MODELLED, "cycles with a walk for a load under way")                     \
	ROW(WALKS_STORES, MODELLED, "cycles with a walk for a store under way")                   \
	ROW(WALKS_CODE, MODELLED, "cycles with a walk for code under way")                        \
	ROW(MISS_SLOTS, MODELLED, "slots of all loads that wait for a line, summed up")           \
	ROW(PENDING_L1D, MODELLED, "slots with a load under way that missed L1D")                 \
	ROW(PENDING_L2, MODELLED, "slots with a load under way that missed L2")                   \
	ROW(PENDING_LLC, MODELLED, "slots with a load under way from memory")                     \
	ROW(LATENT_LOADS, MODELLED, "loads that took as long as was asked for, or longer")        \
	ROW(LOADS_ALIASED, MODELLED, "loads 4 KiB from a store in flight")                        \
	ROW(LOADS_BLOCKED, MODELLED, "loads that a store overlaps with, and cannot forward to")   \
	ROW(LOADS_SHARED, MODELLED, "loads whose line came from another CPU, unchanged")          \
	ROW(LOADS_MODIFIED, MODELLED, "loads whose line another CPU had modified (HITM)")         \
	ROW(STORES_MODIFIED, MODELLED, "stores to a line that another CPU had modified")          \
	ROW(LINES_TAKEN, MODELLED, "copies of lines that other CPUs lost to stores")

#define EVENTS_COUNTS(ROW) EVENTS_EXACT(ROW) EVENTS_MODELLED(ROW)

#define EVENTS_NUMBER(name, class, text) EVENTS_##name,
/*
 * Behind them: the instructions without a row in the tables of the modelled core, a count for each
 * mnemonic. The plugin names them (events_page.h); the last count is of all further mnemonics.
 */
#define EVENTS_ROWLESS_KINDS 16
enum events_count {
	EVENTS_COUNTS(EVENTS_NUMBER) EVENTS_ROWLESS,
	EVENTS_NUMBERS = EVENTS_ROWLESS + EVENTS_ROWLESS_KINDS
};
#undef EVENTS_NUMBER

enum events_class { EVENTS_CLASS_EXACT, EVENTS_CLASS_MODELLED };

#endif
