// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task_states.c - events of tasks: groups and output at opening, error states, times, and
 * limits.
 */
#include "tests/unit/core/task_events.h"

#include "tests/unit/test.h"

/* --- Groups and output at opening --- */

TEST(test_group_rules)
{
	struct perf_event_attr attr = inherited(BRANCHES);
	struct pmu_task b, child;
	struct pmu_event leader, of5, e;
	const struct {
		int task, cpu;
		unsigned long flags;
		struct pmu_event *leader;
		const char *why;
	} rows[] = {
		{20, -1, 0, &leader, "same target"},
		{-1, 0, 0, &leader, "same target"},
		{RIG_TID, 0, 0, &leader, "same target"},
		{-1, 0, 0, &of5, "same target"},
		{6, 0, PERF_FLAG_PID_CGROUP, &of5, "same target"},
		{RIG_TID, -1, 0, &of5, "same target"},
		{5, 0, PERF_FLAG_PID_CGROUP, &of5, NULL},
		{RIG_TID, -1, 0, &leader, NULL},
		{20, -1, PERF_FLAG_FD_NO_GROUP, &leader, NULL},
	};

	rig_boot("skx", true);
	pmu_task_init(&b, 20, 20, NULL);
	open_ok(&leader, attr, NULL);
	open_set(&of5, attr, 5);
	fork_task(&child, 21);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int got = pmu_event_open(&e, &attr, rows[i].task, rows[i].cpu, rows[i].leader,
					 rows[i].flags, &rig.why);

		assert_int_equal(got, rows[i].why ? -EINVAL : 0);
		if (rows[i].why)
			assert_non_null(strstr(rig.why.text, rows[i].why));
		else
			pmu_event_close(&e);
	}
	assert_int_equal(pmu_event_open(&e, &attr, 21, -1, child.context.leaders, 0, &rig.why),
			 -EINVAL);
	assert_non_null(strstr(rig.why.text, "was inherited"));
	pmu_event_close(&leader);
	pmu_event_close(&of5);
}

TEST(test_output_of_another)
{
	static const struct {
		unsigned long flags;
		bool group, output;
	} rows[] = {
		{0, true, false},
		{PERF_FLAG_FD_OUTPUT, true, true},
		{PERF_FLAG_FD_NO_GROUP, false, false},
		{PERF_FLAG_FD_OUTPUT | PERF_FLAG_FD_NO_GROUP, false, true},
	};
	struct perf_event_attr attr = inherited_sampling(1000);
	struct rb *rb = rig_ring(1);
	struct pmu_event first, second;

	rig_boot("skx", true);
	open_ok(&first, attr, NULL);
	pmu_event_set_output(&first, rb);
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned samples = rows[i].output ? 5 : 0;

		assert_int_equal(pmu_event_open(&second, &attr, RIG_TID, -1, &first, rows[i].flags,
						&rig.why),
				 0);
		assert_ptr_equal(second.leader, rows[i].group ? &first : &second);
		rig_run(&rig.task, 5000);
		assert_int_equal(pmu_event_books(&second).overflows, 5);
		assert_int_equal(pmu_event_books(&second).written, samples);
		pmu_event_close(&second);
	}
	pmu_event_close(&first);

	/* A closed event cannot be a leader, and its ring cannot be shared. */
	open_at(&second, attr, -1, 0, PERF_FLAG_FD_OUTPUT);
	assert_null(second.out.rb);
	pmu_event_close(&second);
	assert_int_equal(
		pmu_event_open(&second, &attr, -1, 0, &first, PERF_FLAG_FD_OUTPUT, &rig.why),
		-EINVAL);
	assert_non_null(strstr(rig.why.text, "closed"));
}

/* --- States and times --- */

/* Enabling is the only way out of the error state. */
TEST(test_error_state)
{
	struct pmu_event e, sibling, cpu;
	struct pmu_value v;

	rig_boot("hsw", true);
	open_ok(&e, pinned(ONLY_3), NULL);
	open_ok(&sibling, CLOCK, &e);
	rig_run(&rig.task, 1000);
	open_cpu(&cpu, pinned(ONLY_3));
	rig_run(&rig.task, 1000);
	pmu_event_close(&cpu);
	assert_int_equal(e.state, PMU_STATE_ERROR);
	pmu_event_disable(&e);
	pmu_group_disable(&sibling);
	pmu_task_disable_all(&rig.task);
	pmu_event_reset(&e);
	pmu_task_exec(&rig.task);
	rig_run(&rig.task, 1000);
	assert_int_equal(e.state, PMU_STATE_ERROR);
	assert_int_equal(sibling.state, PMU_STATE_OFF);
	assert_int_equal(pmu_event_read(&e, &v), -ENODATA);
	assert_int_equal(v.time_enabled, 1000);

	/* A sibling alone does not bring it back. */
	pmu_event_enable(&sibling);
	rig_run(&rig.task, 1000);
	assert_int_equal(e.state, PMU_STATE_ERROR);
	check_value(&sibling, 1000, 1000, 1000);
	pmu_event_enable(&e);
	rig_run(&rig.task, 500);
	assert_int_equal(pmu_event_read(&e, &v), 0);
	check_value(&sibling, 1500, 1500, 1500);
	pmu_event_close(&sibling);
	pmu_event_close(&e);
}

/* Operations on a running group, each at its own time: enabled and running times are exact. */
TEST(test_times_of_operations)
{
	struct pmu_event leader, sibling, late;

	rig_boot("icl", true);
	open_ok(&leader, disabled(INSTRUCTIONS), NULL);
	open_ok(&sibling, BRANCHES, &leader);
	pmu_task_sched_in(&rig.task);
	rig_go(100);
	pmu_event_enable(&leader); /* 100: both count */
	rig_go(50);
	pmu_event_disable(&sibling); /* 150 */
	rig_go(25);
	pmu_event_enable(&sibling); /* 175 */
	pmu_event_enable(&sibling);
	rig_go(25);
	open_ok(&late, CLOCK, &leader); /* 200 */
	rig_go(30);
	pmu_event_disable(&leader); /* 230 */
	rig_go(1000);
	pmu_event_disable(&sibling);
	pmu_event_enable(&leader); /* 1230 */
	rig_go(10);
	pmu_task_sched_out();
	shim.ns += 5000;
	check_value(&leader, 140, 140, 140);
	check_value(&sibling, 105 / 5, 105, 105);
	check_value(&late, 40, 40, 40);
	pmu_event_close(&leader);
	rig_run(&rig.task, 60);
	check_value(&late, 100, 100, 100);
	check_value(&sibling, 21, 105, 105);
	pmu_event_close(&late);
	pmu_event_close(&sibling);
	check_empty();
}

/* Time goes on until the close, which starts no time that did not run before. */
TEST(test_times_of_closing)
{
	struct pmu_event off, sibling, waits, holds;

	rig_boot("hsw", true);
	open_ok(&off, disabled(INSTRUCTIONS), NULL);
	open_ok(&sibling, BRANCHES, &off);
	open_ok(&holds, pinned(ONLY_3), NULL);
	open_ok(&waits, ONLY_3, NULL);
	pmu_task_sched_in(&rig.task);
	rig_go(1000);
	pmu_event_close(&off);
	pmu_event_close(&waits);
	rig_go(10);
	pmu_task_sched_out();
	check_value(&waits, 0, 1000, 0);
	check_value(&off, 0, 0, 0);
	check_value(&sibling, 0, 10, 0); /* nothing scheduled it */
	pmu_event_close(&sibling);
	pmu_event_close(&holds);
}

/* At its limit an event stops at that instruction. A leader stops its group. Each refresh allows
 * the given number of further overflows. */
TEST(test_limit)
{
	struct perf_event_attr attr = disabled(inherited_sampling(1000));
	struct pmu_event e, sibling, clock;

	rig_boot("skx", true);
	attr.inherit = 0;
	open_ok(&e, attr, NULL);
	open_ok(&sibling, INSTRUCTIONS, &e);
	open_ok(&clock, CLOCK, &e);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(pmu_event_refresh(&e, 3), 0);
	rig_go(10000);
	check_value(&e, 3000, 3000, 3000);
	check_value(&sibling, 3000, 3000, 3000);
	check_value(&clock, 3000, 3000, 3000);
	assert_int_equal(pmu_event_refresh(&e, 1), 0);
	assert_int_equal(pmu_event_refresh(&e, 1), 0);
	rig_go(1500);
	pmu_task_sched_out();
	rig_run(&rig.task, 10000);
	check_value(&e, 5000, 5000, 5000);
	check_value(&sibling, 5000, 5000, 5000);
	check_value(&clock, 5000, 5000, 5000);
	assert_int_equal(e.state, PMU_STATE_OFF);
	assert_int_equal(pmu_event_books(&e).overflows, 5);

	/* Enabled without a limit it has none. */
	pmu_event_enable(&e);
	rig_run(&rig.task, 10000);
	check_value(&e, 15000, 15000, 15000);
	pmu_event_close(&clock);
	pmu_event_close(&sibling);
	pmu_event_close(&e);
}

/* The same by a timer instead of an NMI: counters stop with the clock that leads them. */
TEST(test_limit_of_a_clock)
{
	static const char *const uarchs[] = {"hsw", "icl", "zen4"};
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct perf_event_attr attr = disabled(CLOCK);

	attr.sample_period = 20000;
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++) {
		struct pmu_event clock, fixed, general, other;

		rig_boot(uarchs[i], true);
		open_ok(&clock, attr, NULL);
		open_ok(&fixed, INSTRUCTIONS, &clock);
		open_ok(&general, BRANCHES, &clock);
		open_ok(&other, INSTRUCTIONS, NULL);
		pmu_task_sched_in(&rig.task);
		assert_int_equal(pmu_event_refresh(&clock, 1), 0);
		rig_go(20000);
		pmu_timer(&regs);
		rig_go(5000);
		check_value(&clock, 20000, 20000, 20000);
		check_value(&fixed, 20000, 20000, 20000);
		assert_int_equal(value_of(&general).time_running, 20000);
		check_value(&other, 25000, 25000, 25000);
		pmu_task_sched_out();
		check_value(&fixed, 20000, 20000, 20000);
		assert_int_equal(clock.state, PMU_STATE_OFF);
		pmu_event_close(&clock);
		pmu_event_close(&fixed);
		pmu_event_close(&general);
		pmu_event_close(&other);
		check_empty();
	}
}
