// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mux_groups.c - more events than counters on the modelled PMUs: groups that span PMUs,
 * pinned and exclusive ones.
 */
#include "tests/unit/core/multiplexed.h"

#include "tests/unit/test.h"

#define ONLY_3 without_kernel(rig_attr(PERF_TYPE_RAW, 0x1cd)) /* Haswell: counter 3 only */

/* --- Groups --- */

/* A group of hardware and software events counts as a whole: its clock stops while it waits. */
TEST(test_mixed_groups)
{
	struct pmu_event a[4], b[4];

	rig_boot("skx", true);
	for (unsigned i = 0; i < 4; i++) {
		struct perf_event_attr attr = i == 1 ? CLOCK : BRANCHES;

		open_muxed(&a[i], attr, i ? &a[0] : NULL);
	}
	/* Led by a software event. */
	for (unsigned i = 0; i < 4; i++)
		open_muxed(&b[i], i ? BRANCHES : CLOCK, i ? &b[0] : NULL);
	rig_slices(20 * SLICE);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(muxed_value(&a[i]).time_running, 10 * SLICE);
		assert_int_equal(muxed_value(&b[i]).time_running, 10 * SLICE);
		assert_int_equal(rig_value(&a[i]), 10 * SLICE / (i == 1 ? 1 : 5));
		assert_int_equal(rig_value(&b[i]), 10 * SLICE / (i == 0 ? 1 : 5));
	}
	close_many(a, 4);
	close_many(b, 4);
}

/*
 * Two events share one counter, so each has half of the time. Software events beside them count all
 * the time, in any order of opening. For a task and for a CPU, by both policies.
 */
TEST(test_software_takes_no_turn)
{
	static const char *const orders[] = {"sshh", "shsh", "hssh", "hshs",
					     "hhss", "sGhh", "hGsh"};
	const struct perf_event_attr cs =
		rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);

	for (unsigned row = 0; row < 4 * sizeof(orders) / sizeof(orders[0]); row++) {
		const char *order = orders[row / 4];
		const int task = row & 1 ? RIG_TID : -1, cpu = row & 1 ? -1 : 0;
		struct pmu_event e[5];
		unsigned n = 0;

		rig_boot("hsw", true);
		pmu_set_policy(row & 2 ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		/* G: a group of two software events. */
		for (unsigned i = 0; order[i]; i++) {
			const struct perf_event_attr attr = order[i] == 'h' ? ONLY_3 : CLOCK;

			assert_int_equal(pmu_event_open(&e[n], &attr, task, cpu, NULL, 0, &rig.why),
					 0);
			n++;
			if (order[i] != 'G')
				continue;
			assert_int_equal(
				pmu_event_open(&e[n], &cs, task, cpu, &e[n - 1], 0, &rig.why), 0);
			n++;
		}
		rig_slices(20 * SLICE);
		for (unsigned k = 0; k < n; k++) {
			const struct pmu_value v = muxed_value(&e[k]);
			const bool hardware = e[k].attr.type == PERF_TYPE_RAW;

			assert_int_equal(v.time_enabled, 20 * SLICE);
			assert_int_equal(v.time_running, (hardware ? 10 : 20) * SLICE);
		}
		assert_in_range(pmu_stats()->rotations, 19, 20);
		close_many(e, n);
	}
}

/* A software event that gets a hardware sibling takes turns from then on, even while the sibling is
 * disabled, because its group is no longer of software events alone. */
TEST(test_software_leader_joins_hardware)
{
	struct perf_event_attr disabled = ONLY_3;
	struct pmu_event leader, sibling, a, b;

	disabled.disabled = 1;
	rig_boot("hsw", true);
	open_muxed(&a, ONLY_3, NULL);
	open_muxed(&b, ONLY_3, NULL);
	open_muxed(&leader, CLOCK, NULL);
	rig_slices(6 * SLICE);
	assert_int_equal(muxed_value(&leader).time_running, 6 * SLICE);
	assert_int_equal(muxed_value(&a).time_running, 3 * SLICE);
	open_muxed(&sibling, disabled, &leader);
	rig_slices(6 * SLICE);
	/* In one slice of three it comes after the event that waits, and waits, too. */
	assert_int_equal(muxed_value(&leader).time_running, 10 * SLICE);
	assert_int_equal(muxed_value(&a).time_running + muxed_value(&b).time_running, 12 * SLICE);
	pmu_event_enable(&sibling);
	rig_slices(6 * SLICE);
	assert_int_equal(muxed_value(&leader).time_running, 12 * SLICE);
	assert_int_equal(muxed_value(&sibling).time_running, 2 * SLICE);
	pmu_event_close(&sibling);
	rig_slices(6 * SLICE);
	assert_int_equal(muxed_value(&leader).time_running, 18 * SLICE);
	pmu_event_close(&leader);
	pmu_event_close(&b);
	pmu_event_close(&a);
}

/* A sibling that is opened disabled need not fit. Once enabled, it keeps its group from counting.
 */
TEST(test_disabled_sibling_that_does_not_fit)
{
	struct perf_event_attr disabled = ONLY_3, enabled = ONLY_3;
	struct pmu_event leader, sibling, third;

	rig_boot("hsw", true);
	open_muxed(&leader, ONLY_3, NULL);
	assert_int_equal(rig_open(&third, &enabled, &leader), -EINVAL);
	disabled.disabled = 1;
	open_muxed(&sibling, disabled, &leader);
	rig_slices(SLICE);
	assert_int_equal(muxed_value(&leader).time_running, SLICE);
	pmu_event_enable(&sibling);
	rig_slices(SLICE);
	assert_int_equal(muxed_value(&leader).time_running, SLICE);
	assert_int_equal(muxed_value(&leader).time_enabled, 2 * SLICE);
	assert_int_equal(muxed_value(&sibling).time_running, 0);
	pmu_event_close(&sibling);
	pmu_event_close(&leader);
}

/* A group with more corrupting events than half of the counters can be opened, because validation
 * has no such limit, but it never counts. */
TEST(test_hyper_thread_limit)
{
	struct pmu_event e[3];

	for (int ht = 0; ht <= 1; ht++) {
		rig_boot("hsw", ht);
		for (unsigned i = 0; i < 3; i++)
			open_muxed(&e[i], without_kernel(rig_attr(PERF_TYPE_RAW, 0x1d1)),
				   i ? &e[0] : NULL);
		rig_slices(4 * SLICE);
		assert_int_equal(muxed_value(&e[0]).time_running, ht ? 0 : 4 * SLICE);
		close_many(e, 3);
		open_many(e, 3, without_kernel(rig_attr(PERF_TYPE_RAW, 0x1d1)));
		rig_slices(6 * SLICE);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(muxed_value(&e[i]).time_running, (ht ? 4 : 6) * SLICE);
		close_many(e, 3);
	}
}

TEST(test_pinned)
{
	struct perf_event_attr pinned = ONLY_3;
	struct pmu_event flexible[2], first, second, sibling;
	struct pmu_value v;

	rig_boot("hsw", true);
	pinned.pinned = 1;
	open_many(flexible, 2, BRANCHES);
	open_muxed(&first, pinned, NULL);
	rig_slices(3 * SLICE);
	assert_int_equal(muxed_value(&first).time_running, 3 * SLICE);

	/* The whole group is in the error state, its clock included. */
	open_muxed(&second, pinned, NULL);
	open_muxed(&sibling, CLOCK, &second);
	rig_slices(3 * SLICE);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	assert_int_equal(pmu_event_read(&second, &v), -ENODATA);
	assert_int_equal(muxed_value(&sibling).value, 0);
	assert_int_equal(pmu_event_read_format(&second, &v, sizeof(v)), 0);

	/* A free counter alone does not end the error; enabling does, if a counter is free. */
	pmu_event_enable(&second);
	rig_slices(SLICE);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	pmu_event_close(&first);
	rig_slices(SLICE);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	pmu_event_enable(&second);
	rig_slices(SLICE);
	assert_int_equal(muxed_value(&second).time_running, SLICE);
	assert_int_equal(muxed_value(&sibling).value, SLICE);
	pmu_event_close(&sibling);
	pmu_event_close(&second);
	close_many(flexible, 2);
}

/* A pinned event of the CPU takes the counter of one of the task, in the middle of a slice. */
TEST(test_cpu_before_task)
{
	struct perf_event_attr pinned = ONLY_3;
	struct pmu_event cpu, task, flexible;

	rig_boot("hsw", true);
	pinned.pinned = 1;
	open_muxed(&task, pinned, NULL);
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 1000);
	assert_int_equal(task.state, PMU_STATE_ACTIVE);
	assert_int_equal(pmu_event_open(&cpu, &pinned, -1, 0, NULL, 0, &rig.why), 0);
	assert_int_equal(task.state, PMU_STATE_ERROR);
	assert_int_equal(cpu.state, PMU_STATE_ACTIVE);
	open_muxed(&flexible, ONLY_3, NULL);
	shim_run(VPMU_USR, 1000);
	pmu_task_sched_out();
	assert_int_equal(task.times.running, 1000);
	assert_int_equal(muxed_value(&cpu).time_running, 1000);
	pmu_event_close(&cpu);
	pmu_event_close(&task);
	pmu_event_close(&flexible);
}

/* An exclusive group has the PMU for itself, and takes turns. */
TEST(test_exclusive)
{
	struct perf_event_attr exclusive = BRANCHES;
	struct pmu_event alone, sibling, other, clock;

	rig_boot("skx", true);
	exclusive.exclusive = 1;
	open_muxed(&alone, exclusive, NULL);
	assert_int_equal(rig_open(&sibling, &exclusive, &alone), -EINVAL);
	assert_non_null(strstr(rig.why.text, "exclusive"));
	open_muxed(&sibling, BRANCHES, &alone);
	open_muxed(&other, BRANCHES, NULL);
	open_muxed(&clock, CLOCK, NULL);
	rig_slices(12 * SLICE);
	assert_int_equal(muxed_value(&alone).time_running + muxed_value(&other).time_running,
			 12 * SLICE);
	assert_in_range(muxed_value(&alone).time_running, 4 * SLICE, 8 * SLICE);
	assert_int_equal(muxed_value(&sibling).time_running, muxed_value(&alone).time_running);
	assert_int_equal(muxed_value(&clock).time_running, 12 * SLICE);
	pmu_event_close(&clock);
	pmu_event_close(&other);
	pmu_event_close(&sibling);
	pmu_event_close(&alone);
}

TEST(test_group_operations)
{
	struct perf_event_attr off = BRANCHES;
	struct pmu_event leader, sibling, other;

	rig_boot("icl", true);
	off.disabled = 1;
	open_muxed(&leader, off, NULL);
	open_muxed(&sibling, off, &leader);
	open_muxed(&other, off, NULL);
	rig_slices(1000);
	pmu_group_enable(&sibling);
	rig_slices(1000);
	assert_int_equal(rig_value(&leader), 200);
	assert_int_equal(rig_value(&sibling), 200);
	assert_int_equal(rig_value(&other), 0);
	pmu_group_disable(&sibling);
	assert_int_equal(leader.state, PMU_STATE_OFF);
	assert_int_equal(sibling.state, PMU_STATE_OFF);
	rig_slices(1000);
	assert_int_equal(rig_value(&leader), 200);
	pmu_group_reset(&leader);
	assert_int_equal(rig_value(&leader) + rig_value(&sibling), 0);
	assert_int_equal(muxed_value(&leader).time_running, 1000);

	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 1000);
	pmu_task_enable_all(&rig.task);
	shim_run(VPMU_USR, 1000);
	pmu_task_disable_all(&rig.task);
	shim_run(VPMU_USR, 1000);
	pmu_task_sched_out();
	assert_int_equal(rig_value(&leader), 200);
	assert_int_equal(rig_value(&sibling), 200);
	assert_int_equal(rig_value(&other), 200);
	assert_int_equal(muxed_value(&other).time_enabled, 1000);
	pmu_event_close(&other);
	pmu_event_close(&sibling);
	pmu_event_close(&leader);
}

/* When a leader is closed its siblings stay on their counters. */
TEST(test_close_leader_while_counting)
{
	struct pmu_event leader, sibling;
	uint8_t counter;

	rig_boot("skx", true);
	open_muxed(&leader, BRANCHES, NULL);
	open_muxed(&sibling, BRANCHES, &leader);
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 1000);
	counter = sibling.tick.counter;
	pmu_event_close(&leader);
	shim_run(VPMU_USR, 1000);
	assert_int_equal(sibling.tick.counter, counter);
	pmu_task_sched_out();
	rig_slices(1000);
	assert_int_equal(rig_value(&sibling), 600);
	assert_int_equal(muxed_value(&sibling).time_running, 3000);
	assert_int_equal(rig_value(&leader), 200);
	pmu_event_close(&sibling);
}

TEST(test_too_many)
{
	static struct pmu_event e[PMU_MAX_EVENTS];
	struct perf_event_attr attr = CLOCK;
	struct pmu_event more;

	rig_boot("skx", true);
	for (unsigned i = 0; i < PMU_MAX_EVENTS; i++)
		open_muxed(&e[i], i % 2 ? CLOCK : BRANCHES, i > 1 && i % 2 ? &e[0] : NULL);
	assert_int_equal(rig_open(&more, &attr, NULL), -EMFILE);
	assert_non_null(strstr(rig.why.text, "255 events are open"));
	rig_slices(2 * SLICE);
	assert_int_equal(muxed_value(&e[1]).time_running, 2 * SLICE);
	pmu_event_close(&e[7]);
	assert_int_equal(rig_open(&more, &attr, NULL), 0);
	pmu_event_close(&more);
	for (unsigned i = PMU_MAX_EVENTS; i-- > 0;)
		pmu_event_close(&e[i]);
	assert_int_equal(rig_nevents(), 0);
	assert_null(rig.task.context.tick.flexible);
	assert_int_equal(rig.task.context.nsoftware, 0);
}
