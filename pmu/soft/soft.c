// SPDX-License-Identifier: BSD-2-Clause
/*
 * soft.c - the software events as rows. pmu_software() (core/occur.c) counts all but the clocks
 * where they happen, for the events that are active on the same CPU.
 */
#include "pmu/state/class.h"

#include "arch/x86/insn.h"
#include "lib/time.h"
#include "pmu/soft/soft_clock.h"
#include "pmu/state/state.h"
#include "lib/reason.h"
#include "pmu/soft/active.h"

#include <linux/errno.h>

/* A sample every 10 us already keeps the CPU busy. */
#define LEAST_CLOCK_PERIOD 10000

static void start_software_event(struct pmu_event *e)
{
	active_add(&pmu_occurring[e->attr.config], e);
}

static void stop_software_event(struct pmu_event *e)
{
	active_remove(&pmu_occurring[e->attr.config], e);
}

static void update_software(struct pmu_event *e)
{
	(void)e; /* each occurrence is counted when it happens */
}

static const struct pmu_class occurrence_class = {
	.start = start_software_event,
	.stop = stop_software_event,
	.update = update_software,
};

/* As occurrence_class, with the address where the fault happened. */
static const struct pmu_class fault_class = {
	.fields = PERF_SAMPLE_ADDR,
	.start = start_software_event,
	.stop = stop_software_event,
	.update = update_software,
};

static void ignore_event(struct pmu_event *e)
{
	(void)e;
}

/* Counts nothing, on purpose: it carries side-band records. */
static const struct pmu_class dummy_class = {
	.start = ignore_event,
	.stop = ignore_event,
	.update = ignore_event,
};

static const struct {
	const char *name;
	const struct pmu_class *class;
} rows[] = {
	[PERF_COUNT_SW_CPU_CLOCK] = {"cpu-clock", &pmu_clock_class},
	[PERF_COUNT_SW_TASK_CLOCK] = {"task-clock", &pmu_clock_class},
	[PERF_COUNT_SW_PAGE_FAULTS] = {"page-faults", &fault_class},
	[PERF_COUNT_SW_CONTEXT_SWITCHES] = {"context-switches", &occurrence_class},
	[PERF_COUNT_SW_CPU_MIGRATIONS] = {"cpu-migrations", &occurrence_class},
	[PERF_COUNT_SW_PAGE_FAULTS_MIN] = {"minor-faults", &fault_class},
	[PERF_COUNT_SW_PAGE_FAULTS_MAJ] = {"major-faults", &fault_class},
	[PERF_COUNT_SW_ALIGNMENT_FAULTS] = {"alignment-faults", &fault_class},
	[PERF_COUNT_SW_EMULATION_FAULTS] = {"emulation-faults", &fault_class},
	[PERF_COUNT_SW_DUMMY] = {"dummy", &dummy_class},
};

static int check_software_clock(const struct pmu_event *e, const char *name, struct reason *why)
{
	if (!e->attr.sample_period)
		return 0;
	if (!pmu.host->timer_arm)
		return refuse(why, EOPNOTSUPP,
			      "%s can be counted, but not sampled: there is no timer for it", name);
	if ((e->attr.freq ? NSEC_PER_SEC / e->attr.sample_freq : e->attr.sample_period) <
	    LEAST_CLOCK_PERIOD)
		return refuse(why, EINVAL, "%s samples are at least %u ns apart", name,
			      LEAST_CLOCK_PERIOD);
	return 0;
}

static int make_software_event(struct pmu_event *e, struct reason *why)
{
	uint64_t id = e->attr.config;

	if (id == PERF_COUNT_SW_BPF_OUTPUT)
		return refuse(why, ENOENT,
			      "there are no BPF programs that would write to bpf-output");
	if (id == PERF_COUNT_SW_CGROUP_SWITCHES)
		return refuse(why, ENOENT, "there are no cgroups to switch between");
	if (id >= sizeof(rows) / sizeof(rows[0]))
		return refuse(why, ENOENT, "there is no software event %llu",
			      (unsigned long long)id);
	e->class = rows[id].class;
	if (e->class->clock)
		return check_software_clock(e, rows[id].name, why);
	return 0;
}

static const struct pmu_kind software_kind = {
	.first = PERF_TYPE_SOFTWARE,
	.last = PERF_TYPE_SOFTWARE,
	.init = make_software_event,
	.exact = true,
};

PMU_KIND(software_kind);
