// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_task.c - several tasks on the modelled PMUs: whose instructions and whose time an event
 * sees, time slices of tasks that take turns, events for sets of tasks, and what tasks inherit.
 */
#include "arch/x86/msr.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "pmu/state/slices.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SLICE        (PMU_MUX_INTERVAL_US * 1000ull)
#define INSTRUCTIONS user(rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS))
#define CLOCK        rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define BRANCHES     user(rig_attr(PERF_TYPE_RAW, 0xc4))  /* any general counter; 1 in 5 */
#define ONLY_2       user(rig_attr(PERF_TYPE_RAW, 0x148)) /* Haswell: counter 2 only */
#define ONLY_3       user(rig_attr(PERF_TYPE_RAW, 0x1cd)) /* Haswell: counter 3 only */
#define ADDRESS      0x400000001000

static struct perf_event_attr user(struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	return attr;
}

static struct perf_event_attr inherited(struct perf_event_attr attr)
{
	attr.inherit = 1;
	return attr;
}

static struct perf_event_attr pinned(struct perf_event_attr attr)
{
	attr.pinned = 1;
	return attr;
}

static struct perf_event_attr disabled(struct perf_event_attr attr)
{
	attr.disabled = 1;
	return attr;
}

static struct perf_event_attr sampling(uint64_t period)
{
	struct perf_event_attr attr = inherited(INSTRUCTIONS);

	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	return attr;
}

static void open_at(struct pmu_event *e, struct perf_event_attr attr, int task, int cpu,
		    unsigned long flags)
{
	int got = pmu_event_open(e, &attr, task, cpu, NULL, flags, &rig.why);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static void open_for(struct pmu_event *e, struct perf_event_attr attr, const struct pmu_task *task)
{
	open_at(e, attr, (int)task->tid, -1, 0);
}

static void open_cpu(struct pmu_event *e, struct perf_event_attr attr)
{
	open_at(e, attr, -1, 0, 0);
}

static void open_set(struct pmu_event *e, struct perf_event_attr attr, int set)
{
	open_at(e, attr, set, 0, PERF_FLAG_PID_CGROUP);
}

/* On rig.task. */
static void open_ok(struct pmu_event *e, struct perf_event_attr attr, struct pmu_event *leader)
{
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static void close_many(struct pmu_event *e, unsigned n)
{
	while (n--)
		pmu_event_close(&e[n]);
}

/* A child of rig.task. */
static void fork_task(struct pmu_task *child, uint32_t tid)
{
	assert_int_equal(pmu_task_init(child, tid, tid, &rig.task), 0);
}

static struct pmu_value value_of(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v;
}

static void check(struct pmu_event *e, uint64_t value, uint64_t enabled, uint64_t running)
{
	struct pmu_value v = value_of(e);

	assert_int_equal(v.value, value);
	assert_int_equal(v.time_enabled, enabled);
	assert_int_equal(v.time_running, running);
}

/* Nothing is open and nothing is inherited any more. */
static void check_empty(void)
{
	assert_int_equal(rig_nevents(), 0);
	assert_int_equal(rig.allocated, 0);
	assert_int_equal(pmu.counters.used, 0);
	assert_int_equal(shim.unknown_nmis, 0);
}

/* --- Tasks that take turns --- */

static void test_each_task_its_own(void **state)
{
	static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};

	(void)state;
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
			check(&own[i], ran[i], ran[i], ran[i]);
		check(&cpu, ran[0] + ran[1] + ran[2] + 30 * 77, shim.ns - begin, shim.ns - begin);
		close_many(own, 3);
		pmu_event_close(&cpu);
		check_empty();
	}
}

/* What a switch writes: each counter that comes or goes, and the master switch twice. */
static void test_switches_write_little(void **state)
{
	static const struct {
		unsigned events, in, out;
	} rows[] = {{0, 2, 2}, {1, 2 + 2, 2 + 1}, {3, 2 + 2 * 3, 2 + 3}};
	struct pmu_task task;
	struct pmu_event cpu, e[3];

	(void)state;
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

static uint64_t turn(struct pmu_task *task, uint64_t ns, uint64_t most)
{
	if (ns > most)
		ns = most;
	if (ns)
		rig_run(task, ns);
	return ns;
}

/* However the turns fall, the slices of each task are of its own time, and all get their share. */
static void test_slices_of_two_tasks(void **state)
{
	static const struct {
		uint64_t a, b; /* ns of a turn */
	} rows[] = {
		{SLICE / 2, SLICE / 2},     {SLICE, SLICE},         {SLICE / 4, SLICE * 3 / 4},
		{SLICE * 3 / 2, SLICE / 8}, {SLICE * 5, SLICE / 2},
	};

	(void)state;
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
			ta += turn(&rig.task, rows[row].a, 20 * SLICE - ta);
			tb += turn(&b, rows[row].b, 24 * SLICE - tb);
		}
		for (unsigned i = 0; i < 5; i++)
			check(&ea[i], 16 * SLICE / 5, ta, 16 * SLICE);
		for (unsigned i = 0; i < 6; i++)
			check(&eb[i], 16 * SLICE / 5, tb, 16 * SLICE);
		close_many(ea, 5);
		close_many(eb, 6);
		check_empty();
	}
}

/* A task without anybody who waits cuts no slice short. */
static void test_slices_beside_a_task_that_fits(void **state)
{
	struct pmu_task b;
	struct pmu_event e[5], other;

	(void)state;
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
		check(&e[i], 16 * SLICE / 5, 20 * SLICE, 16 * SLICE);
	close_many(e, 5);
	pmu_event_close(&other);
}

/*
 * Two lists that wait for different counters: the CPU's goes on through all switches. By policy
 * fair, where a slice of the one ends those of the other, shares are not exact, but nobody starves.
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

static void test_slices_of_cpu_and_tasks(void **state)
{
	static const uint64_t turns[] = {SLICE / 4, SLICE / 2, SLICE, SLICE * 3 / 2, SLICE * 12};

	(void)state;
	for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
		for (int fair = 0; fair <= 1; fair++)
			slices_of_cpu_and_tasks(turns[i], fair);
}

/* --- Sets of tasks --- */

static void test_sets_count_their_tasks(void **state)
{
	struct pmu_task b, c;
	struct pmu_event of5, of6, clock5, all;

	(void)state;
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
	check(&of5, 1000, 1000, 1000);
	check(&clock5, 1000, 1000, 1000);
	check(&of6, 400, 2000, 2000);
	check(&all, 7500, 7500, 7500);

	/* Opened while its set runs, too. */
	pmu_event_close(&of6);
	pmu_task_sched_in(&b);
	open_set(&of6, BRANCHES, 6);
	rig_go(500);
	pmu_task_sched_out();
	rig_run(&c, 1000);
	rig_run(&b, 500);
	check(&of6, 200, 1000, 1000);
	pmu_event_reset(&all);

	/* In the middle of its turn, and back. */
	pmu_task_sched_in(&c);
	rig_go(300);
	pmu_task_move(&c, 5);
	rig_go(200);
	check(&of5, 1200, 1200, 1200);
	pmu_task_move(&c, 0);
	rig_go(100);
	pmu_task_sched_out();
	check(&of5, 1200, 1200, 1200);
	check(&clock5, 1200, 1200, 1200);
	check(&all, 600, 10100, 10100);
	pmu_event_close(&of5);
	pmu_event_close(&of6);
	pmu_event_close(&clock5);
	pmu_event_close(&all);
	check_empty();
}

/* A child is in its parent's set from the start; the sets of both are their own. */
static void test_children_are_in_the_set(void **state)
{
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
	rig_boot("hsw", true);
	pmu_task_move(&rig.task, 3);
	open_set(&e, INSTRUCTIONS, 3);
	fork_task(&child, 20);
	rig_run(&child, 100);
	pmu_task_move(&child, 4);
	rig_run(&child, 1000);
	rig_run(&rig.task, 10);
	check(&e, 110, 110, 110);
	pmu_event_close(&e);
}

static void test_moves_schedule_who_runs(void **state)
{
	struct pmu_task b;
	struct pmu_event e;
	uint64_t before;

	(void)state;
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

/* Who waits for the counters of a set has them as soon as the set does not run. */
static void test_counters_of_a_set_that_sleeps(void **state)
{
	struct pmu_task b;
	struct pmu_event e[4], waits;

	(void)state;
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
	check(&waits, 600, 4000, 3000);
	for (unsigned i = 0; i < 4; i++)
		check(&e[i], 200, 1000, 1000);
	close_many(e, 4);
	pmu_event_close(&waits);
}

/* While its set sleeps a pinned event wants no counter: it is no error not to have one. */
static void test_pinned_of_a_set(void **state)
{
	struct pmu_event of5, other;

	(void)state;
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

/* COMM and MMAP2 of a task are nothing to an event of another set. */
static void test_records_of_other_sets(void **state)
{
	struct perf_event_attr attr = INSTRUCTIONS;
	struct rb *rb = rig_ring(1);
	struct pmu_event e;

	(void)state;
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

/* --- Inheritance --- */

static void test_children_count(void **state)
{
	struct pmu_task child, second, grandchild;
	struct pmu_event e, own;

	(void)state;
	rig_boot("icl", true);
	open_ok(&e, inherited(INSTRUCTIONS), NULL);
	open_ok(&own, INSTRUCTIONS, NULL);
	fork_task(&child, 20);
	assert_int_equal(rig.allocated, 1);
	rig_run(&rig.task, 1000);
	rig_run(&child, 200);
	check(&e, 1200, 1200, 1200);
	fork_task(&second, 21);
	assert_int_equal(pmu_task_init(&grandchild, 22, 22, &child), 0);
	assert_int_equal(rig.allocated, 3);
	rig_run(&second, 30);
	pmu_task_sched_in(&grandchild);
	rig_go(4);
	check(&e, 1234, 1234, 1234); /* live */
	pmu_task_sched_out();

	/* In whatever order they go. */
	pmu_task_exit(&child);
	check(&e, 1234, 1234, 1234);
	rig_run(&grandchild, 100);
	pmu_task_exit(&grandchild);
	rig_run(&second, 1000);
	check(&e, 2334, 2334, 2334);
	pmu_task_exit(&second);
	check(&e, 2334, 2334, 2334);
	check(&own, 1000, 1000, 1000);
	assert_int_equal(rig.allocated, 0);
	pmu_event_close(&e);
	pmu_event_close(&own);
	check_empty();
}

/* By itself: what each of the family counted in the task that runs. */
static void test_what_one_task_counted(void **state)
{
	struct pmu_event e, other;
	struct pmu_task child;
	struct pmu_value v;

	(void)state;
	rig_boot("icl", true);
	open_ok(&e, inherited(INSTRUCTIONS), NULL);
	open_ok(&other, INSTRUCTIONS, NULL);
	assert_false(pmu_event_read_of_task(&e, &v)); /* nobody runs */
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
	check(&e, 1230, 1230, 1230);
	pmu_event_close(&other);
	pmu_event_close(&e);
	check_empty();
}

/* The count alone: the same as read(2) gives, or not at all. */
static void test_count_in_few_instructions(void **state)
{
	struct perf_event_attr attr = INSTRUCTIONS;
	uint64_t count = 77, value;
	struct pmu_event e, clock, formatted, family;
	struct pmu_task child;

	(void)state;
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

static void test_without_storage_nothing_is_inherited(void **state)
{
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
	rig_boot("icl", true);
	rig.host.event_alloc = NULL;
	open_ok(&e, inherited(INSTRUCTIONS), NULL);
	fork_task(&child, 20);
	rig_run(&child, 1000);
	check(&e, 0, 0, 0);
	pmu_event_close(&e);
}

/* By the leader's attr: all of its group or none, and it counts together. */
static void test_groups_are_inherited_whole(void **state)
{
	struct pmu_task child;
	struct pmu_event a[3], b[3];

	(void)state;
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
	check(&a[0], 200, 1000, 1000);
	check(&a[1], 1000, 1000, 1000);
	check(&a[2], 200, 1000, 1000);
	for (unsigned i = 0; i < 3; i++)
		check(&b[i], 0, 0, 0);

	/* Without their leader they go on alone, here as there. */
	pmu_event_close(&a[0]);
	assert_int_equal(rig.allocated, 2);
	rig_run(&child, 1000);
	rig_run(&rig.task, 500);
	check(&a[1], 2500, 2500, 2500);
	check(&a[2], 500, 2500, 2500);
	close_many(a, 3);
	close_many(b, 3);
	check_empty();
}

/* Groups of children take turns as any others do. */
static void test_children_multiplex(void **state)
{
	struct pmu_task child;
	struct pmu_event e[5];

	(void)state;
	rig_boot("skx", true);
	for (unsigned i = 0; i < 5; i++)
		open_ok(&e[i], inherited(BRANCHES), NULL);
	fork_task(&child, 20);
	for (unsigned turn = 0; turn < 10; turn++) {
		rig_run(&rig.task, SLICE);
		rig_run(&child, SLICE);
	}
	for (unsigned i = 0; i < 5; i++)
		check(&e[i], 16 * SLICE / 5, 20 * SLICE, 16 * SLICE);
	close_many(e, 5);
	check_empty();
}

/* What an event takes beside its counter its children take as well. */
static void test_registers_are_inherited(void **state)
{
	struct perf_event_attr attr = user(rig_attr(PERF_TYPE_RAW, 0x1b7));
	struct pmu_task child, other;
	struct pmu_event e, disturbs;
	uint64_t once;

	(void)state;
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
	assert_int_equal(rig_value(&disturbs) * 3, once * 2); /* one kind less */
	rig_run(&child, 100000);
	assert_int_equal(rig_value(&e), 2 * once);
	pmu_event_close(&e);
	pmu_event_close(&disturbs);
}

static void test_pairs_are_inherited(void **state)
{
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
	rig_boot("zen4", true);
	open_ok(&e, inherited(user(rig_attr(PERF_TYPE_RAW, 0xff03))), NULL);
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

/* --- What reaches the children --- */

static void test_controls_reach_the_children(void **state)
{
	struct pmu_task child, grandchild;
	struct pmu_event leader, sibling;

	(void)state;
	rig_boot("skx", true);
	open_ok(&leader, inherited(INSTRUCTIONS), NULL);
	open_ok(&sibling, inherited(BRANCHES), &leader);
	fork_task(&child, 20);
	assert_int_equal(pmu_task_init(&grandchild, 21, 21, &child), 0);
	rig_run(&grandchild, 1000);
	pmu_event_disable(&leader);
	rig_run(&grandchild, 1000);
	check(&leader, 1000, 1000, 1000);
	check(&sibling, 200, 1000, 1000);
	pmu_event_enable(&leader);
	rig_run(&child, 1000);
	check(&sibling, 400, 2000, 2000);
	pmu_event_reset(&sibling);
	check(&sibling, 0, 2000, 2000);
	check(&leader, 2000, 2000, 2000);

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
	check(&leader, 100, 3100, 3100);
	check(&sibling, 20, 3100, 3100);

	/* All of a task, and what was inherited from it. */
	pmu_task_disable_all(&rig.task);
	rig_run(&grandchild, 1000);
	check(&leader, 100, 3100, 3100);
	pmu_task_enable_all(&rig.task);
	rig_run(&grandchild, 1000);
	check(&leader, 1100, 4100, 4100);
	pmu_task_disable_all(&child);
	rig_run(&child, 1000);
	rig_run(&grandchild, 1000);
	check(&leader, 2100, 5100, 5100);

	/* What tasks counted that are gone is reset, too. */
	pmu_task_exit(&grandchild);
	pmu_event_reset(&leader);
	check(&leader, 0, 5100, 5100);
	pmu_event_close(&sibling);
	pmu_event_close(&leader);
	check_empty();
}

static void test_period_reaches_the_children(void **state)
{
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	open_ok(&e, sampling(1000), NULL);
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

static struct perf_event_attr breakpoint(uint64_t address)
{
	struct perf_event_attr attr = inherited(rig_attr(PERF_TYPE_BREAKPOINT, 0));

	attr.bp_type = HW_BREAKPOINT_W;
	attr.bp_len = 8;
	attr.bp_addr = address;
	return attr;
}

static void test_modified_attributes_reach_the_children(void **state)
{
	const struct perf_event_attr other = breakpoint(ADDRESS + 64);
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
	rig_boot("skx", true);
	open_ok(&e, breakpoint(ADDRESS), NULL);
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

static void test_name_reaches_the_children(void **state)
{
	struct pmu_task child;
	struct pmu_event e;

	(void)state;
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

/* The samples of the ring: all of the event `id`; returns how many came by `stream`. */
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

static void test_samples_of_children(void **state)
{
	struct rb *rb = rig_ring(4);
	struct pmu_task child;
	struct pmu_event e;
	uint64_t stream;

	(void)state;
	rig_boot("hsw", true);
	open_ok(&e, sampling(1000), NULL);
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

/* Ancestors keep the books of all, so that they balance whoever is gone. */
static void test_books_of_children(void **state)
{
	struct pmu_books books;
	struct rb *rb = rig_ring(1);
	struct pmu_task child, second;
	struct pmu_event e;
	const unsigned fit = RB_PAGE_SIZE / sizeof(struct id_sample);

	(void)state;
	rig_boot("skx", true);
	open_ok(&e, sampling(100), NULL);
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

static void test_group_reads_with_children(void **state)
{
	struct perf_event_attr attr = inherited(BRANCHES);
	struct pmu_task child, gone;
	struct pmu_event e[2];
	uint64_t got[16];

	(void)state;
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

/* Who else counted for an event has as much to say about how sure it is as itself. */
static void test_error_bars_with_children(void **state)
{
	struct pmu_task child, other;
	struct pmu_event e[5], alone = {.id = 1}, parent = {.id = 2}, heir = {.id = 2};

	(void)state;
	rig_boot("skx", true);
	for (unsigned i = 0; i < 5; i++)
		open_ok(&e[i], inherited(BRANCHES), NULL);
	fork_task(&child, 20);
	fork_task(&other, 21);
	rig_run(&child, SLICE / 2);
	assert_int_equal(pmu_event_error(&e[0]), 0);
	assert_int_equal(pmu_event_error(&e[4]), PMU_ERROR_UNKNOWN);
	rig_run(&other, 10 * SLICE);
	assert_int_equal(pmu_event_error(&e[4]), 0);
	pmu_task_exit(&other);
	assert_int_equal(pmu_event_error(&e[4]), 0);
	pmu_event_reset(&e[4]);
	assert_int_equal(pmu_event_error(&e[4]), PMU_ERROR_UNKNOWN);
	close_many(e, 5);
	check_empty();

	/* The same stretches, of one event and of two. */
	parent.family.children = &heir;
	for (unsigned i = 0; i < 20; i++) {
		struct pmu_event *const one = i % 3 ? &parent : &heir, *const both[] = {&alone,
											one};

		for (unsigned k = 0; k < 2; k++) {
			pmu_slice_begin(both[k]);
			both[k]->count += 1000 + i * i % 7 * 10;
			both[k]->times.running += SLICE;
			both[k]->times.enabled += 2 * SLICE;
			pmu_slice_end(both[k]);
		}
	}
	assert_int_not_equal(pmu_event_error(&alone), 0);
	assert_int_equal(pmu_event_error(&parent), pmu_event_error(&alone));
}

/* --- What is not there, and what goes --- */

static unsigned length(const struct pmu_context *context)
{
	unsigned n = 0;

	for (const struct pmu_event *l = context->leaders; l; l = l->next_leader)
		pmu_for_each (e, (struct pmu_event *)l)
			n++;
	return n;
}

/* Half of a family is none: the task is there, without events. */
static void test_no_storage_half_way(void **state)
{
	struct pmu_event e[6];

	(void)state;
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
		check(&e[0], most < 6 ? 200 : 400, most < 6 ? 1000 : 2000, most < 6 ? 1000 : 2000);
		close_many(e, 6);
		check_empty();
	}
}

/* Each target has room for as many. */
static void test_room_of_each_target(void **state)
{
	static struct pmu_event e[PMU_MAX_EVENTS], more;
	const struct perf_event_attr attr = inherited(CLOCK);
	struct pmu_task child;

	(void)state;
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

static void test_closing_closes_the_children(void **state)
{
	struct pmu_task child, grandchild;
	struct pmu_event e[2];

	(void)state;
	rig_boot("skx", true);
	open_ok(&e[0], sampling(100), NULL);
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
	/* What they counted until then stays theirs. */
	check(&e[0], 1500, 1500, 1500);
	check(&e[1], 400, 2000, 2000);
	assert_int_equal(pmu_event_books(&e[0]).overflows, 15);
	check_empty();
}

/* The task that runs is not done with an event that was closed: nothing of it is left behind. */
static void test_closed_events_know_nobody(void **state)
{
	struct pmu_event e[3];
	uint64_t got[8];

	(void)state;
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

static void test_inherited_states(void **state)
{
	static const struct {
		bool disabled, exec;
		uint64_t before, after; /* what the child counts before and after its exec */
	} rows[] = {{false, false, 100, 200}, {true, false, 0, 0}, {true, true, 0, 100}};

	(void)state;
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
		check(&e, rows[i].before, rows[i].before, rows[i].before);
		pmu_task_exec(&child);
		rig_run(&child, 100);
		check(&e, rows[i].after, rows[i].after, rows[i].after);
		/* Nobody else's exec, and once only. */
		assert_int_equal(e.attr.enable_on_exec, rows[i].exec);
		pmu_event_disable(&e);
		pmu_task_exec(&child);
		rig_run(&child, 100);
		check(&e, rows[i].after, rows[i].after, rows[i].after);
		pmu_event_close(&e);
	}
}

static void test_pinned_children(void **state)
{
	struct pmu_task child, late;
	struct pmu_event e, flexible, cpu;

	(void)state;
	rig_boot("hsw", true);
	open_ok(&e, inherited(pinned(ONLY_3)), NULL);
	open_ok(&flexible, inherited(ONLY_3), NULL);
	fork_task(&child, 20);
	rig_run(&child, 1000);
	assert_int_equal(value_of(&e).time_running, 1000);
	assert_int_equal(value_of(&flexible).time_running, 0);

	/* In error on its own; its ancestor is as it was until it runs. */
	open_cpu(&cpu, pinned(ONLY_3));
	rig_run(&child, 1000);
	assert_int_equal(child.context.leaders->state, PMU_STATE_ERROR);
	assert_int_equal(e.state, PMU_STATE_INACTIVE);
	assert_int_equal(value_of(&e).time_enabled, 1000);
	rig_run(&rig.task, 1000);
	assert_int_equal(e.state, PMU_STATE_ERROR);

	/* Whoever is born now is not enabled. */
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

static void test_exclusive_children(void **state)
{
	struct perf_event_attr attr = inherited(BRANCHES);
	struct pmu_task child;
	struct pmu_event alone, other;

	(void)state;
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

static void test_tasks_that_are_gone(void **state)
{
	struct perf_event_attr attr = INSTRUCTIONS, more = breakpoint(ADDRESS);
	struct pmu_task a, b;
	struct pmu_event e[2], clock, watch[4], late;

	(void)state;
	rig_boot("skx", true);
	pmu_task_init(&a, 20, 20, NULL);
	pmu_task_init(&b, 21, 21, NULL);
	open_for(&e[0], attr, &a);
	assert_int_equal(pmu_event_open(&e[1], &attr, 20, -1, &e[0], 0, &rig.why), 0);
	open_for(&clock, CLOCK, &a);
	for (unsigned i = 0; i < 4; i++)
		open_for(&watch[i], breakpoint(ADDRESS + 8 * i), &a);
	rig_run(&a, 1000);
	pmu_task_exit(&a);
	assert_null(pmu_task_find(20));
	assert_ptr_equal(pmu_task_find(21), &b);
	assert_int_equal(pmu_task_pid(20), 0);
	assert_int_equal(pmu_task_pid(21), b.pid);
	assert_ptr_equal(pmu_task_find(RIG_TID), &rig.task);
	assert_int_equal(pmu_event_open(&late, &attr, 20, -1, NULL, 0, &rig.why), -ESRCH);
	assert_int_equal(pmu_event_open(&late, &attr, 21, -1, &e[0], 0, &rig.why), -EINVAL);

	/* Nobody can make them count any more. */
	memset(&a, 0xa5, sizeof(a));
	rig_run(&b, 1000);
	pmu_event_disable(&clock);
	pmu_event_enable(&clock);
	pmu_group_enable(&e[1]);
	rig_run(&b, 1000);
	check(&e[0], 1000, 1000, 1000);
	check(&e[1], 1000, 1000, 1000);
	check(&clock, 1000, 1000, 1000);

	/* Their debug registers are free, for the CPU as well. */
	more.inherit = 0;
	open_cpu(&late, more);
	pmu_event_close(&late);
	pmu_event_reset(&e[1]);
	check(&e[1], 0, 1000, 1000);
	pmu_event_close(&e[0]);
	check(&e[1], 0, 1000, 1000);
	pmu_event_close(&e[1]);
	pmu_event_close(&clock);
	close_many(watch, 4);
	check_empty();
}

/* A task that is gone leaves its events to its children. */
static void test_children_that_are_left(void **state)
{
	struct pmu_task parent, child, grandchild;
	struct pmu_event e;

	(void)state;
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
	check(&e, 1110, 1110, 1110);
	pmu_event_close(&e);
	check(&e, 1110, 1110, 1110);
	check_empty();
}

/* What a child is called goes where its parent's records go, under the same ID. */
static void test_records_of_children(void **state)
{
	struct perf_event_attr attr = sampling(100000);
	struct rb *rb = rig_ring(1);
	struct pmu_task child;
	struct pmu_event e;
	uint64_t record[16];

	(void)state;
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

/* --- Groups and output at opening --- */

static void test_group_rules(void **state)
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

	(void)state;
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

static void test_output_of_another(void **state)
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
	struct perf_event_attr attr = sampling(1000);
	struct rb *rb = rig_ring(1);
	struct pmu_event first, second;

	(void)state;
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

	/* No leader, nowhere to write; one that is closed has nothing to share. */
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
static void test_error_state(void **state)
{
	struct pmu_event e, sibling, cpu;
	struct pmu_value v;

	(void)state;
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
	check(&sibling, 1000, 1000, 1000);
	pmu_event_enable(&e);
	rig_run(&rig.task, 500);
	assert_int_equal(pmu_event_read(&e, &v), 0);
	check(&sibling, 1500, 1500, 1500);
	pmu_event_close(&sibling);
	pmu_event_close(&e);
}

/* Each operation at a time of its own, on a group that runs: enabled and running to the ns. */
static void test_times_of_operations(void **state)
{
	struct pmu_event leader, sibling, late;

	(void)state;
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
	check(&leader, 140, 140, 140);
	check(&sibling, 105 / 5, 105, 105);
	check(&late, 40, 40, 40);
	pmu_event_close(&leader);
	rig_run(&rig.task, 60);
	check(&late, 100, 100, 100);
	check(&sibling, 21, 105, 105);
	pmu_event_close(&late);
	pmu_event_close(&sibling);
	check_empty();
}

/* Time goes on until the very close, and none that was not there before begins with it. */
static void test_times_of_closing(void **state)
{
	struct pmu_event off, sibling, waits, holds;

	(void)state;
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
	check(&waits, 0, 1000, 0);
	check(&off, 0, 0, 0);
	check(&sibling, 0, 10, 0); /* nothing scheduled it */
	pmu_event_close(&sibling);
	pmu_event_close(&holds);
}

/* At its limit an event hangs up at the very instruction, and its group with it when it leads one;
 * each refresh is worth so many more. */
static void test_limit(void **state)
{
	struct perf_event_attr attr = disabled(sampling(1000));
	struct pmu_event e, sibling, clock;

	(void)state;
	rig_boot("skx", true);
	attr.inherit = 0;
	open_ok(&e, attr, NULL);
	open_ok(&sibling, INSTRUCTIONS, &e);
	open_ok(&clock, CLOCK, &e);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(pmu_event_refresh(&e, 3), 0);
	rig_go(10000);
	check(&e, 3000, 3000, 3000);
	check(&sibling, 3000, 3000, 3000);
	check(&clock, 3000, 3000, 3000);
	assert_int_equal(pmu_event_refresh(&e, 1), 0);
	assert_int_equal(pmu_event_refresh(&e, 1), 0);
	rig_go(1500);
	pmu_task_sched_out();
	rig_run(&rig.task, 10000);
	check(&e, 5000, 5000, 5000);
	check(&sibling, 5000, 5000, 5000);
	check(&clock, 5000, 5000, 5000);
	assert_int_equal(e.state, PMU_STATE_OFF);
	assert_int_equal(pmu_event_books(&e).overflows, 5);

	/* Enabled without a limit it has none. */
	pmu_event_enable(&e);
	rig_run(&rig.task, 10000);
	check(&e, 15000, 15000, 15000);
	pmu_event_close(&clock);
	pmu_event_close(&sibling);
	pmu_event_close(&e);
}

/* The same where no NMI but a timer says so: counters stop with the clock that leads them. */
static void test_limit_of_a_clock(void **state)
{
	static const char *const uarchs[] = {"hsw", "icl", "zen4"};
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct perf_event_attr attr = disabled(CLOCK);

	(void)state;
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
		check(&clock, 20000, 20000, 20000);
		check(&fixed, 20000, 20000, 20000);
		assert_int_equal(value_of(&general).time_running, 20000);
		check(&other, 25000, 25000, 25000);
		pmu_task_sched_out();
		check(&fixed, 20000, 20000, 20000);
		assert_int_equal(clock.state, PMU_STATE_OFF);
		pmu_event_close(&clock);
		pmu_event_close(&fixed);
		pmu_event_close(&general);
		pmu_event_close(&other);
		check_empty();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_task_its_own),
		cmocka_unit_test(test_switches_write_little),
		cmocka_unit_test(test_slices_of_two_tasks),
		cmocka_unit_test(test_slices_beside_a_task_that_fits),
		cmocka_unit_test(test_slices_of_cpu_and_tasks),
		cmocka_unit_test(test_sets_count_their_tasks),
		cmocka_unit_test(test_children_are_in_the_set),
		cmocka_unit_test(test_moves_schedule_who_runs),
		cmocka_unit_test(test_counters_of_a_set_that_sleeps),
		cmocka_unit_test(test_pinned_of_a_set),
		cmocka_unit_test(test_records_of_other_sets),
		cmocka_unit_test(test_children_count),
		cmocka_unit_test(test_what_one_task_counted),
		cmocka_unit_test(test_count_in_few_instructions),
		cmocka_unit_test(test_without_storage_nothing_is_inherited),
		cmocka_unit_test(test_groups_are_inherited_whole),
		cmocka_unit_test(test_children_multiplex),
		cmocka_unit_test(test_registers_are_inherited),
		cmocka_unit_test(test_pairs_are_inherited),
		cmocka_unit_test(test_controls_reach_the_children),
		cmocka_unit_test(test_period_reaches_the_children),
		cmocka_unit_test(test_modified_attributes_reach_the_children),
		cmocka_unit_test(test_name_reaches_the_children),
		cmocka_unit_test(test_samples_of_children),
		cmocka_unit_test(test_books_of_children),
		cmocka_unit_test(test_group_reads_with_children),
		cmocka_unit_test(test_error_bars_with_children),
		cmocka_unit_test(test_no_storage_half_way),
		cmocka_unit_test(test_room_of_each_target),
		cmocka_unit_test(test_closing_closes_the_children),
		cmocka_unit_test(test_closed_events_know_nobody),
		cmocka_unit_test(test_inherited_states),
		cmocka_unit_test(test_pinned_children),
		cmocka_unit_test(test_exclusive_children),
		cmocka_unit_test(test_tasks_that_are_gone),
		cmocka_unit_test(test_children_that_are_left),
		cmocka_unit_test(test_records_of_children),
		cmocka_unit_test(test_group_rules),
		cmocka_unit_test(test_output_of_another),
		cmocka_unit_test(test_error_state),
		cmocka_unit_test(test_times_of_operations),
		cmocka_unit_test(test_times_of_closing),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_limit_of_a_clock),
	};

	return cmocka_run_group_tests_name("task", tests, NULL, NULL);
}
