// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task_gone.c - events of tasks when memory runs out, or when tasks or events are gone: the
 * events that are closed together, and those that remain.
 */
#include "tests/unit/core/task_events.h"

#include "tests/unit/test.h"

static unsigned length(const struct pmu_context *context)
{
	unsigned n = 0;

	for (const struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, (struct pmu_event *)l)
			n++;
	return n;
}

/* A task that cannot inherit all of its events inherits none, but exists. */
TEST(test_no_storage_half_way)
{
	struct pmu_event e[6];

	for (unsigned most = 0; most <= 6; most++) {
		struct pmu_task child;

		rig_boot("skx", true);
		for (unsigned i = 0; i < 6; i++)
			open_ok(&e[i], inherited(i % 3 == 2 ? CLOCK : BRANCHES),
				i % 3 ? &e[i - i % 3] : NULL);
		rig.alloc_most = most;
		assert_int_equal(pmu_task_init(&child, 20, 20, &rig.task), most < 6 ? -EMFILE : 0);
		assert_int_equal(rig.allocated, most < 6 ? 0 : 6);
		assert_int_equal(length(&child.context), rig.allocated);
		assert_int_equal(rig_nevents(), 6 + rig.allocated);
		assert_int_equal(child.context.nsoftware, rig.allocated / 3);
		assert_ptr_equal(pmu_task_find(20), &child);
		rig_run(&child, 1000);
		rig_run(&rig.task, 1000);
		check_value(&e[0], most < 6 ? 200 : 400, most < 6 ? 1000 : 2000,
			    most < 6 ? 1000 : 2000);
		close_many(e, 6);
		check_empty();
	}
}

/* Each target has room for PMU_MAX_EVENTS events. */
TEST(test_room_of_each_target)
{
	static struct pmu_event e[PMU_MAX_EVENTS], more;
	const struct perf_event_attr attr = inherited(CLOCK);
	struct pmu_task child;

	rig_boot("skx", true);
	for (unsigned i = 0; i < PMU_MAX_EVENTS; i++)
		open_ok(&e[i], attr, NULL);
	assert_int_equal(rig_open(&more, &attr, NULL), -EMFILE);
	assert_int_equal(pmu_event_open(&more, &attr, -1, 0, NULL, 0, NULL), 0);
	pmu_event_close(&more);
	assert_int_equal(pmu_task_init(&child, 20, 20, &rig.task), 0);
	assert_int_equal(rig.allocated, PMU_MAX_EVENTS);
	close_many(e, PMU_MAX_EVENTS);
	check_empty();
}

TEST(test_closing_closes_the_children)
{
	struct pmu_task child, grandchild;
	struct pmu_event e[2];

	rig_boot("skx", true);
	open_ok(&e[0], inherited_sampling(100), NULL);
	open_ok(&e[1], inherited(BRANCHES), &e[0]);
	fork_task(&child, 20);
	assert_int_equal(pmu_task_init(&grandchild, 21, 21, &child), 0);
	rig_run(&child, 1000);
	pmu_task_sched_in(&grandchild);
	rig_go(500);
	pmu_event_close(&e[0]);
	assert_int_equal(rig.allocated, 2);
	rig_go(500);
	pmu_event_close(&e[1]);
	assert_int_equal(rig.allocated, 0);
	assert_int_equal(pmu.counters.used, 0);
	rig_go(500);
	pmu_task_sched_out();
	/* The events keep their counts. */
	check_value(&e[0], 1500, 1500, 1500);
	check_value(&e[1], 400, 2000, 2000);
	assert_int_equal(pmu_event_books(&e[0]).overflows, 15);
	check_empty();
}

/* An event of the running task is closed: nothing of it remains in the task. */
TEST(test_closed_events_know_nobody)
{
	struct pmu_event e[3];
	uint64_t got[8];

	rig_boot("skx", true);
	for (unsigned i = 0; i < 3; i++) {
		struct perf_event_attr attr = BRANCHES;

		attr.read_format = PERF_FORMAT_GROUP;
		open_ok(&e[i], attr, i ? &e[0] : NULL);
	}
	pmu_event_close(&e[1]);
	pmu_event_close(&e[0]);
	for (unsigned i = 0; i < 2; i++) {
		assert_null(e[i].next_sibling);
		assert_ptr_equal(e[i].leader, &e[i]);
		assert_int_equal(pmu_event_read_format(&e[i], got, sizeof(got)), 16);
		assert_int_equal(got[0], 1);
	}
	pmu_event_close(&e[2]);
}

TEST(test_inherited_states)
{
	static const struct {
		bool disabled, exec;
		uint64_t before, after; /* what the child counts before and after its exec */
	} rows[] = {{false, false, 100, 200}, {true, false, 0, 0}, {true, true, 0, 100}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct perf_event_attr attr = inherited(INSTRUCTIONS);
		struct pmu_task child;
		struct pmu_event e;

		rig_boot("skx", true);
		attr.disabled = rows[i].disabled;
		attr.enable_on_exec = rows[i].exec;
		open_ok(&e, attr, NULL);
		fork_task(&child, 20);
		rig_run(&child, 100);
		check_value(&e, rows[i].before, rows[i].before, rows[i].before);
		pmu_task_exec(&child);
		rig_run(&child, 100);
		check_value(&e, rows[i].after, rows[i].after, rows[i].after);
		/* The child's exec does not change the parent's event, and enables its own once
		 * only. */
		assert_int_equal(e.attr.enable_on_exec, rows[i].exec);
		pmu_event_disable(&e);
		pmu_task_exec(&child);
		rig_run(&child, 100);
		check_value(&e, rows[i].after, rows[i].after, rows[i].after);
		pmu_event_close(&e);
	}
}

TEST(test_pinned_children)
{
	struct pmu_task child, late;
	struct pmu_event e, flexible, cpu;

	rig_boot("hsw", true);
	open_ok(&e, inherited(pinned(ONLY_3)), NULL);
	open_ok(&flexible, inherited(ONLY_3), NULL);
	fork_task(&child, 20);
	rig_run(&child, 1000);
	assert_int_equal(value_of(&e).time_running, 1000);
	assert_int_equal(value_of(&flexible).time_running, 0);

	/* An inherited event has an error state of its own. Its ancestor's state does not change
	 * until it runs. */
	open_cpu(&cpu, pinned(ONLY_3));
	rig_run(&child, 1000);
	assert_int_equal(child.context.leaders->state, PMU_STATE_ERROR);
	assert_int_equal(e.state, PMU_STATE_INACTIVE);
	assert_int_equal(value_of(&e).time_enabled, 1000);
	rig_run(&rig.task, 1000);
	assert_int_equal(e.state, PMU_STATE_ERROR);

	/* `e` is in error: a task that is born now inherits it, not enabled. */
	fork_task(&late, 21);
	pmu_event_close(&cpu);
	rig_run(&child, 1000);
	rig_run(&rig.task, 1000);
	rig_run(&late, 1000);
	assert_int_equal(e.times.running, 0);
	assert_int_equal(value_of(&e).time_running, 1000);
	pmu_event_enable(&e);
	rig_run(&child, 1000);
	rig_run(&rig.task, 1000);
	rig_run(&late, 1000);
	assert_int_equal(value_of(&e).time_running, 4000);
	pmu_event_close(&e);
	pmu_event_close(&flexible);
	check_empty();
}

TEST(test_exclusive_children)
{
	struct perf_event_attr attr = inherited(BRANCHES);
	struct pmu_task child;
	struct pmu_event alone, other;

	rig_boot("skx", true);
	attr.exclusive = 1;
	open_ok(&alone, attr, NULL);
	open_ok(&other, inherited(BRANCHES), NULL);
	fork_task(&child, 20);
	rig_run(&child, 10 * SLICE);
	assert_int_equal(value_of(&alone).time_running, 5 * SLICE);
	assert_int_equal(value_of(&other).time_running, 5 * SLICE);
	pmu_event_close(&alone);
	pmu_event_close(&other);
}

TEST(test_tasks_that_are_gone)
{
	struct perf_event_attr attr = INSTRUCTIONS, more = write_breakpoint(ADDRESS);
	struct pmu_task a, b;
	struct pmu_event e[2], clock, watch[4], late;

	rig_boot("skx", true);
	pmu_task_init(&a, 20, 20, NULL);
	pmu_task_init(&b, 21, 21, NULL);
	open_for(&e[0], attr, &a);
	assert_int_equal(pmu_event_open(&e[1], &attr, 20, -1, &e[0], 0, &rig.why), 0);
	open_for(&clock, CLOCK, &a);
	for (unsigned i = 0; i < 4; i++)
		open_for(&watch[i], write_breakpoint(ADDRESS + 8 * i), &a);
	rig_run(&a, 1000);
	pmu_task_exit(&a);
	assert_null(pmu_task_find(20));
	assert_ptr_equal(pmu_task_find(21), &b);
	assert_int_equal(pmu_task_pid(20), 0);
	assert_int_equal(pmu_task_pid(21), b.pid);
	assert_ptr_equal(pmu_task_find(RIG_TID), &rig.task);
	assert_int_equal(pmu_event_open(&late, &attr, 20, -1, NULL, 0, &rig.why), -ESRCH);
	assert_int_equal(pmu_event_open(&late, &attr, 21, -1, &e[0], 0, &rig.why), -EINVAL);

	/* The task of these events is gone: they can never count again. */
	memset(&a, 0xa5, sizeof(a));
	rig_run(&b, 1000);
	pmu_event_disable(&clock);
	pmu_event_enable(&clock);
	pmu_group_enable(&e[1]);
	rig_run(&b, 1000);
	check_value(&e[0], 1000, 1000, 1000);
	check_value(&e[1], 1000, 1000, 1000);
	check_value(&clock, 1000, 1000, 1000);

	/* Their debug registers are free, for events of the CPU as well. */
	more.inherit = 0;
	open_cpu(&late, more);
	pmu_event_close(&late);
	pmu_event_reset(&e[1]);
	check_value(&e[1], 0, 1000, 1000);
	pmu_event_close(&e[0]);
	check_value(&e[1], 0, 1000, 1000);
	pmu_event_close(&e[1]);
	pmu_event_close(&clock);
	close_many(watch, 4);
	check_empty();
}

/* A task that is gone leaves its events to its children. */
TEST(test_children_that_are_left)
{
	struct pmu_task parent, child, grandchild;
	struct pmu_event e;

	rig_boot("skx", true);
	pmu_task_init(&parent, 20, 20, NULL);
	open_for(&e, inherited(INSTRUCTIONS), &parent);
	assert_int_equal(pmu_task_init(&child, 21, 21, &parent), 0);
	rig_run(&parent, 1000);
	pmu_task_exit(&parent);
	rig_run(&child, 100);
	assert_int_equal(pmu_task_init(&grandchild, 22, 22, &child), 0);
	pmu_event_disable(&e);
	rig_run(&grandchild, 5000);
	pmu_event_enable(&e);
	rig_run(&grandchild, 10);
	pmu_task_exit(&child);
	check_value(&e, 1110, 1110, 1110);
	pmu_event_close(&e);
	check_value(&e, 1110, 1110, 1110);
	check_empty();
}

/* A child's COMM record goes to its parent's ring, with the same ID. */
TEST(test_records_of_children)
{
	struct perf_event_attr attr = inherited_sampling(100000);
	struct rb *rb = rig_ring(1);
	struct pmu_task child;
	struct pmu_event e;
	uint64_t record[16];

	rig_boot("skx", true);
	attr.comm = 1;
	attr.sample_id_all = 1;
	open_ok(&e, attr, NULL);
	pmu_event_set_output(&e, rb);
	fork_task(&child, 20);
	pmu_output_comm(&child, "child", false);
	/* Header, pids, tids, time; then the trailer: ID, STREAM_ID, IDENTIFIER. */
	assert_int_equal(rb_read(rb, record, sizeof(record)), (7 + 6) * 8);
	assert_int_equal((uint32_t)record[0], PERF_RECORD_FORK);
	assert_int_equal(record[1], 20 | (uint64_t)RIG_PID << 32);
	assert_int_equal(record[2], 20 | (uint64_t)RIG_TID << 32);
	assert_int_equal(record[4], e.id);
	assert_int_equal(record[5], e.stream_id);
	/* Header, pid and tid, name. */
	assert_int_equal((uint32_t)record[7], PERF_RECORD_COMM);
	assert_int_equal(record[8], 20 | 20ull << 32);
	assert_int_equal(record[10], e.id);
	assert_int_equal(record[11], child.context.leaders->stream_id);
	assert_int_equal(record[12], e.id);
	pmu_event_close(&e);
}
