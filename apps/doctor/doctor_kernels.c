// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_kernels.c - counts of code whose counts are known: instructions, branches, loads and
 * stores exactly; misses and mispredictions within bounds that a CPU cannot leave.
 */
#include "apps/doctor/doctor_check.h"

#include "include/perf0/truth.h"
#include "pmu/state/state.h"

#define TURNS 1000

#define CACHE(cache, op, result)                                          \
	(PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Counts `attr` around `kernel`; false: the verdict says why it cannot be counted. */
static bool count_kernel(const struct doctor *d, struct doctor_verdict *v, uint32_t type,
			 uint64_t config, enum doctor_kernel kernel, uint64_t *value)
{
	const struct perf_event_attr attr = doctor_attr(type, config);
	struct pmu_event *e = &doctor_events[0];
	struct reason why;
	bool estimated;

	if (doctor_open(e, &attr, DOCTOR_ANY, false, &why)) {
		doctor_absent(v, "%s", why.text);
		return false;
	}
	estimated = e->truth == TRUTH_RATIO || e->truth == TRUTH_ESTIMATE;
	if (estimated)
		doctor_absent(v, "the count of this event is an estimate here");
	else
		doctor_slope(d, &e, 1, kernel, TURNS, value);
	pmu_event_close(e);
	return !estimated;
}

static void check_kernel_instructions(const struct doctor *d, struct doctor_verdict *v)
{
	for (enum doctor_kernel k = 0; k < DOCTOR_SLIDE; k++) {
		uint64_t value;

		if (!count_kernel(d, v, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, k, &value))
			return;
		doctor_compare(v, "instructions", value, TURNS * doctor_counts_of(k).instructions);
		if (v->state == DOCTOR_WRONG)
			return;
	}
}

static void check_branches(const struct doctor *d, struct doctor_verdict *v)
{
	for (enum doctor_kernel k = 0; k < DOCTOR_SLIDE; k++) {
		uint64_t value;

		if (!count_kernel(d, v, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, k,
				  &value))
			return;
		doctor_compare(v, "branches", value, TURNS * doctor_counts_of(k).branches);
		if (v->state == DOCTOR_WRONG)
			return;
	}
}

/*
 * A count that speculation and history change: from `least` to `most`. Where the first run had more
 * of them than the second one of twice the length, the difference is negative: none.
 */
static void judge_between(struct doctor_verdict *v, const char *what, uint64_t value,
			  uint64_t least, uint64_t most)
{
	if (value > pmu.counter_mask / 2)
		value = 0;
	doctor_compare(v, what, value, (least + most) / 2);
	if (value >= least && value <= most)
		doctor_right(v, "%s: %llu", what, (unsigned long long)value);
}

#define TENTH (TURNS / 10)

static void check_mispredictions(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t value;

	if (count_kernel(d, v, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, DOCTOR_PATTERN,
			 &value))
		judge_between(v, "mispredictions of 1000 random branches", value, 3 * TENTH,
			      7 * TENTH);
}

static void check_predicted(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t value;

	if (count_kernel(d, v, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, DOCTOR_CALLS,
			 &value))
		judge_between(v, "mispredictions of 1000 calls and returns", value, 0, TENTH);
}

static void check_misses(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t value;

	if (count_kernel(d, v, PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS), DOCTOR_CHASE, &value))
		judge_between(v, "L1 misses of 1000 loads in a chain", value, 8 * TENTH,
			      40 * TENTH);
}

static void check_hits(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t value;

	if (count_kernel(d, v, PERF_TYPE_HW_CACHE, CACHE(L1D, READ, MISS), DOCTOR_LOADS, &value))
		judge_between(v, "L1 misses of 4000 loads of one line", value, 0, TENTH);
}

static void check_accesses(const struct doctor *d, struct doctor_verdict *v, uint64_t config,
			   enum doctor_kernel kernel, uint64_t expected)
{
	uint64_t value;

	/* AMD's event counts accesses of the cache, not instructions that retire. */
	if (d->caps->vendor == CPU_VENDOR_AMD)
		doctor_absent(v, "this CPU has no event for retired loads and stores");
	else if (count_kernel(d, v, PERF_TYPE_HW_CACHE, config, kernel, &value))
		doctor_compare(v, "accesses", value, expected);
}

static void check_loads(const struct doctor *d, struct doctor_verdict *v)
{
	check_accesses(d, v, CACHE(L1D, READ, ACCESS), DOCTOR_LOADS,
		       TURNS * doctor_counts_of(DOCTOR_LOADS).loads);
}

static void check_stores(const struct doctor *d, struct doctor_verdict *v)
{
	check_accesses(d, v, CACHE(L1D, WRITE, ACCESS), DOCTOR_STORES,
		       TURNS * doctor_counts_of(DOCTOR_STORES).stores);
}

const struct doctor_check doctor_kernel_checks[] = {
	{"instructions", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "instructions of each kernel", check_kernel_instructions, false},
	{"branches", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE, "branches of each kernel",
	 check_branches, false},
	{"loads", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE, "loads of a kernel",
	 check_loads, false},
	{"stores", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE, "stores of a kernel",
	 check_stores, false},
	{"hits", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "L1 misses of loads of one line", check_hits, false},
	{"misses", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "L1 misses of a chain of loads", check_misses, false},
	{"predicted", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "mispredictions of calls and returns", check_predicted, false},
	{"mispredicted", DOCTOR_KERNELS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "mispredictions of random branches", check_mispredictions, false},
};
const size_t doctor_nkernel_checks = sizeof(doctor_kernel_checks) / sizeof(doctor_kernel_checks[0]);
