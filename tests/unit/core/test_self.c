// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_self.c - the counter that measures the runtime: it counts ring 0 only and does not stop when
 * events are paused. No event gets it meanwhile.
 */
#include "pmu/own/self.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "pmu/core/overflow.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

/* Every PMU of the model, and older PMUs, which lack some of its features. */
static void boot_hsw(void)
{
	assert_int_equal(rig_boot("hsw", true), 0);
}

static void boot_icl(void)
{
	assert_int_equal(rig_boot("icl", true), 0);
}

static void boot_zen4(void)
{
	assert_int_equal(rig_boot("zen4", true), 0);
}

static void boot_version_1(void)
{
	shim_boot("hsw", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.version = 1;
	rig.caps.fixed_mask = 0;
	assert_int_equal(rig_init(), 0);
}

static void boot_k7(void)
{
	shim_boot("zen4", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.perfmon_v2 = rig.caps.perfctr_core = false;
	assert_int_equal(rig_init(), 0);
}

static const struct machine {
	const char *name;
	void (*boot)(void);
	uint64_t taken; /* the counter */
} machines[] = {
	{"hsw", boot_hsw, 1ull << 32},  {"icl", boot_icl, 1ull << 32}, {"zen4", boot_zen4, 1 << 5},
	{"v1", boot_version_1, 1 << 3}, {"k7", boot_k7, 1 << 3},
};
#define for_each_machine(m)                      \
	for (const struct machine *m = machines; \
	     m < machines + sizeof(machines) / sizeof(*machines); m++)

static void start(void)
{
	struct reason why = {""};

	if (pmu_self_start(&why))
		fail_msg("start: %s", why.text);
}

/* Reading is itself an instruction of ring 0. */
#define READ 1

TEST(test_counts_ring_0_alone)
{
	uint64_t before;

	for_each_machine(m)
	{
		m->boot();
		start();
		before = pmu_self_read();
		shim_run(VPMU_OS, 1000);
		assert_int_equal(pmu_self_read() - before, 1000 + READ);
		before = pmu_self_read();
		shim_run(VPMU_USR, 1000);
		assert_int_equal(pmu_self_read() - before, READ);
		pmu_self_stop();
	}
}

static struct perf_event_attr in_ring_0(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_user = 1;
	return attr;
}

TEST(test_goes_on_while_paused)
{
	struct perf_event_attr attr = in_ring_0();

	for_each_machine(m)
	{
		struct pmu_event e;
		uint64_t own, its;

		m->boot();
		start();
		assert_int_equal(rig_open(&e, &attr, NULL), 0);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_OS, 100);
		pmu_pause();
		own = pmu_self_read();
		its = rig_value(&e);
		shim_run(VPMU_OS, 5000);
		assert_true(pmu_self_read() - own >= 5000);
		assert_true(rig_value(&e) == its);
		pmu_resume();
		shim_run(VPMU_OS, 70);
		assert_true(rig_value(&e) - its >= 70 && rig_value(&e) - its < 100);
		pmu_task_sched_out();
		own = pmu_self_read();
		shim_run(VPMU_OS, 10);
		assert_int_equal(pmu_self_read() - own, 10 + READ);
		pmu_event_close(&e);
		pmu_self_stop();
	}
}

/* With more events than counters no event gets this counter, and rotation does not change it. */
TEST(test_nobody_gets_its_counter)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	for_each_machine(m)
	{
		struct pmu_event e[10];
		uint64_t all, user;

		m->boot();
		all = pmu_info()->counters;
		start();
		assert_true(pmu_info()->counters == (all & ~m->taken));
		for (unsigned i = 0; i < 10; i++) {
			assert_int_equal(rig_open(&e[i], &attr, NULL), 0);
			assert_true(!(pmu_event_counters(&e[i]) & m->taken));
		}
		user = pmu_self_read();
		rig_slices(40000000);
		assert_true(pmu_stats()->rotations >= 9);
		assert_true(pmu_self_read() - user < 10000);
		for (unsigned i = 0; i < 10; i++) {
			assert_true(rig_value(&e[i]) > 0);
			pmu_event_close(&e[i]);
		}
		pmu_self_stop();
		assert_true(pmu_info()->counters == all);
	}
}

/* A sample's NMI stops events that count ring 0, but not the counter that measures the runtime. */
TEST(test_overflows_are_counted_and_served)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.sample_period = 1000;
	for_each_machine(m)
	{
		struct pmu_event e;
		uint64_t before;

		m->boot();
		start();
		assert_int_equal(rig_open(&e, &attr, NULL), 0);
		assert_int_equal(pmu_event_set_output(&e, rig_ring(64)), 0);
		pmu_task_sched_in(&rig.task);
		before = pmu_self_read();
		shim_run(VPMU_USR, 10500);
		assert_true(e.books.written >= 10);
		assert_true(pmu_self_read() - before >= 10 * 3);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_task_sched_out();
		pmu_event_close(&e);
		pmu_self_stop();
	}
}

TEST(test_refusals)
{
	struct perf_event_attr attr = in_ring_0();
	struct reason why;
	struct pmu_event e;

	boot_hsw();
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_int_equal(pmu_self_start(&why), -EBUSY);
	assert_string_equal(why.text, "events are open");
	pmu_event_close(&e);
	start();
	assert_int_equal(pmu_self_start(&why), -EBUSY);
	assert_string_equal(why.text, "it runs already");
	pmu_self_stop();
	start();
	pmu_self_stop();

	shim_boot("hsw", true);
	shim.pmu = SHIM_PMU_STUCK;
	pmu_caps_detect(&rig.caps);
	assert_int_not_equal(rig_init(), 0);
	assert_int_equal(pmu_self_start(&why), -ENODEV);
	assert_string_equal(why.text, pmu_problem());
}

/* Afterwards the counter stands still, also when the other counters are started again. */
TEST(test_stop_ends_it)
{
	for_each_machine(m)
	{
		uint64_t value;

		m->boot();
		start();
		shim_run(VPMU_OS, 100);
		pmu_self_stop();
		value = pmu_self_read();
		shim_run(VPMU_OS, 100);
		pmu_pause();
		pmu_resume();
		assert_int_equal(pmu_self_read(), value);
	}
}
