// SPDX-License-Identifier: BSD-2-Clause
/* doctor_measure.c - see doctor_check.h: counts by known counters, and the known counts of the
 * kernels. */
#include "apps/doctor/doctor_check.h"

#include "arch/x86/insn.h"
#include "lib/bits.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/sched/assign.h"
#include "pmu/sched/explain.h"
#include "pmu/state/state.h"

#include <linux/errno.h>

#define RUNS_MOST 4

struct pmu_event doctor_events[DOCTOR_EVENTS];

static const struct doctor_counts counts[DOCTOR_KERNELS_N] = {
	[DOCTOR_LOOP] = {.instructions = 2, .branches = 1},
	[DOCTOR_LOADS] = {.instructions = 6, .branches = 1, .loads = 4},
	[DOCTOR_STORES] = {.instructions = 6, .branches = 1, .stores = 4},
	[DOCTOR_CALLS] = {.instructions = 4, .branches = 3, .loads = 1, .stores = 1},
	[DOCTOR_CHASE] = {.instructions = 3, .branches = 1, .loads = 1},
	[DOCTOR_PATTERN] = {.instructions = 16, .branches = 3},
	[DOCTOR_PAIRS] = {.instructions = 11, .branches = 1, .loads = 2, .stores = 1},
};

struct doctor_counts doctor_counts_of(enum doctor_kernel kernel)
{
	return counts[kernel];
}

struct perf_event_attr doctor_attr(uint32_t type, uint64_t config)
{
	return (struct perf_event_attr){
		.type = type,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.exclude_user = 1,
		.pinned = 1,
		.disabled = 1,
	};
}

const char *doctor_name_counters(uint64_t counters, char text[DOCTOR_NAMES])
{
	char name[16];
	size_t n = 0;

	fmt_print(text, DOCTOR_NAMES, "no counter");
	for (; counters && n < DOCTOR_NAMES - 1; counters &= counters - 1)
		n += (size_t)fmt_print(text + n, DOCTOR_NAMES - n, "%s%s", n ? ", " : "",
				       pmu_counter_name(bits_first(counters), name));
	return text;
}

static int narrow(struct pmu_event *e, unsigned counter, bool forced, struct reason *why)
{
	const uint64_t mask = 1ull << counter;

	if (!(e->tick.constraint.counters & mask) && !forced)
		return refuse(why, ENOENT, "the tables do not allow the event on that counter");
	e->tick.constraint = pmu_constraint(mask, false);
	return 0;
}

int doctor_open(struct pmu_event *e, const struct perf_event_attr *attr, unsigned counter,
		bool forced, struct reason *why)
{
	int err = pmu_event_open(e, attr, -1, (int)pmu.number, NULL, 0, why);

	if (err)
		return err;
	if (counter != DOCTOR_ANY)
		err = narrow(e, counter, forced, why);
	if (!err)
		pmu_event_enable(e);
	if (!err && e->state != PMU_STATE_ACTIVE)
		err = refuse(why, EBUSY, "the counter is in use");
	if (err)
		pmu_event_close(e);
	return err;
}

static __attribute__((noinline)) void read_counters(struct pmu_event *const *events, unsigned n,
						    uint64_t *value)
{
	for (unsigned i = 0; i < n; i++)
		value[i] = rdpmc(events[i]->place->rdpmc);
}

static __attribute__((noinline)) void count_turns(const struct doctor *d,
						  struct pmu_event *const *events, unsigned n,
						  enum doctor_kernel kernel, uint64_t turns,
						  uint64_t *value)
{
	uint64_t before[DOCTOR_EVENTS];

	read_counters(events, n, before);
	d->host->run(kernel, turns);
	read_counters(events, n, value);
	for (unsigned i = 0; i < n; i++)
		value[i] = (value[i] - before[i]) & pmu.counter_mask;
}

void doctor_slope(const struct doctor *d, struct pmu_event *const *events, unsigned nevents,
		  enum doctor_kernel kernel, uint64_t n, uint64_t *value)
{
	uint64_t once[DOCTOR_EVENTS], twice[DOCTOR_EVENTS], last[DOCTOR_EVENTS];

	for (unsigned run = 0; run < RUNS_MOST; run++) {
		count_turns(d, events, nevents, kernel, n, once);
		count_turns(d, events, nevents, kernel, 2 * n, twice);
		for (unsigned i = 0; i < nevents; i++)
			value[i] = (twice[i] - once[i]) & pmu.counter_mask;
		if (run && !memcmp(value, last, nevents * sizeof(*value)))
			return;
		memcpy(last, value, nevents * sizeof(*value));
	}
}
