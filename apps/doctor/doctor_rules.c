// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_rules.c - the tables of events and their counters, tried on the machine: an event counts
 * on each counter that the tables allow, and on none that they forbid.
 */
#include "apps/doctor/doctor_check.h"

#include "lib/bits.h"
#include "pmu/state/state.h"

#define TURNS 1000

#define L1D(op, result)                                                                  \
	PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
				    PERF_COUNT_HW_CACHE_RESULT_##result << 16

static const struct {
	uint32_t type;
	uint64_t event;
	enum doctor_kernel kernel;
} events[] = {
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, DOCTOR_LOOP},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, DOCTOR_LOOP},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, DOCTOR_LOOP},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, DOCTOR_PATTERN},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, DOCTOR_LOOP},
	{L1D(READ, ACCESS), DOCTOR_LOADS},
	{L1D(READ, MISS), DOCTOR_CHASE},
	{L1D(WRITE, ACCESS), DOCTOR_STORES},
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

static uint64_t selected_for(unsigned i)
{
	const uint64_t cache = events[i].event;

	if (events[i].type == PERF_TYPE_HARDWARE)
		return uarch_generic(pmu.uarch, events[i].event);
	return uarch_cache(pmu.uarch, cache & 0xff, cache >> 8 & 0xff, cache >> 16 & 0xff);
}

/* True: the event counts on `counter`. -E: it cannot be opened there. */
static int counts_on(const struct doctor *d, unsigned i, unsigned counter, bool forced)
{
	const struct perf_event_attr attr = doctor_attr(events[i].type, events[i].event);
	struct pmu_event *e = &doctor_events[0];
	uint64_t value;
	const int err = doctor_open(e, &attr, counter, forced, NULL);

	if (err)
		return err;
	doctor_slope(d, &e, 1, events[i].kernel, TURNS, &value);
	pmu_event_close(e);
	return value != 0;
}

/* The counters of the CPU that the tables allow; 0: this CPU has no such event. */
static uint64_t allowed(unsigned i)
{
	const uint64_t select = selected_for(i);

	return select ? uarch_counters(pmu.uarch, select) & pmu.hw.counters : 0;
}

static void check_allowed(const struct doctor *d, struct doctor_verdict *v)
{
	unsigned tried = 0;

	for (unsigned i = 0; i < EVENTS; i++)
		for (uint64_t left = allowed(i); left; left &= left - 1) {
			const int counts = counts_on(d, i, bits_first(left), false);

			tried += counts > 0;
			if (counts)
				continue;
			doctor_wrong(v, "event 0x%llx counts nothing on counter %u",
				     (unsigned long long)selected_for(i), bits_first(left));
			v->counters = left & -left;
			return;
		}
	doctor_right(v, "%u pairs of event and counter count", tried);
}

/* The general counters that the tables forbid. */
static uint64_t forbidden(unsigned i)
{
	/* An event of a fixed counter alone has no event select of its own. */
	if (!(allowed(i) & PMU_GENERAL_MASK))
		return 0;
	return pmu.hw.counters & PMU_GENERAL_MASK & ~allowed(i);
}

/* Nothing is refused: the tables keep events off these counters anyway. */
static void check_forbidden(const struct doctor *d, struct doctor_verdict *v)
{
	unsigned tried = 0, count = 0, first = 0, on = 0;

	for (unsigned i = 0; i < EVENTS; i++)
		for (uint64_t left = forbidden(i); left; left &= left - 1) {
			const int counts = counts_on(d, i, bits_first(left), true);

			tried += counts >= 0;
			if (counts > 0 && !count++) {
				first = i;
				on = bits_first(left);
			}
		}
	v->has_figures = tried;
	v->measured = count;
	if (count)
		doctor_wrong(
			v,
			"%u of %u pairs that the tables forbid count: event 0x%llx on counter %u",
			count, tried, (unsigned long long)selected_for(first), on);
	else if (tried)
		doctor_right(v, "none of %u pairs that the tables forbid counts", tried);
	else
		doctor_absent(v, "the tables forbid no counter to these events");
}

const struct doctor_check doctor_rule_checks[] = {
	{"allowed", DOCTOR_RULES, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "events on each counter that the tables allow", check_allowed, false},
	{"forbidden", DOCTOR_RULES, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "events on counters that the tables forbid", check_forbidden, false},
};
const size_t doctor_nrule_checks = sizeof(doctor_rule_checks) / sizeof(doctor_rule_checks[0]);
