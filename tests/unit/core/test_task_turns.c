// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task_turns.c - several tasks on the modelled PMUs: the instructions and the time that an
 * event counts, time slices of tasks that take turns, and events for sets of tasks.
 */
#include "tests/unit/core/task_events.h"

#include "tests/unit/test.h"

#define ONLY_2 user_only(rig_attr(PERF_TYPE_RAW, 0x148)) /* Haswell: counter 2 only */

/* --- Tasks that take turns --- */

TEST(test_each_task_its_own)
{
	static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};

	for (size_t u = 0; u < sizeof(uarchs) / sizeof(uarchs[0]); u++) {
		struct pmu_task tasks[3];
		struct pmu_event own[3], cpu;
		uint64_t ran[3] = {0}, begin;

		rig_boot(uarchs[u], true);
		begin = shim.ns;
		open_cpu(&cpu, INSTRUCTIONS);
		for (unsigned i = 0; i < 3; i++) {
			assert_int_equal(pmu_task_init(&tasks[i], i + 20, i + 20, NULL), 0);
			open_for(&own[i], INSTRUCTIONS, &tasks[i]);
		}
		for (unsigned turn = 0; turn < 300; turn++) {
			unsigned i = turn * 7 / 3 % 3, ns = 100 + turn * 37 % 1000;

			rig_run(&tasks[i], ns);
			ran[i] += ns;
			if (turn % 10 == 0)
				rig_run(NULL, 77);
		}
		for (unsigned i = 0; i < 3; i++)
			check_value(&own[i], ran[i], ran[i], ran[i]);
		check_value(&cpu, ran[0] + ran[1] + ran[2] + 30 * 77, shim.ns - begin,
			    shim.ns - begin);
		close_many(own, 3);
		pmu_event_close(&cpu);
		check_empty();
	}
}

/* Writes of a switch: one for each counter that comes or goes, and two of the master switch. */
TEST(test_switches_write_little)
{
	static const struct {
		unsigned events, in, out;
	} rows[] = {{0, 2, 2}, {1, 2 + 2, 2 + 1}, {3, 2 + 2 * 3, 2 + 3}};
	struct pmu_task task;
	struct pmu_event cpu, e[3];

	rig_boot("skx", true);
	pmu_task_init(&task, 20, 20, NULL);
	open_cpu(&cpu, BRANCHES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t before = shim.wrmsrs;

		for (unsigned k = 0; k < rows[i].events; k++)
			open_for(&e[k], BRANCHES, &task);
		before = shim.wrmsrs;
		pmu_task_sched_in(&task);
		assert_int_equal(shim.wrmsrs - before, rows[i].in);
		before = shim.wrmsrs;
		pmu_task_sched_out();
		assert_int_equal(shim.wrmsrs - before, rows[i].out);
		assert_int_equal(cpu.tick.counter, 0);
		close_many(e, rows[i].events);
	}
	pmu_event_close(&cpu);
}

/* With any lengths of turns, the slices of each task measure its own time, and all events get their
 * shares. */
TEST(test_slices_of_two_tasks)
{
	static const struct {
		uint64_t a, b; /* ns of a turn */
	} rows[] = {
		{SLICE / 2, SLICE / 2},     {SLICE, SLICE},         {SLICE / 4, SLICE * 3 / 4},
		{SLICE * 3 / 2, SLICE / 8}, {SLICE * 5, SLICE / 2},
	};

	for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]); row++) {
		struct pmu_task b;
		struct pmu_event ea[5], eb[6];
		uint64_t ta = 0, tb = 0;

		rig_boot("skx", true);
		pmu_task_init(&b, 20, 20, NULL);
		for (unsigned i = 0; i < 5; i++)
			open_ok(&ea[i], BRANCHES, NULL);
		for (unsigned i = 0; i < 6; i++)
			open_for(&eb[i], BRANCHES, &b);
		while (ta < 20 * SLICE || tb < 24 * SLICE) {
			ta += take_turn(&rig.task, rows[row].a, 20 * SLICE - ta);
			tb += take_turn(&b, rows[row].b, 24 * SLICE - tb);
		}
		for (unsigned i = 0; i < 5; i++)
			check_value(&ea[i], 16 * SLICE / 5, ta, 16 * SLICE);
		for (unsigned i = 0; i < 6; i++)
			check_value(&eb[i], 16 * SLICE / 5, tb, 16 * SLICE);
		close_many(ea, 5);
		close_many(eb, 6);
		check_empty();
	}
}

/* A task without waiting events shortens no slice. */
TEST(test_slices_beside_a_task_that_fits)
{
	struct pmu_task b;
	struct pmu_event e[5], other;

	rig_boot("skx", true);
	pmu_task_init(&b, 20, 20, NULL);
	for (unsigned i = 0; i < 5; i++)
		open_ok(&e[i], BRANCHES, NULL);
	open_for(&other, BRANCHES, &b);
	for (unsigned turn = 0; turn < 40; turn++) {
		rig_run(&rig.task, SLICE / 2);
		assert_int_equal(rig.slice_end, 0);
		rig_run(&b, SLICE / 3);
	}
	for (unsigned i = 0; i < 5; i++)
		check_value(&e[i], 16 * SLICE / 5, 20 * SLICE, 16 * SLICE);
	close_many(e, 5);
	pmu_event_close(&other);
}

/*
 * Two lists wait for different counters: the CPU's list goes on through all switches. With policy
 * fair a slice of one list ends slices of the other. So shares are not exact, but no event starves.
 */
static void slices_of_cpu_and_tasks(uint64_t ns, bool fair)
{
	const uint64_t each = 24 * SLICE, least = fair ? each / 4 : each / 2;
	struct pmu_task b;
	struct pmu_event cpu[2], ea[2], eb[2];
	uint64_t begin;

	rig_boot("hsw", true);
	pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
	pmu_task_init(&b, 20, 20, NULL);
	begin = shim.ns;
	for (unsigned i = 0; i < 2; i++) {
		open_cpu(&cpu[i], ONLY_2);
		open_ok(&ea[i], ONLY_3, NULL);
		open_for(&eb[i], ONLY_3, &b);
	}
	for (uint64_t t = 0; t < each; t += ns) {
		rig_run(&rig.task, ns);
		rig_run(&b, ns);
	}
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(value_of(&cpu[i]).time_enabled, shim.ns - begin);
		assert_in_range(value_of(&cpu[i]).time_running, 2 * least, 2 * (each - least));
		assert_in_range(value_of(&ea[i]).time_running, least, each - least);
		assert_in_range(value_of(&eb[i]).time_running, least, each - least);
	}
	close_many(cpu, 2);
	close_many(ea, 2);
	close_many(eb, 2);
	check_empty();
}

TEST(test_slices_of_cpu_and_tasks)
{
	static const uint64_t turns[] = {SLICE / 4, SLICE / 2, SLICE, SLICE * 3 / 2, SLICE * 12};

	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
		for (int fair = 0; fair <= 1; fair++)
			slices_of_cpu_and_tasks(turns[i], fair);
}

/* --- Sets of tasks --- */

TEST(test_sets_count_their_tasks)
{
	struct pmu_task b, c;
	struct pmu_event of5, of6, clock5, all;

	rig_boot("icl", true);
	pmu_task_init(&b, 20, 20, NULL);
	pmu_task_init(&c, 21, 21, NULL);
	pmu_task_move(&rig.task, 5);
	pmu_task_move(&b, 6);
	open_set(&of5, INSTRUCTIONS, 5);
	open_set(&of6, BRANCHES, 6);
	open_set(&clock5, CLOCK, 5);
	open_cpu(&all, INSTRUCTIONS);
	rig_run(NULL, 500);
	rig_run(&rig.task, 1000);
	rig_run(&b, 2000);
	rig_run(&c, 4000);
	check_value(&of5, 1000, 1000, 1000);
	check_value(&clock5, 1000, 1000, 1000);
	check_value(&of6, 400, 2000, 2000);
	check_value(&all, 7500, 7500, 7500);

	/* Opened while its set runs, too. */
	pmu_event_close(&of6);
	pmu_task_sched_in(&b);
	open_set(&of6, BRANCHES, 6);
	rig_go(500);
	pmu_task_sched_out();
	rig_run(&c, 1000);
	rig_run(&b, 500);
	check_value(&of6, 200, 1000, 1000);
	pmu_event_reset(&all);

	/* A task moves to another set in the middle of its turn, and back. */
	pmu_task_sched_in(&c);
	rig_go(300);
	pmu_task_move(&c, 5);
	rig_go(200);
	check_value(&of5, 1200, 1200, 1200);
	pmu_task_move(&c, 0);
	rig_go(100);
	pmu_task_sched_out();
	check_value(&of5, 1200, 1200, 1200);
	check_value(&clock5, 1200, 1200, 1200);
	check_value(&all, 600, 10100, 10100);
	pmu_event_close(&of5);
	pmu_event_close(&of6);
	pmu_event_close(&clock5);
	pmu_event_close(&all);
	check_empty();
}

/* A child begins in its parent's set. Later moves of one do not move the other. */
TEST(test_children_are_in_the_set)
{
	struct pmu_task child;
	struct pmu_event e;

	rig_boot("hsw", true);
	pmu_task_move(&rig.task, 3);
	open_set(&e, INSTRUCTIONS, 3);
	fork_task(&child, 20);
	rig_run(&child, 100);
	pmu_task_move(&child, 4);
	rig_run(&child, 1000);
	rig_run(&rig.task, 10);
	check_value(&e, 110, 110, 110);
	pmu_event_close(&e);
}

TEST(test_moves_schedule_who_runs)
{
	struct pmu_task b;
	struct pmu_event e;
	uint64_t before;

	rig_boot("skx", true);
	pmu_task_init(&b, 20, 20, NULL);
	open_set(&e, INSTRUCTIONS, 5);
	pmu_task_sched_in(&rig.task);
	before = pmu_stats()->schedules;
	pmu_task_move(&b, 5);
	assert_int_equal(pmu_stats()->schedules, before);
	assert_int_equal(e.state, PMU_STATE_INACTIVE);
	pmu_task_move(&rig.task, 5);
	assert_int_equal(pmu_stats()->schedules, before + 1);
	assert_int_equal(e.state, PMU_STATE_ACTIVE);
	pmu_task_move(&rig.task, 6);
	assert_int_equal(pmu_stats()->schedules, before + 2);
	assert_int_equal(e.state, PMU_STATE_INACTIVE);
	pmu_task_sched_out();
	pmu_event_close(&e);
}

/* An event that waits for the counters of a set gets them as soon as the set does not run. */
TEST(test_counters_of_a_set_that_sleeps)
{
	struct pmu_task b;
	struct pmu_event e[4], waits;

	rig_boot("skx", true);
	pmu_task_init(&b, 20, 20, NULL);
	pmu_task_move(&rig.task, 5);
	for (unsigned i = 0; i < 4; i++)
		open_set(&e[i], pinned(BRANCHES), 5);
	open_cpu(&waits, BRANCHES);
	assert_int_equal(waits.state, PMU_STATE_ACTIVE);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(waits.state, PMU_STATE_INACTIVE);
	rig_go(1000);

	pmu_task_sched_out();
	assert_int_equal(waits.state, PMU_STATE_ACTIVE);
	rig_go(1000);
	pmu_task_sched_in(&rig.task);
	pmu_task_move(&rig.task, 0);
	assert_int_equal(waits.state, PMU_STATE_ACTIVE);
	rig_go(1000);
	pmu_task_move(&rig.task, 5);
	assert_int_equal(waits.state, PMU_STATE_INACTIVE);
	pmu_task_sched_out();
	pmu_task_sched_in(&b);
	assert_int_equal(waits.state, PMU_STATE_ACTIVE);
	rig_go(1000);
	pmu_task_sched_out();
	check_value(&waits, 600, 4000, 3000);
	for (unsigned i = 0; i < 4; i++)
		check_value(&e[i], 200, 1000, 1000);
	close_many(e, 4);
	pmu_event_close(&waits);
}

/* While its set sleeps a pinned event needs no counter, so it is not in the error state. */
TEST(test_pinned_of_a_set)
{
	struct pmu_event of5, other;

	rig_boot("hsw", true);
	open_set(&of5, pinned(ONLY_3), 5);
	open_cpu(&other, ONLY_3);
	rig_run(&rig.task, 1000);
	assert_int_equal(of5.state, PMU_STATE_INACTIVE);
	pmu_task_move(&rig.task, 5);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(of5.state, PMU_STATE_ACTIVE);
	assert_int_equal(other.state, PMU_STATE_INACTIVE);
	pmu_task_sched_out();
	pmu_event_close(&of5);
	pmu_event_close(&other);
}

/* An event of a set gets no COMM and MMAP2 records of tasks of other sets. */
TEST(test_records_of_other_sets)
{
	struct perf_event_attr attr = INSTRUCTIONS;
	struct rb *rb = rig_ring(1);
	struct pmu_event e;

	rig_boot("skx", true);
	attr.comm = 1;
	open_set(&e, attr, 5);
	pmu_event_set_output(&e, rb);
	pmu_output_comm(&rig.task, "other", false);
	assert_int_equal(rb->head, 0);
	pmu_task_move(&rig.task, 5);
	pmu_output_comm(&rig.task, "mine", false);
	assert_int_not_equal(rb->head, 0);
	pmu_event_close(&e);
}
