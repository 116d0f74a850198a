// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task_inherit.c - inherited events: sums over children, operations that reach the children's
 * events, samples, and reads of groups.
 */
#include "tests/unit/core/task_events.h"

#include "tests/unit/test.h"

/* --- Inheritance --- */

TEST(test_children_count)
{
	struct pmu_task child, second, grandchild;
	struct pmu_event e, own;

	rig_boot("icl", true);
	open_ok(&e, inherited(INSTRUCTIONS), NULL);
	open_ok(&own, INSTRUCTIONS, NULL);
	fork_task(&child, 20);
	assert_int_equal(rig.allocated, 1);
	rig_run(&rig.task, 1000);
	rig_run(&child, 200);
	check_value(&e, 1200, 1200, 1200);
	fork_task(&second, 21);
	assert_int_equal(pmu_task_init(&grandchild, 22, 22, &child), 0);
	assert_int_equal(rig.allocated, 3);
	rig_run(&second, 30);
	pmu_task_sched_in(&grandchild);
	rig_go(4);
	check_value(&e, 1234, 1234, 1234); /* live */
	pmu_task_sched_out();

	/* The tasks may end in any order. */
	pmu_task_exit(&child);
	check_value(&e, 1234, 1234, 1234);
	rig_run(&grandchild, 100);
	pmu_task_exit(&grandchild);
	rig_run(&second, 1000);
	check_value(&e, 2334, 2334, 2334);
	pmu_task_exit(&second);
	check_value(&e, 2334, 2334, 2334);
	check_value(&own, 1000, 1000, 1000);
	assert_int_equal(rig.allocated, 0);
	pmu_event_close(&e);
	pmu_event_close(&own);
	check_empty();
}

/* The counts of the running task's own copies of a family's events. */
TEST(test_what_one_task_counted)
{
	struct pmu_event e, other;
	struct pmu_task child;
	struct pmu_value v;

	rig_boot("icl", true);
	open_ok(&e, inherited(INSTRUCTIONS), NULL);
	open_ok(&other, INSTRUCTIONS, NULL);
	assert_false(pmu_event_read_of_task(&e, &v)); /* no task runs */
	fork_task(&child, 20);
	rig_run(&rig.task, 1000);
	pmu_task_sched_in(&child);
	rig_go(200);
	assert_true(pmu_event_read_of_task(&e, &v));
	assert_int_equal(v.value, 200);
	assert_int_equal(v.time_enabled, 200);
	assert_false(pmu_event_read_of_task(&other, &v));
	assert_int_equal(v.value, 0);
	pmu_task_sched_out();
	pmu_task_exit(&child);
	pmu_task_sched_in(&rig.task);
	rig_go(30);
	assert_true(pmu_event_read_of_task(&e, &v));
	assert_int_equal(v.value, 1030); /* without the child that is gone */
	pmu_task_sched_out();
	check_value(&e, 1230, 1230, 1230);
	pmu_event_close(&other);
	pmu_event_close(&e);
	check_empty();
}

/* The event's count by the short way: the value of read(2), or no value. */
TEST(test_count_in_few_instructions)
{
	struct perf_event_attr attr = INSTRUCTIONS;
	uint64_t count = 77, value;
	struct pmu_event e, clock, formatted, family;
	struct pmu_task child;

	rig_boot("icl", true);
	open_ok(&e, attr, NULL);
	open_ok(&clock, CLOCK, NULL);
	attr.read_format = PERF_FORMAT_ID;
	open_ok(&formatted, attr, NULL);
	open_ok(&family, inherited(INSTRUCTIONS), NULL);
	assert_false(pmu_event_read_count(&e, &count)); /* it does not run */
	assert_int_equal(count, 77);
	pmu_task_sched_in(&rig.task);
	rig_go(500);
	assert_true(pmu_event_read_count(&e, &count));
	assert_int_equal(pmu_event_read_format(&e, &value, sizeof(value)), sizeof(value));
	assert_int_equal(count, 500);
	assert_int_equal(value, 500);
	assert_true(pmu_event_read_count(&clock, &count));
	assert_int_equal(count, 500);
	assert_true(pmu_event_read_count(&family, &count));
	assert_int_equal(count, 500);
	assert_false(pmu_event_read_count(&formatted, &count));
	pmu_task_sched_out();
	fork_task(&child, 20);
	pmu_task_sched_in(&rig.task);
	assert_false(pmu_event_read_count(&family, &count)); /* another one's, too */
	pmu_event_disable(&e);
	rig_go(500);
	assert_true(pmu_event_read_count(&e, &count));
	assert_int_equal(count, 500);
	pmu_task_sched_out();
	pmu_task_exit(&child);
	pmu_event_close(&family);
	pmu_event_close(&formatted);
	pmu_event_close(&clock);
	pmu_event_close(&e);
	check_empty();
}

TEST(test_without_storage_nothing_is_inherited)
{
	struct pmu_task child;
	struct pmu_event e;

	rig_boot("icl", true);
	rig.host.event_alloc = NULL;
	open_ok(&e, inherited(INSTRUCTIONS), NULL);
	fork_task(&child, 20);
	rig_run(&child, 1000);
	check_value(&e, 0, 0, 0);
	pmu_event_close(&e);
}

/* The leader's attr decides whether the whole group is inherited. The group counts as a whole. */
TEST(test_groups_are_inherited_whole)
{
	struct pmu_task child;
	struct pmu_event a[3], b[3];

	rig_boot("skx", true);
	for (unsigned i = 0; i < 3; i++) {
		open_ok(&a[i], i == 1 ? CLOCK : inherited(BRANCHES), i ? &a[0] : NULL);
		open_ok(&b[i], i ? inherited(BRANCHES) : CLOCK, i ? &b[0] : NULL);
	}
	fork_task(&child, 20);
	assert_int_equal(rig.allocated, 3);
	assert_int_equal(child.context.leaders->group.n, 3);
	assert_null(child.context.leaders->next_leader);
	rig_run(&child, 1000);
	check_value(&a[0], 200, 1000, 1000);
	check_value(&a[1], 1000, 1000, 1000);
	check_value(&a[2], 200, 1000, 1000);
	for (unsigned i = 0; i < 3; i++)
		check_value(&b[i], 0, 0, 0);

	/* Without their leader the siblings go on alone, in parent and child. */
	pmu_event_close(&a[0]);
	assert_int_equal(rig.allocated, 2);
	rig_run(&child, 1000);
	rig_run(&rig.task, 500);
	check_value(&a[1], 2500, 2500, 2500);
	check_value(&a[2], 500, 2500, 2500);
	close_many(a, 3);
	close_many(b, 3);
	check_empty();
}

/* Groups of children take turns as any others do. */
TEST(test_children_multiplex)
{
	struct pmu_task child;
	struct pmu_event e[5];

	rig_boot("skx", true);
	for (unsigned i = 0; i < 5; i++)
		open_ok(&e[i], inherited(BRANCHES), NULL);
	fork_task(&child, 20);
	for (unsigned turn = 0; turn < 10; turn++) {
		rig_run(&rig.task, SLICE);
		rig_run(&child, SLICE);
	}
	for (unsigned i = 0; i < 5; i++)
		check_value(&e[i], 16 * SLICE / 5, 20 * SLICE, 16 * SLICE);
	close_many(e, 5);
	check_empty();
}

/* A child's event has the additional register that its parent's event needs. */
TEST(test_registers_are_inherited)
{
	struct perf_event_attr attr = user_only(rig_attr(PERF_TYPE_RAW, 0x1b7));
	struct pmu_task child, other;
	struct pmu_event e, disturbs;
	uint64_t once;

	rig_boot("hsw", true);
	attr.config1 = 0x10003;
	open_ok(&e, inherited(attr), NULL);
	fork_task(&child, 20);
	pmu_task_init(&other, 21, 21, NULL);
	attr.config1 = 0x10001;
	open_for(&disturbs, attr, &other);
	rig_run(&rig.task, 100000);
	once = rig_value(&e);
	assert_true(once > 0);
	rig_run(&other, 100000);
	assert_int_equal(rig_value(&disturbs) * 2, once); /* one of two kinds of requests */
	rig_run(&child, 100000);
	assert_int_equal(rig_value(&e), 2 * once);
	pmu_event_close(&e);
	pmu_event_close(&disturbs);
}

TEST(test_pairs_are_inherited)
{
	struct pmu_task child;
	struct pmu_event e;

	rig_boot("zen4", true);
	open_ok(&e, inherited(user_only(rig_attr(PERF_TYPE_RAW, 0xff03))), NULL);
	fork_task(&child, 20);
	pmu_task_sched_in(&rig.task);
	assert_int_not_equal(pmu.counters.upper, 0);
	pmu_task_sched_out();
	assert_int_equal(pmu.counters.upper, 0);
	pmu_task_sched_in(&child);
	assert_int_not_equal(pmu.counters.upper, 0);
	pmu_task_sched_out();
	pmu_event_close(&e);
}

/* --- Operations that reach the children --- */

TEST(test_controls_reach_the_children)
{
	struct pmu_task child, grandchild;
	struct pmu_event leader, sibling;

	rig_boot("skx", true);
	open_ok(&leader, inherited(INSTRUCTIONS), NULL);
	open_ok(&sibling, inherited(BRANCHES), &leader);
	fork_task(&child, 20);
	assert_int_equal(pmu_task_init(&grandchild, 21, 21, &child), 0);
	rig_run(&grandchild, 1000);
	pmu_event_disable(&leader);
	rig_run(&grandchild, 1000);
	check_value(&leader, 1000, 1000, 1000);
	check_value(&sibling, 200, 1000, 1000);
	pmu_event_enable(&leader);
	rig_run(&child, 1000);
	check_value(&sibling, 400, 2000, 2000);
	pmu_event_reset(&sibling);
	check_value(&sibling, 0, 2000, 2000);
	check_value(&leader, 2000, 2000, 2000);

	/* While one of them runs. */
	pmu_task_sched_in(&child);
	rig_go(500);
	pmu_group_disable(&sibling);
	rig_go(500);
	pmu_group_enable(&sibling);
	rig_go(500);
	pmu_group_reset(&leader);
	rig_go(100);
	pmu_task_sched_out();
	check_value(&leader, 100, 3100, 3100);
	check_value(&sibling, 20, 3100, 3100);

	/* Operations on all events of a task reach the inherited ones. */
	pmu_task_disable_all(&rig.task);
	rig_run(&grandchild, 1000);
	check_value(&leader, 100, 3100, 3100);
	pmu_task_enable_all(&rig.task);
	rig_run(&grandchild, 1000);
	check_value(&leader, 1100, 4100, 4100);
	pmu_task_disable_all(&child);
	rig_run(&child, 1000);
	rig_run(&grandchild, 1000);
	check_value(&leader, 2100, 5100, 5100);

	/* A reset clears the counts of tasks that have ended, too. */
	pmu_task_exit(&grandchild);
	pmu_event_reset(&leader);
	check_value(&leader, 0, 5100, 5100);
	pmu_event_close(&sibling);
	pmu_event_close(&leader);
	check_empty();
}

TEST(test_period_reaches_the_children)
{
	struct pmu_task child;
	struct pmu_event e;

	rig_boot("skx", true);
	open_ok(&e, inherited_sampling(1000), NULL);
	fork_task(&child, 20);
	rig_run(&child, 10500);
	assert_int_equal(pmu_event_books(&e).overflows, 10);
	assert_int_equal(pmu_event_set_period(&e, 100), 0);
	rig_run(&child, 1000);
	assert_int_equal(pmu_event_books(&e).overflows, 20);
	pmu_task_sched_in(&child);
	rig_go(50);
	assert_int_equal(pmu_event_set_period(&e, 500), 0);
	rig_go(1000);
	pmu_task_sched_out();
	assert_int_equal(pmu_event_books(&e).overflows, 22);
	assert_int_equal(pmu_event_books(&e).refused, 22);
	assert_int_equal(pmu_event_refresh(&e, 1), -EINVAL);
	pmu_event_close(&e);
}

TEST(test_modified_attributes_reach_the_children)
{
	const struct perf_event_attr other = write_breakpoint(ADDRESS + 64);
	struct pmu_task child;
	struct pmu_event e;

	rig_boot("skx", true);
	open_ok(&e, write_breakpoint(ADDRESS), NULL);
	fork_task(&child, 20);
	pmu_task_sched_in(&child);
	assert_int_equal(shim.dr[0], ADDRESS);
	assert_int_equal(pmu_event_modify_attributes(&e, &other, &rig.why), 0);
	assert_int_equal(shim.dr[0], ADDRESS + 64);
	pmu_task_sched_out();
	pmu_task_sched_in(&rig.task);
	assert_int_equal(shim.dr[0], ADDRESS + 64);
	pmu_task_sched_out();
	pmu_event_close(&e);
}

TEST(test_name_reaches_the_children)
{
	struct pmu_task child;
	struct pmu_event e;

	rig_boot("skx", true);
	open_ok(&e, inherited(BRANCHES), NULL);
	fork_task(&child, 20);
	pmu_event_set_name(&e, "branches");
	assert_string_equal(child.context.leaders->name, "branches");
	assert_string_equal(child.context.leaders->tick.name, "branches");
	pmu_event_close(&e);
}

/* --- Samples --- */

struct id_sample {
	struct perf_event_header header;
	uint64_t identifier, id, stream_id;
};

/* Checks that all samples of the ring are of the event `id`. Returns how many came by `stream`. */
static unsigned drain(struct rb *rb, uint64_t id, uint64_t stream)
{
	struct id_sample s;
	uint8_t out[8192];
	unsigned found = 0;
	size_t n;

	while ((n = rb_read(rb, out, sizeof(out))))
		for (size_t at = 0; at < n; at += s.header.size) {
			memcpy(&s.header, out + at, sizeof(s.header));
			if (s.header.type != PERF_RECORD_SAMPLE)
				continue;
			assert_int_equal(s.header.size, sizeof(s));
			memcpy(&s, out + at, sizeof(s));
			assert_int_equal(s.identifier, id);
			assert_int_equal(s.id, id);
			found += s.stream_id == stream;
		}
	return found;
}

TEST(test_samples_of_children)
{
	struct rb *rb = rig_ring(4);
	struct pmu_task child;
	struct pmu_event e;
	uint64_t stream;

	rig_boot("hsw", true);
	open_ok(&e, inherited_sampling(1000), NULL);
	fork_task(&child, 20);
	assert_int_equal(pmu_event_set_output(&e, rb), 0); /* the child's, too */
	stream = child.context.leaders->stream_id;
	assert_int_not_equal(stream, e.id);
	assert_int_equal(e.stream_id, e.id);
	rig_run(&child, 5000);
	rig_run(&rig.task, 2500);
	rig_run(&child, 2000);
	assert_int_equal(pmu_event_books(&e).written, 7 + 2);
	assert_int_equal(drain(rb, e.id, stream), 7);
	rig_run(&rig.task, 1000);
	assert_int_equal(drain(rb, e.id, e.stream_id), 1);
	pmu_task_exit(&child);
	assert_int_equal(pmu_event_books(&e).overflows, 10);
	assert_int_equal(pmu_event_books(&e).written, 10);
	pmu_event_close(&e);
	check_empty();
}

/* An ancestor has the accounts of its whole family: they add up even if some events are gone. */
TEST(test_books_of_children)
{
	struct pmu_books books;
	struct rb *rb = rig_ring(1);
	struct pmu_task child, second;
	struct pmu_event e;
	const unsigned fit = RB_PAGE_SIZE / sizeof(struct id_sample);

	rig_boot("skx", true);
	open_ok(&e, inherited_sampling(100), NULL);
	pmu_event_set_output(&e, rb);
	fork_task(&child, 20);
	fork_task(&second, 21);
	rig_run(&rig.task, 1000);
	rig_run(&child, 20000);
	rig_run(&second, 1000);
	assert_int_equal(pmu_event_books(&e).overflows, 220);
	assert_int_equal(pmu_event_books(&e).written, fit);
	assert_int_equal(pmu_event_books(&e).lost, 220 - fit);
	assert_int_equal(value_of(&e).lost, 220 - fit);
	pmu_task_exit(&child);
	assert_int_equal(value_of(&e).lost, 220 - fit);
	assert_int_equal(pmu_event_books(&e).overflows, pmu_event_books(&e).written +
								pmu_event_books(&e).lost +
								pmu_event_books(&e).refused);
	books = pmu_event_books(&e);
	assert_memory_equal(&books, &pmu_stats()->books, sizeof(books));

	/* All of it is reported, in one record. */
	drain(rb, e.id, 0);
	assert_true(pmu_output_lost(&e));
	assert_int_equal(e.out.lost_reported, 220 - fit);
	pmu_event_close(&e);
	assert_int_equal(pmu_event_books(&e).lost, 220 - fit);
	check_empty();
}

/* --- Reading --- */

TEST(test_group_reads_with_children)
{
	struct perf_event_attr attr = inherited(BRANCHES);
	struct pmu_task child, gone;
	struct pmu_event e[2];
	uint64_t got[16];

	rig_boot("skx", true);
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST |
			   PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.sample_period = 100;
	open_ok(&e[0], attr, NULL);
	attr.config = 0x1c0;
	attr.sample_period = 0;
	open_ok(&e[1], attr, &e[0]);
	pmu_event_set_output(&e[0], rig_ring(1));
	fork_task(&child, 20);
	fork_task(&gone, 21);
	rig_run(&rig.task, 1000);
	rig_run(&child, 300000);
	rig_run(&gone, 500);
	pmu_task_exit(&gone);
	assert_int_equal(pmu_event_read_format(&e[1], got, sizeof(got)), 9 * 8);
	{
		const uint64_t samples = 301500 / 5 / 100, fit = RB_PAGE_SIZE / 8;
		const uint64_t want[9] = {2,      301500,  301500, 60300, e[0].id, samples - fit,
					  301500, e[1].id, 0};

		assert_memory_equal(got, want, sizeof(want));
	}
	close_many(e, 2);
	check_empty();
}

#define LEAST_ERROR 20 /* of any estimate: 0.2 % */

static struct pmu_estimate estimate_of(struct pmu_event *e)
{
	struct pmu_estimate to;

	pmu_event_estimate(e, PMU_ESTIMATE_INTERPOLATED, &to);
	return to;
}

static uint32_t estimated_error(struct pmu_event *e)
{
	return estimate_of(e).error;
}

/* An event's error bar includes the slices of its children. */
TEST(test_error_bars_with_children)
{
	struct pmu_task child, other;
	struct pmu_event e[5], alone = {.id = 1}, parent = {.id = 2}, heir = {.id = 2};

	rig_boot("skx", true);
	for (unsigned i = 0; i < 5; i++)
		open_ok(&e[i], inherited(BRANCHES), NULL);
	fork_task(&child, 20);
	fork_task(&other, 21);
	rig_run(&child, SLICE / 2);
	assert_int_equal(estimated_error(&e[0]), 0);
	assert_int_equal(estimated_error(&e[4]), PMU_ERROR_UNKNOWN);
	rig_run(&other, 10 * SLICE);
	assert_in_range(estimated_error(&e[4]), LEAST_ERROR, 3 * LEAST_ERROR);
	pmu_task_exit(&other);
	assert_in_range(estimated_error(&e[4]), LEAST_ERROR, 3 * LEAST_ERROR);
	pmu_event_reset(&e[4]);
	assert_int_equal(estimate_of(&e[4]).count, 0);
	close_many(e, 5);
	check_empty();

	/* Two events with equal slices: the count doubles, and the errors are independent. */
	parent.family.children = &heir;
	for (unsigned i = 0; i < 20; i++) {
		struct pmu_event *const all[] = {&alone, &parent, &heir};

		for (unsigned k = 0; k < 3; k++) {
			pmu_slice_begin(all[k]);
			all[k]->count += 1000 + i * i % 7 * 100;
			all[k]->times.running += SLICE;
			all[k]->times.enabled += 2 * SLICE;
		}
	}
	assert_in_range(estimated_error(&alone), 200, 2000);
	assert_int_equal(estimate_of(&parent).count, 2 * estimate_of(&alone).count);
	assert_in_range(estimated_error(&parent), estimated_error(&alone) * 65 / 100,
			estimated_error(&alone) * 72 / 100);
}

/* One of two children never counts. Its rate is assumed to be that of the other one. */
TEST(test_child_that_never_counted)
{
	struct pmu_event parent = {.id = 1}, heir = {.id = 1};

	parent.family.children = &heir;
	for (unsigned i = 0; i < 10; i++) {
		pmu_slice_begin(&parent);
		parent.count += 1000;
		parent.times.running += SLICE;
		parent.times.enabled += 2 * SLICE;
		heir.times.enabled += SLICE;
	}
	assert_int_equal(estimate_of(&parent).count, 30000);
}
