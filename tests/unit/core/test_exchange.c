// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exchange.c - switches between tasks with equal events (pmu/core/exchange.c), and the cases
 * where such a switch schedules instead. An instruction takes 1 ns, so each event's count must
 * equal its running time in ns.
 */
#include "tests/unit/test.h"

#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#define TICK_NS (1000000000ull / PMU_HZ)

static struct pmu_task parent, child;

static struct perf_event_attr user_instructions(uint64_t period)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	attr.sample_period = period;
	return attr;
}

static struct perf_event_attr inherited(void)
{
	struct perf_event_attr attr = user_instructions(0);

	attr.inherit = 1;
	return attr;
}

static void open_for_task(struct pmu_event *e, struct perf_event_attr attr,
			  const struct pmu_task *task, struct pmu_event *leader)
{
	rig.why.text[0] = '\0';
	if (pmu_event_open(e, &attr, (int)task->tid, -1, leader, 0, &rig.why))
		fail_msg("%s", rig.why.text);
}

static void run_for(struct pmu_task *task, uint64_t ns)
{
	pmu_task_switch(task, false);
	rig_go(ns);
}

static uint64_t exchanges(void)
{
	return pmu_stats()->exchanges;
}

/* Runs both tasks until a switch between them is an exchange. */
static void make_alike(void)
{
	uint64_t before;

	run_for(&parent, 1000);
	run_for(&child, 100);
	before = exchanges();
	run_for(&parent, 10);
	run_for(&child, 10);
	run_for(&parent, 10);
	assert_int_equal(exchanges(), before + 3);
}

static void check_ran(struct pmu_event *e, uint64_t enabled)
{
	struct pmu_value v;

	assert_int_equal(pmu_event_read(e, &v), 0);
	assert_int_equal(v.value, v.time_running);
	assert_int_equal(v.time_enabled, enabled);
}

static void boot_parent(void)
{
	assert_int_equal(rig_boot("skx", false), 0);
	pmu_task_init(&parent, 100, 100, NULL);
}

static void exit_tasks(void)
{
	pmu_task_sched_out();
	pmu_task_exit(&child);
	pmu_task_exit(&parent);
	assert_int_equal(shim.unknown_nmis, 0);
}

/* Schedules all events, by opening and closing another one. */
static void schedule_otherwise(void)
{
	struct perf_event_attr attr = user_instructions(0);
	struct pmu_event e;

	assert_int_equal(pmu_event_open(&e, &attr, -1, 0, NULL, 0, NULL), 0);
	pmu_event_close(&e);
}

/*
 * The sibling of a disabled leader does not count. When the leader is closed, the sibling wants to
 * count but has no counter yet: its task must not switch by exchange.
 */
static void close_disabled_leader(bool schedule_before, bool schedule_behind)
{
	struct pmu_event all, leader, sibling;
	struct pmu_value v;

	boot_parent();
	open_for_task(&all, inherited(), &parent, NULL);
	open_for_task(&leader, inherited(), &parent, NULL);
	open_for_task(&sibling, inherited(), &parent, &leader);
	assert_int_equal(pmu_task_init(&child, 101, 101, &parent), 0);
	make_alike();
	pmu_event_disable(&leader);
	if (schedule_before)
		schedule_otherwise();
	rig_go(7);
	pmu_event_close(&leader);
	if (schedule_behind)
		schedule_otherwise();
	run_for(&child, 1000);
	run_for(&parent, 500);
	run_for(&child, 30);
	run_for(NULL, 5);
	run_for(&parent, 20);
	check_ran(&all, 1000 + 100 + 3 * 10 + 7 + 1000 + 500 + 30 + 20);
	check_ran(&sibling, 1000 + 100 + 3 * 10 + 1000 + 500 + 30 + 20);
	pmu_event_read(&sibling, &v);
	assert_int_equal(v.time_running, v.time_enabled);
	pmu_event_close(&sibling);
	pmu_event_close(&all);
	exit_tasks();
}

TEST(test_sibling_of_a_leader_that_is_gone)
{
	close_disabled_leader(false, false);
	close_disabled_leader(true, false);
	close_disabled_leader(false, true);
	close_disabled_leader(true, true);
}

/* An event is throttled. The timer that lets it go on runs only while its own task runs. */
TEST(test_event_that_is_held)
{
	struct pmu_event e, other;
	uint64_t before;

	boot_parent();
	pmu_task_init(&child, 101, 101, NULL);
	pmu_set_max_sample_rate(10 * PMU_HZ);
	open_for_task(&e, user_instructions(1000), &parent, NULL);
	open_for_task(&other, user_instructions(1ull << 40), &child, NULL);
	make_alike();
	rig_go(20 * 1000);
	assert_true(e.rate.throttled);
	run_for(&child, 2 * TICK_NS);
	run_for(&parent, 2 * TICK_NS);
	before = pmu_event_books(&e).overflows;
	rig_go(10 * TICK_NS);
	assert_true(pmu_event_books(&e).overflows - before >= 5 * 10);
	check_ran(&e, 1000 + 10 + 10 + 20 * 1000 + 12 * TICK_NS);
	check_ran(&other, 100 + 10 + 2 * TICK_NS);
	pmu_event_close(&e);
	pmu_event_close(&other);
	exit_tasks();
}
