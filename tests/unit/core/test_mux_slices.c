// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mux_slices.c - more events than counters on the modelled PMUs: time slices, shares, and
 * policies.
 */
#include "tests/unit/core/multiplexed.h"

#include "tests/unit/test.h"

#define INSTRUCTIONS rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)

#define MAX_EVENTS 16

/* --- Slices --- */

/* After full rounds all events have run for the same time to the ns. Counts match the times. */
TEST(test_shares)
{
	static const struct {
		const char *uarch;
		bool ht;
		unsigned counters, events, branches; /* of 20 instructions */
	} rows[] = {
		{"hsw", true, 4, 5, 4},  {"hsw", true, 4, 6, 4},  {"skx", true, 4, 16, 4},
		{"skx", false, 8, 9, 4}, {"icl", true, 8, 12, 4}, {"zen4", true, 6, 7, 3},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned n = rows[i].events;
		struct pmu_event e[MAX_EVENTS];

		rig_boot(rows[i].uarch, rows[i].ht);
		open_many(e, n, BRANCHES);
		rig_slices(10 * n * SLICE);
		for (unsigned k = 0; k < n; k++) {
			struct pmu_value v = muxed_value(&e[k]);

			assert_int_equal(v.time_enabled, 10 * n * SLICE);
			assert_int_equal(v.time_running, 10 * rows[i].counters * SLICE);
			assert_int_equal(v.value, v.time_running / 20 * rows[i].branches);
		}
		/* A slice may end together with the run: then no rotation follows it. */
		assert_in_range(pmu_stats()->rotations, 10 * n - 1, 10 * n);
		assert_int_equal(shim.unknown_nmis, 0);
		close_many(e, n);
	}
}

/* As in Linux: the last event of the list moves to its head, and the first four run. */
TEST(test_order)
{
	struct pmu_event e[6];

	rig_boot("skx", true);
	open_many(e, 6, BRANCHES);
	pmu_task_sched_in(&rig.task);
	for (unsigned slice = 0; slice < 14; slice++) {
		const struct pmu_regs regs = {.ip = 1, .user = true};

		for (unsigned k = 0; k < 6; k++)
			assert_int_equal(e[k].state, (k + slice) % 6 < 4 ? PMU_STATE_ACTIVE
									 : PMU_STATE_INACTIVE);
		shim_run(VPMU_USR, rig.slice_end - shim.ns);
		pmu_mux_timer(&regs);
	}
	pmu_task_sched_out();
	close_many(e, 6);
}

/* There is no timer while no event waits, and none while the task does not run. The task uses the
 * rest of its slice when it runs again. */
TEST(test_timer)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[5];

	rig_boot("skx", true);
	open_many(e, 4, BRANCHES);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(rig.slice_end, 0);
	open_muxed(&e[4], BRANCHES, NULL);
	assert_int_equal(rig.slice_end, shim.ns + SLICE);
	shim_run(VPMU_USR, 1000000);
	pmu_task_sched_out();
	assert_int_equal(rig.slice_end, 0);
	shim.ns += 1000000000;
	pmu_task_sched_in(&rig.task);
	assert_int_equal(rig.slice_end, shim.ns + SLICE - 1000000);
	pmu_event_close(&e[0]);
	assert_int_not_equal(rig.slice_end, 0);
	shim_run(VPMU_USR, rig.slice_end - shim.ns);
	rig.slice_end = 0;
	pmu_mux_timer(&regs);
	assert_int_equal(rig.slice_end, 0);
	for (unsigned k = 1; k < 5; k++)
		assert_int_equal(e[k].state, PMU_STATE_ACTIVE);
	pmu_task_sched_out();
	close_many(e + 1, 4);
}

/* Closing does not schedule: the timer goes off once more, finds an empty list, and is not armed
 * again. */
TEST(test_timer_of_nobody)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[5];

	for (int fair = 0; fair <= 1; fair++) {
		rig_boot("skx", true);
		pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		open_many(e, 5, BRANCHES);
		pmu_task_sched_in(&rig.task);
		close_many(e, 5);
		assert_int_not_equal(rig.slice_end, 0);
		shim_run(VPMU_USR, rig.slice_end - shim.ns);
		rig.slice_end = 0;
		pmu_mux_timer(&regs);
		assert_int_equal(rig.slice_end, 0);
		pmu_task_sched_out();
	}
}

/* Turns of tasks are shorter than a slice: slices still measure running time. */
TEST(test_short_turns)
{
	struct pmu_event e[5];

	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	for (unsigned turn = 0; turn < 400; turn++) {
		rig_slices(SLICE / 20);
		shim.ns += 12345;
	}
	for (unsigned k = 0; k < 5; k++) {
		assert_int_equal(muxed_value(&e[k]).time_enabled, 20 * SLICE);
		assert_int_equal(muxed_value(&e[k]).time_running, 16 * SLICE);
	}
	close_many(e, 5);
}

/* A late interrupt shortens the next slice, so that slices keep to their grid. */
TEST(test_late_timer)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[5];
	uint64_t start;

	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	pmu_task_sched_in(&rig.task);
	start = shim.ns;
	for (unsigned i = 1; i <= 10; i++) {
		shim_run(VPMU_USR, rig.slice_end - shim.ns + i * 1000);
		pmu_mux_timer(&regs);
		assert_int_equal(rig.slice_end, start + (i + 1) * SLICE);
	}
	shim_run(VPMU_USR, 3 * SLICE);
	pmu_mux_timer(&regs);
	assert_int_equal(rig.slice_end, shim.ns + SLICE);
	pmu_task_sched_out();
	close_many(e, 5);
}

TEST(test_interval)
{
	struct pmu_event e[5];

	rig_boot("skx", true);
	assert_int_equal(pmu_set_mux_interval_us(PMU_MUX_LEAST_US - 1), -EINVAL);
	assert_int_equal(pmu_set_mux_interval_us(PMU_MUX_MOST_US + 1), -EINVAL);
	assert_int_equal(pmu_set_mux_interval_us(250), 0);
	open_many(e, 5, BRANCHES);
	rig_slices(100 * 250000);
	assert_in_range(pmu_stats()->rotations, 99, 100);
	assert_int_equal(muxed_value(&e[2]).time_running, 80 * 250000);
	close_many(e, 5);
}

/* Without a timer an event that does not fit waits for the next operation that schedules. */
TEST(test_no_timer)
{
	struct pmu_event e[5];

	rig_boot("skx", true);
	rig.host.mux_arm = NULL;
	open_many(e, 5, BRANCHES);
	rig_slices(10 * SLICE);
	assert_int_equal(muxed_value(&e[4]).time_running, 0);
	assert_int_equal(muxed_value(&e[4]).time_enabled, 10 * SLICE);
	close_many(e, 5);
}

/* The interrupt of a cancelled timer changes nothing. */
TEST(test_stray_timer)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[2];
	uint64_t schedules;

	rig_boot("skx", true);
	open_many(e, 2, BRANCHES);
	pmu_task_sched_in(&rig.task);
	schedules = pmu_stats()->schedules;
	pmu_mux_timer(&regs);
	assert_int_equal(pmu_stats()->schedules, schedules);
	assert_int_equal(pmu_stats()->rotations, 0);
	pmu_task_sched_out();
	close_many(e, 2);
}

/*
 * A slice writes the master switch twice, and event select and count of each counter that gets
 * another event. With policy perf, events return to their last counters where they can: in half of
 * the slices of six events on four counters. In the other slices all counters may change.
 */
static void few_writes(bool fair)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[6], fixed;
	struct perf_event_attr pinned = without_kernel(INSTRUCTIONS);
	uint64_t before, all = 0;

	rig_boot("skx", true);
	pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
	open_many(e, 6, BRANCHES);
	pinned.pinned = 1;
	open_muxed(&fixed, pinned, NULL);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 60; i++) {
		before = shim.wrmsrs;
		shim_run(VPMU_USR, rig.slice_end - shim.ns);
		pmu_mux_timer(&regs);
		assert_in_range(shim.wrmsrs - before, 2, 2 + 2 * 4);
		all += shim.wrmsrs - before;
		assert_int_equal(fixed.state, PMU_STATE_ACTIVE);
	}
	pmu_task_sched_out();
	assert_true(all < 60 * 9);
	assert_int_equal(rig_value(&fixed), 60 * SLICE);
	pmu_event_close(&fixed);
	close_many(e, 6);
}

TEST(test_few_writes)
{
	few_writes(false);
	few_writes(true);
}

/* Periods go on from slice to slice: an event takes a sample for each period that it counted. */
TEST(test_sampling_in_slices)
{
	struct perf_event_attr attr = BRANCHES;
	struct pmu_event e[6];

	rig_boot("icl", true);
	shim.nmi_delay = 3;
	attr.sample_period = 10007;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.config = 0x1d1; /* the low four only */
	for (unsigned i = 0; i < 6; i++)
		open_muxed(&e[i], attr, NULL);
	rig_slices(60 * SLICE);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(e[i].books.overflows, rig_value(&e[i]) / 10007);
		assert_true(e[i].books.overflows > 100);
	}
	assert_int_equal(shim.unknown_nmis, 0);
	close_many(e, 6);
}

/* A machine on which each write of a register takes 20 us. */
static uint64_t clock_with_writes(void)
{
	return shim.ns + shim.wrmsrs * 20000;
}

/* The time of a change of schedule is in no slice: shares and scaled counts are as if the change
 * took no time. Only the two writes of the master switch cannot be excluded. */
TEST(test_slow_changes)
{
	struct pmu_event e[5];

	rig_boot("skx", true);
	rig.host.clock_ns = clock_with_writes;
	open_many(e, 5, BRANCHES);
	rig_slices(50 * SLICE);
	assert_true(shim.wrmsrs > 50 * 5);
	for (unsigned k = 0; k < 5; k++) {
		const struct pmu_value v = muxed_value(&e[k]);

		assert_in_range(v.time_enabled, 50 * SLICE, 50 * SLICE + 51 * 2 * 20000);
		assert_in_range(v.time_running * 1000 / v.time_enabled, 780, 820);
		assert_in_range(v.value * v.time_enabled / v.time_running,
				50 * SLICE / 5 * 98 / 100, 50 * SLICE / 5 * 102 / 100);
	}
	close_many(e, 5);
}

/* --- Policies --- */

/* A fixed counter is free all the time, but with policy perf its event waits behind events that do
 * not fit. */
TEST(test_policies)
{
	struct pmu_event e[6], fixed;

	for (int fair = 0; fair <= 1; fair++) {
		struct pmu_value v;

		rig_boot("hsw", true);
		pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		open_many(e, 6, BRANCHES);
		open_muxed(&fixed, without_kernel(INSTRUCTIONS), NULL);
		rig_slices(42 * SLICE);
		v = muxed_value(&fixed);
		assert_int_equal(v.value, v.time_running);
		assert_int_equal(v.time_running, fair ? 42 * SLICE : 30 * SLICE);
		for (unsigned k = 0; k < 6; k++)
			if (fair)
				assert_int_equal(muxed_value(&e[k]).time_running, 28 * SLICE);
			else
				assert_int_equal(muxed_value(&e[k]).time_running,
						 (k < 4 ? 30 : 24) * SLICE);
		pmu_event_close(&fixed);
		close_many(e, 6);
	}
}

TEST(test_policy_at_run_time)
{
	struct pmu_event e[5], fixed;
	uint64_t before;

	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	open_muxed(&fixed, without_kernel(INSTRUCTIONS), NULL);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(fixed.state, PMU_STATE_INACTIVE);
	before = pmu_stats()->schedules;
	pmu_set_policy(PMU_POLICY_FAIR);
	assert_int_equal(pmu_stats()->schedules, before + 1);
	assert_int_equal(fixed.state, PMU_STATE_ACTIVE);
	pmu_set_policy(PMU_POLICY_PERF);
	assert_int_equal(fixed.state, PMU_STATE_INACTIVE);
	pmu_task_sched_out();
	pmu_event_close(&fixed);
	close_many(e, 5);
}
