// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_firmware.c - counters that the firmware uses: they are on when the image starts, or the
 * firmware takes them while events count on them.
 */
#include "tests/unit/core/sampled_events.h"

#include "tests/unit/test.h"

static void boot_occupied(const char *uarch, uint64_t counters)
{
	shim_boot(uarch, true);
	vpmu_model_occupy(&shim.model, counters);
	pmu_caps_detect(&rig.caps);
	assert_int_equal(rig_init(), 0);
}

TEST(test_on_at_the_start)
{
	static const struct {
		const char *uarch;
		uint64_t occupied, told;
		uint32_t msr;
	} rows[] = {
		{"hsw", 0, 0, 0},
		{"hsw", 0x4, 0x4, MSR_IA32_PERFEVTSEL0 + 2},
		{"skx", UARCH_FIXED(1), UARCH_FIXED(1), MSR_IA32_FIXED_CTR_CTRL},
		{"icl", 0x3 | UARCH_FIXED(2), 0x3 | UARCH_FIXED(2), MSR_IA32_PERFEVTSEL0},
		{"zen4", 0x20, 0x20, MSR_AMD_PERF_CTL0 + 10},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct pmu_event e;
		struct pmu_firmware f;

		boot_occupied(rows[i].uarch, rows[i].occupied);
		f = pmu_firmware();
		assert_true(f.at_start == rows[i].told);
		assert_int_equal(f.msr, rows[i].msr);
		assert_true(f.borrowed == 0);
		/* Events may use these counters nevertheless. */
		assert_int_equal(rig_open(&e,
					  &(struct perf_event_attr){.type = PERF_TYPE_HARDWARE,
								    .size = sizeof(e.attr),
								    .config = 1,
								    .exclude_kernel = 1},
					  NULL),
				 0);
		rig_task(1000);
		assert_int_equal(rig_value(&e), 1000);
		pmu_event_close(&e);
	}
}

static uint64_t running_time(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	assert_true(v.time_enabled > 0);
	return v.time_running;
}

/* When the firmware takes a counter, the event on it stops, and the counter is not used again. */
static void take_while_it_counts(const char *uarch)
{
	const struct perf_event_attr attr =
		rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
	struct pmu_event first, second;
	unsigned counter;

	rig_boot(uarch, true);
	assert_int_equal(rig_open(&first, &attr, NULL), 0);
	assert_int_equal(rig_open(&second, &attr, NULL), 0);
	shim.model.firmware.steal = 500;
	rig_task(1000);
	counter = first.borrowed ? first.borrowed - 1u : second.borrowed - 1u;
	assert_true(!first.borrowed != !second.borrowed);
	assert_int_equal(pmu_counter_borrowed_of(first.borrowed ? &first : &second), counter);
	assert_int_equal(pmu_counter_borrowed_of(first.borrowed ? &second : &first), -1);
	assert_true(pmu_firmware().borrowed == 1ull << counter);
	assert_int_equal(rig_value(first.borrowed ? &first : &second), 0);
	assert_int_equal(running_time(first.borrowed ? &first : &second), 0);
	assert_true(rig_value(first.borrowed ? &second : &first) > 0);
	/* The firmware's setting stays. */
	assert_true(shim.model.regs.evtsel[counter] & EVTSEL_EN);
	pmu_event_close(&first);
	pmu_event_close(&second);
	/* The next events are put on other counters. */
	assert_int_equal(rig_open(&first, &attr, NULL), 0);
	rig_task(1000);
	assert_true(first.place->index != counter);
	assert_true(rig_value(&first) > 0);
	pmu_event_close(&first);
}

TEST(test_taken_while_it_counts)
{
	for_each_uarch(u)
	{
		take_while_it_counts(*u);
	}
	/* Without a master switch each pause writes the control registers. */
	take_while_it_counts("zen2");
	take_while_it_counts("fam10h");
}

TEST(test_a_fixed_counter_is_taken)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
	struct pmu_event e;

	attr.exclude_kernel = 1;
	rig_boot("icl", true);
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	shim.model.firmware.steal = 500;
	rig_task(1000);
	assert_int_equal(pmu_counter_borrowed_of(&e), GLOBAL_FIXED_SHIFT);
	assert_int_equal(rig_value(&e), 0);
	pmu_event_close(&e);
	/* Instructions get a general counter. The firmware's counter keeps its setting. */
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	rig_task(1000);
	assert_int_equal(rig_value(&e), 1000);
	assert_true(e.place->index < GLOBAL_FIXED_SHIFT);
	assert_int_equal(shim.model.regs.fixed_ctrl & 0xf,
			 FIXED_CTRL_OS | FIXED_CTRL_USR | FIXED_CTRL_PMI);
	pmu_event_close(&e);
}

/* The firmware switches all counters off by the master switch: earlier counts are unknown. */
TEST(test_the_switch_is_changed)
{
	for_each_uarch(u)
	{
		const struct perf_event_attr attr =
			rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS);
		struct pmu_event e;

		rig_boot(*u, true);
		assert_int_equal(rig_open(&e, &attr, NULL), 0);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 1000);
		shim.model.regs.global_ctrl = 0;
		shim_run(VPMU_USR, 1000);
		pmu_task_sched_out();
		assert_true(pmu_counter_borrowed_of(&e) >= 0);
		assert_int_equal(rig_value(&e), 0);
		pmu_event_close(&e);
	}
}

/* Samples and switches of tasks are not taken for changes by the firmware. */
static void sample_with_switches(const char *uarch)
{
	struct rb *rb = rig_ring(64);
	struct pmu_event e;

	rig_boot(uarch, true);
	shim.nmi_delay = 3;
	open_into(&e, sampling(1009), rb);
	for (unsigned i = 0; i < 100; i++)
		rig_task(777);
	assert_true(pmu_firmware().borrowed == 0);
	assert_int_equal(rig_value(&e), 77700);
	pmu_event_close(&e);
}

TEST(test_nothing_is_taken)
{
	for_each_uarch(u)
	{
		sample_with_switches(*u);
	}
	sample_with_switches("zen2");
}
