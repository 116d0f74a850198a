// SPDX-License-Identifier: BSD-2-Clause
/*
 * names.c - the names of generic events, from perf_event_open(2) and perf list. perf composes the
 * names of cache events from words: a cache, then an operation (default: load) and a result
 * (default: access), in any order.
 */
#include "pmu/names/parse.h"

#include "lib/string.h"

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

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
/* The plural names accesses, the singular names misses. */
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
	SOFTWARE("bpf-output", NULL, BPF_OUTPUT),
	SOFTWARE("cgroup-switches", NULL, CGROUP_SWITCHES),

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
	return index < LENGTH(names) ? &names[index] : NULL;
}

/* --- Times of the run --- */

static const char *const run_times[PMU_RUN_TIMES] = {
	[PMU_RUN_ELAPSED] = "duration_time",
	[PMU_RUN_USER] = "user_time",
	[PMU_RUN_SYSTEM] = "system_time",
};

enum pmu_run_time pmu_run_time(const struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_DUMMY ||
	    attr->config1 >= PMU_RUN_TIMES)
		return PMU_RUN_NONE;
	return (enum pmu_run_time)attr->config1;
}

const char *pmu_run_time_name(enum pmu_run_time time)
{
	return time < PMU_RUN_TIMES ? run_times[time] : NULL;
}

/* --- Names of cache events, word by word --- */

struct cache_word {
	const char *word;
	uint8_t value;
};

static const struct cache_word caches[] = {
	{"L1-dcache", PERF_COUNT_HW_CACHE_L1D},
	{"l1-d", PERF_COUNT_HW_CACHE_L1D},
	{"l1d", PERF_COUNT_HW_CACHE_L1D},
	{"L1-data", PERF_COUNT_HW_CACHE_L1D},
	{"L1-icache", PERF_COUNT_HW_CACHE_L1I},
	{"l1-i", PERF_COUNT_HW_CACHE_L1I},
	{"l1i", PERF_COUNT_HW_CACHE_L1I},
	{"L1-instruction", PERF_COUNT_HW_CACHE_L1I},
	{"LLC", PERF_COUNT_HW_CACHE_LL},
	{"L2", PERF_COUNT_HW_CACHE_LL},
	{"dTLB", PERF_COUNT_HW_CACHE_DTLB},
	{"d-tlb", PERF_COUNT_HW_CACHE_DTLB},
	{"Data-TLB", PERF_COUNT_HW_CACHE_DTLB},
	{"iTLB", PERF_COUNT_HW_CACHE_ITLB},
	{"i-tlb", PERF_COUNT_HW_CACHE_ITLB},
	{"branch", PERF_COUNT_HW_CACHE_BPU},
	{"Instruction-TLB", PERF_COUNT_HW_CACHE_ITLB},
	{"branches", PERF_COUNT_HW_CACHE_BPU},
	{"bpu", PERF_COUNT_HW_CACHE_BPU},
	{"btb", PERF_COUNT_HW_CACHE_BPU},
	{"bpc", PERF_COUNT_HW_CACHE_BPU},
	{"node", PERF_COUNT_HW_CACHE_NODE},
};

static const struct cache_word ops[] = {
	{"load", PERF_COUNT_HW_CACHE_OP_READ},
	{"loads", PERF_COUNT_HW_CACHE_OP_READ},
	{"read", PERF_COUNT_HW_CACHE_OP_READ},
	{"store", PERF_COUNT_HW_CACHE_OP_WRITE},
	{"stores", PERF_COUNT_HW_CACHE_OP_WRITE},
	{"write", PERF_COUNT_HW_CACHE_OP_WRITE},
	{"prefetch", PERF_COUNT_HW_CACHE_OP_PREFETCH},
	{"prefetches", PERF_COUNT_HW_CACHE_OP_PREFETCH},
	{"speculative-read", PERF_COUNT_HW_CACHE_OP_PREFETCH},
	{"speculative-load", PERF_COUNT_HW_CACHE_OP_PREFETCH},
};

static const struct cache_word results[] = {
	{"refs", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"Reference", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"ops", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"access", PERF_COUNT_HW_CACHE_RESULT_ACCESS},
	{"misses", PERF_COUNT_HW_CACHE_RESULT_MISS},
	{"miss", PERF_COUNT_HW_CACHE_RESULT_MISS},
};

#define OP_READ     (1u << PERF_COUNT_HW_CACHE_OP_READ)
#define OP_WRITE    (1u << PERF_COUNT_HW_CACHE_OP_WRITE)
#define OP_PREFETCH (1u << PERF_COUNT_HW_CACHE_OP_PREFETCH)

/* Valid operations of each cache. */
static const uint8_t cache_ops[PERF_COUNT_HW_CACHE_MAX] = {
	[PERF_COUNT_HW_CACHE_L1D] = OP_READ | OP_WRITE | OP_PREFETCH,
	[PERF_COUNT_HW_CACHE_L1I] = OP_READ | OP_PREFETCH,
	[PERF_COUNT_HW_CACHE_LL] = OP_READ | OP_WRITE | OP_PREFETCH,
	[PERF_COUNT_HW_CACHE_DTLB] = OP_READ | OP_WRITE | OP_PREFETCH,
	[PERF_COUNT_HW_CACHE_ITLB] = OP_READ,
	[PERF_COUNT_HW_CACHE_BPU] = OP_READ,
	[PERF_COUNT_HW_CACHE_NODE] = OP_READ | OP_WRITE | OP_PREFETCH,
};

/*
 * Finds the longest of `rows` that starts the text and ends there or at a dash; removes both from
 * the text.
 */
static const struct cache_word *take_cache_word(const char **text, size_t *n,
						const struct cache_word *rows, size_t nrows)
{
	const struct cache_word *found = NULL;
	size_t length = 0;

	for (size_t i = 0; i < nrows; i++) {
		size_t k = strlen(rows[i].word);

		if (k > length && k <= *n && !memcmp(*text, rows[i].word, k) &&
		    (k == *n || (*text)[k] == '-')) {
			found = &rows[i];
			length = k;
		}
	}
	if (found && length < *n)
		length++;
	*text += length;
	*n -= length;
	return found;
}

static bool find_cache_config(const char *text, size_t n, uint64_t *config)
{
	const char *end = text + n;
	const struct cache_word *cache = take_cache_word(&text, &n, caches, LENGTH(caches));
	const struct cache_word *op = take_cache_word(&text, &n, ops, LENGTH(ops));
	const struct cache_word *result = take_cache_word(&text, &n, results, LENGTH(results));

	if (!op)
		op = take_cache_word(&text, &n, ops, LENGTH(ops));
	if (!cache || n || end[-1] == '-' ||
	    !(cache_ops[cache->value] & 1u << (op ? op->value : PERF_COUNT_HW_CACHE_OP_READ)))
		return false;
	*config = cache->value | (op ? op->value : PERF_COUNT_HW_CACHE_OP_READ) << 8 |
		  (result ? result->value : PERF_COUNT_HW_CACHE_RESULT_ACCESS) << 16;
	return true;
}

static bool is_name(const char *name, const char *text, size_t n)
{
	return name && strlen(name) == n && !memcmp(name, text, n);
}

bool pmu_event_name_find(const char *text, size_t n, uint32_t *type, uint64_t *config)
{
	for (size_t i = 0; i < LENGTH(names); i++) {
		if (!is_name(names[i].name, text, n) && !is_name(names[i].alias, text, n))
			continue;
		*type = names[i].type;
		*config = names[i].config;
		return true;
	}
	*type = PERF_TYPE_HW_CACHE;
	return find_cache_config(text, n, config);
}
