// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmu_cpus.c - each CPU has its own counters, and gets their interrupts: code of ring 0 runs
 * on every CPU in turn, and is counted and sampled there. With several CPUs vpmu may estimate
 * counts, so the test only checks that periods add up to them.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "pmu/api/pmu.h"
#include "rb/rb.h"
#include "rt/base/image_test.h"

#define TURNS      2000000
#define PERIOD     200003
#define DATA_PAGES 4

struct sample {
	struct perf_event_header header;
	uint64_t ip;
	uint32_t cpu, reserved;
	uint64_t period;
};

static struct pmu_event event;
static struct rb ring;

/* A loop of two instructions. */
static void loop_turns(void *arg)
{
	(void)arg;
	for (uint64_t left = TURNS; left; left--)
		__asm__ volatile("");
}

static int open_on(unsigned cpu)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = PERIOD,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.disabled = 1,
		.exclude_user = 1,
	};

	return pmu_event_open(&event, &attr, -1, (int)cpu, NULL, 0, NULL);
}

/* All samples are of this CPU. Their periods and the last, incomplete one add up to the count. */
static const char *check_samples(unsigned cpu, uint64_t count)
{
	struct sample sample;
	uint64_t samples = 0, periods = 0;

	while (rb_read(&ring, &sample, sizeof(sample))) {
		if (sample.header.type != PERF_RECORD_SAMPLE)
			return "something else than a sample is in the ring";
		if (sample.cpu != cpu)
			return "a sample is of another CPU";
		samples++;
		periods += sample.period;
	}
	if (count < TURNS / 8)
		return "a CPU counted next to nothing";
	if (!samples)
		return "a CPU's counter never interrupted it";
	return periods > count || count - periods > 2 * PERIOD ? "periods and count disagree"
							       : NULL;
}

static const char *count_on(unsigned cpu)
{
	struct pmu_value value = {0};
	const char *why = NULL;

	if (open_on(cpu))
		return "an event cannot be opened on another CPU";
	if (pmu_event_set_output(&event, &ring)) {
		why = "it takes no ring";
	} else {
		pmu_event_enable(&event);
		smp_call(cpu, loop_turns, NULL);
		pmu_event_disable(&event);
		pmu_event_read(&event, &value);
		why = check_samples(cpu, value.value);
	}
	pmu_event_close(&event);
	return why;
}

static const char *test_every_cpu_counts(void)
{
	void *storage = page_alloc(1 + DATA_PAGES);
	const char *why = NULL;

	if (!pmu_info()->counters)
		why = IMAGE_TEST_SKIP("no counters");
	else if (!storage || rb_init(&ring, storage, DATA_PAGES))
		why = "no memory for a ring";
	for (unsigned cpu = 0; cpu < smp_ncpus() && !why; cpu++)
		why = count_on(cpu);
	if (storage)
		page_free(storage, 1 + DATA_PAGES);
	return why;
}

IMAGE_TEST(test_every_cpu_counts);

/* --- Counters that all CPUs of a package share --- */

struct reading {
	uint32_t msr;
	bool ok;
	uint64_t value;
};

static void read_energy(void *arg)
{
	struct reading *r = arg;

	loop_turns(NULL);
	r->ok = rdmsr_safe(r->msr, &r->value);
}

static uint32_t energy_register(void)
{
	const uint32_t intel = 0x756e6547; /* "Genu" */

	return insn_cpuid(0, 0).ebx == intel ? MSR_PKG_ENERGY_STATUS : MSR_AMD_PKG_ENERGY_STATUS;
}

/* All CPUs read the same counter of energy: it goes on from CPU to CPU. */
static const char *test_energy_is_of_the_package(void)
{
	struct reading r = {.msr = energy_register()};
	uint64_t before = 0;

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++) {
		smp_call(cpu, read_energy, &r);
		if (!r.ok || !r.value)
			return cpu ? "one CPU alone has no energy"
				   : IMAGE_TEST_SKIP("energy is not counted");
		if (before && (int32_t)(r.value - before) <= 0)
			return "another CPU's energy is less";
		before = r.value;
	}
	return NULL;
}

IMAGE_TEST(test_energy_is_of_the_package);
