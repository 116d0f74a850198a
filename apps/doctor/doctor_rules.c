// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_rules.c - the tables of events and their counters, tried on the machine: an event counts
 * on each counter that the tables allow, and it is told where one counts that they forbid.
 */
#include "apps/doctor/doctor_check.h"

#include "lib/bits.h"
#include "pmu/state/state.h"

#define TURNS 1000

static const struct {
	uint64_t event;
	enum doctor_kernel kernel;
} generic[] = {
	{PERF_COUNT_HW_CPU_CYCLES, DOCTOR_LOOP},
	{PERF_COUNT_HW_INSTRUCTIONS, DOCTOR_LOOP},
	{PERF_COUNT_HW_BRANCH_INSTRUCTIONS, DOCTOR_LOOP},
	{PERF_COUNT_HW_BRANCH_MISSES, DOCTOR_PATTERN},
	{PERF_COUNT_HW_REF_CPU_CYCLES, DOCTOR_LOOP},
};

/* True: the event counts on `counter`. -E: it cannot be opened there. */
static int counts_on(const struct doctor *d, unsigned i, unsigned counter, bool forced)
{
	const struct perf_event_attr attr = doctor_attr(PERF_TYPE_HARDWARE, generic[i].event);
	struct pmu_event *e = &doctor_events[0];
	uint64_t value;
	const int err = doctor_open(e, &attr, counter, forced, NULL);

	if (err)
		return err;
	doctor_slope(d, &e, 1, generic[i].kernel, TURNS, &value);
	pmu_event_close(e);
	return value != 0;
}

static uint64_t allowed(unsigned i)
{
	return uarch_counters(pmu.uarch, uarch_generic(pmu.uarch, generic[i].event)) &
	       pmu.hw.counters;
}

static void check_allowed(const struct doctor *d, struct doctor_verdict *v)
{
	unsigned tried = 0;

	for (unsigned i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
		for (uint64_t left = allowed(i); left; left &= left - 1) {
			const int counts = counts_on(d, i, bits_first(left), false);

			tried += counts > 0;
			if (counts)
				continue;
			doctor_wrong(v, "event 0x%llx counts nothing on counter %u",
				     (unsigned long long)uarch_generic(pmu.uarch, generic[i].event),
				     bits_first(left));
			v->counters = left & -left;
			return;
		}
	doctor_right(v, "%u pairs of event and counter count", tried);
}

/* Only told: a table may be narrower than the machine. */
static void check_forbidden(const struct doctor *d, struct doctor_verdict *v)
{
	unsigned tried = 0, count = 0;

	for (unsigned i = 0; i < sizeof(generic) / sizeof(generic[0]); i++) {
		uint64_t left = pmu.hw.counters & PMU_GENERAL_MASK & ~allowed(i);

		/* An event of a fixed counter alone has no event select of its own. */
		if (!(allowed(i) & PMU_GENERAL_MASK))
			continue;
		for (; left; left &= left - 1) {
			const int counts = counts_on(d, i, bits_first(left), true);

			tried += counts >= 0;
			count += counts > 0;
		}
	}
	if (tried)
		doctor_right(v, "%u of %u pairs that the tables forbid count", count, tried);
	else
		doctor_absent(v, "the tables forbid no counter to these events");
}

const struct doctor_check doctor_rule_checks[] = {
	{"allowed", DOCTOR_RULES, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "events on each counter that the tables allow", check_allowed},
	{"forbidden", DOCTOR_RULES, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "events on counters that the tables forbid", check_forbidden},
};
const size_t doctor_nrule_checks = sizeof(doctor_rule_checks) / sizeof(doctor_rule_checks[0]);
