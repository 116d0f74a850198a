// SPDX-License-Identifier: BSD-2-Clause
/* names.c - the names of generic events, as perf_event_open(2) and perf list have them. */
#include "pmu/parse.h"

#define HARDWARE(name, alias, id)                                   \
	{                                                           \
		name, alias, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id \
	}
#define SOFTWARE(name, alias, id)                                   \
	{                                                           \
		name, alias, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id \
	}
#define CACHE(name, cache, op, result)                                                   \
	{                                                                                \
		name, NULL, PERF_TYPE_HW_CACHE,                                          \
			PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
				PERF_COUNT_HW_CACHE_RESULT_##result << 16                \
	}
/* Accesses are called by the plural of what accesses, misses by its singular. */
#define CACHE_PAIR(accesses, misses, cache, op) \
	CACHE(accesses, cache, op, ACCESS), CACHE(misses, cache, op, MISS)

static const struct pmu_event_name names[] = {
	HARDWARE("cpu-cycles", "cycles", CPU_CYCLES),
	HARDWARE("instructions", NULL, INSTRUCTIONS),
	HARDWARE("cache-references", NULL, CACHE_REFERENCES),
	HARDWARE("cache-misses", NULL, CACHE_MISSES),
	HARDWARE("branch-instructions", "branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", NULL, BRANCH_MISSES),
	HARDWARE("bus-cycles", NULL, BUS_CYCLES),
	HARDWARE("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HARDWARE("ref-cycles", NULL, REF_CPU_CYCLES),

	SOFTWARE("cpu-clock", NULL, CPU_CLOCK),
	SOFTWARE("task-clock", NULL, TASK_CLOCK),
	SOFTWARE("page-faults", "faults", PAGE_FAULTS),
	SOFTWARE("context-switches", "cs", CONTEXT_SWITCHES),
	SOFTWARE("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SOFTWARE("minor-faults", NULL, PAGE_FAULTS_MIN),
	SOFTWARE("major-faults", NULL, PAGE_FAULTS_MAJ),
	SOFTWARE("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SOFTWARE("emulation-faults", NULL, EMULATION_FAULTS),
	SOFTWARE("dummy", NULL, DUMMY),

	CACHE_PAIR("L1-dcache-loads", "L1-dcache-load-misses", L1D, READ),
	CACHE_PAIR("L1-dcache-stores", "L1-dcache-store-misses", L1D, WRITE),
	CACHE_PAIR("L1-dcache-prefetches", "L1-dcache-prefetch-misses", L1D, PREFETCH),
	CACHE_PAIR("L1-icache-loads", "L1-icache-load-misses", L1I, READ),
	CACHE_PAIR("L1-icache-prefetches", "L1-icache-prefetch-misses", L1I, PREFETCH),
	CACHE_PAIR("LLC-loads", "LLC-load-misses", LL, READ),
	CACHE_PAIR("LLC-stores", "LLC-store-misses", LL, WRITE),
	CACHE_PAIR("LLC-prefetches", "LLC-prefetch-misses", LL, PREFETCH),
	CACHE_PAIR("dTLB-loads", "dTLB-load-misses", DTLB, READ),
	CACHE_PAIR("dTLB-stores", "dTLB-store-misses", DTLB, WRITE),
	CACHE_PAIR("dTLB-prefetches", "dTLB-prefetch-misses", DTLB, PREFETCH),
	CACHE_PAIR("iTLB-loads", "iTLB-load-misses", ITLB, READ),
	CACHE_PAIR("branch-loads", "branch-load-misses", BPU, READ),
	CACHE_PAIR("node-loads", "node-load-misses", NODE, READ),
	CACHE_PAIR("node-stores", "node-store-misses", NODE, WRITE),
	CACHE_PAIR("node-prefetches", "node-prefetch-misses", NODE, PREFETCH),
};

const struct pmu_event_name *pmu_event_names(size_t index)
{
	return index < sizeof(names) / sizeof(names[0]) ? &names[index] : NULL;
}
