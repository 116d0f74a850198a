// SPDX-License-Identifier: BSD-2-Clause
/*
 * soft.c - the software events as rows. What nobody counts here is refused, not shown as zero.
 */
#include "pmu/soft/soft.h"

#include "lib/time.h"
#include "pmu/reason.h"

#include <linux/errno.h>

/* A sample every 10 us keeps the CPU busy already. */
#define LEAST_CLOCK_PERIOD 10000

/* Ring 0 is where the task is switched; everything else in the totals happens in ring 3. */
static bool excluded(const struct pmu_event *e)
{
	return e->attr.config == PERF_COUNT_SW_CONTEXT_SWITCHES ? e->attr.exclude_kernel
								: e->attr.exclude_user;
}

static uint64_t total_of(const struct pmu_event *e)
{
	uint64_t total = e->prev;

	pmu.host->soft_count((enum perf_sw_ids)e->attr.config, &total);
	return total;
}

/* At its limit it has counted all that it will. */
static uint64_t difference(const struct pmu_event *e, uint64_t total)
{
	return excluded(e) || pmu_limit_hit(e) ? 0 : total - e->prev;
}

static void count_difference(struct pmu_event *e)
{
	uint64_t total = total_of(e), delta = difference(e, total);

	e->count += delta;
	e->left -= (int64_t)delta;
	e->prev = total;
}

static uint64_t count(const struct pmu_event *e)
{
	return e->count + difference(e, total_of(e));
}

/* Those with a period that count now, as a list; changed with interrupts off only. */
static struct pmu_event *sampled;

static void start_total(struct pmu_event *e)
{
	pmu.host->soft_count((enum perf_sw_ids)e->attr.config, &e->prev);
	if (!e->period)
		return;
	e->next_timed = sampled;
	sampled = e;
}

static void stop_total(struct pmu_event *e)
{
	struct pmu_event **at = &sampled;

	count_difference(e);
	if (!e->period)
		return;
	while (*at != e)
		at = &(*at)->next_timed;
	*at = e->next_timed;
}

/* What the runtime counts: totals that only grow. */
static const struct pmu_class total_class = {
	.start = start_total,
	.stop = stop_total,
	.update = count_difference,
	.count = count,
};

/* The same, with an address where it happened. */
static const struct pmu_class fault_class = {
	.fields = PERF_SAMPLE_ADDR,
	.start = start_total,
	.stop = stop_total,
	.update = count_difference,
	.count = count,
};

static void check(struct pmu_event *e, const struct pmu_regs *regs, uint64_t address)
{
	const struct pmu_sample_data data = {.fields = e->class->fields, .addr = address};

	count_difference(e);
	if (e->left > 0 || excluded(e) || pmu_limit_hit(e))
		return;
	pmu_next_period(e);
	pmu_overflow(e, regs, &data);
}

void pmu_software(enum perf_sw_ids id, const struct pmu_regs *regs, uint64_t address)
{
	for (struct pmu_event *e = sampled; e; e = e->next_timed)
		if (e->attr.config == id)
			check(e, regs, address);
}

static void nothing(struct pmu_event *e)
{
	(void)e;
}

/* Counts nothing, on purpose: carries side-band records. */
static const struct pmu_class dummy_class = {
	.start = nothing,
	.stop = nothing,
	.update = nothing,
};

static const struct {
	const char *name;
	const struct pmu_class *class;
	bool told; /* each of them by pmu_software() */
} rows[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = {"cpu-clock", &pmu_clock_class, false},
	[PERF_COUNT_SW_TASK_CLOCK] = {"task-clock", &pmu_clock_class, false},
	[PERF_COUNT_SW_PAGE_FAULTS] = {"page-faults", &fault_class, true},
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = {"context-switches", &total_class, true},
	[PERF_COUNT_SW_CPU_MIGRATIONS] = {"cpu-migrations", &total_class, false},
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = {"minor-faults", &total_class, false},
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = {"major-faults", &total_class, false},
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = {"alignment-faults", &fault_class, true},
	[PERF_COUNT_SW_EMULATION_FAULTS] = {"emulation-faults", &total_class, false},
	[PERF_COUNT_SW_DUMMY] = {"dummy", &dummy_class, false},
};

static int check_total(const struct pmu_event *e, const char *name, struct pmu_reason *why)
{
	uint64_t total;

	if (!pmu.host->soft_count ||
	    !pmu.host->soft_count((enum perf_sw_ids)e->attr.config, &total))
		return pmu_refuse(why, ENOENT, "nothing counts %s here", name);
	if (e->attr.sample_period && !rows[e->attr.config].told)
		return pmu_refuse(why, EOPNOTSUPP, "%s can be counted, but not sampled", name);
	return 0;
}

static int check_clock(const struct pmu_event *e, const char *name, struct pmu_reason *why)
{
	if (!e->attr.sample_period)
		return 0;
	if (!pmu.host->timer_arm)
		return pmu_refuse(why, EOPNOTSUPP,
				  "%s can be counted, but not sampled: there is no timer for it",
				  name);
	if ((e->attr.freq ? NSEC_PER_SEC / e->attr.sample_freq : e->attr.sample_period) <
	    LEAST_CLOCK_PERIOD)
		return pmu_refuse(why, EINVAL, "%s samples are at least %u ns apart", name,
				  LEAST_CLOCK_PERIOD);
	return 0;
}

int pmu_soft_init(struct pmu_event *e, struct pmu_reason *why)
{
	uint64_t id = e->attr.config;

	if (id >= sizeof(rows) / sizeof(rows[0]))
		return pmu_refuse(why, ENOENT, "there is no software event %llu",
				  (unsigned long long)id);
	e->class = rows[id].class;
	if (e->class == &total_class || e->class == &fault_class)
		return check_total(e, rows[id].name, why);
	if (e->class == &pmu_clock_class)
		return check_clock(e, rows[id].name, why);
	return 0;
}
