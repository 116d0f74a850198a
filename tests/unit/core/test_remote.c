// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_remote.c - the event core on several CPUs, one step at a time: a CPU operates on events of
 * another CPU, or on events of tasks that run there, have moved on, or run nowhere. Each CPU is a
 * thread, which executes the test's steps in their order.
 */
#include "tests/unit/test.h"
#include <linux/errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "tests/shim/shim_smp.h"

#define CPUS 4

FIXTURE(setup)
{
	smp_boot(CPUS, "skx", false);
	return 0;
}

FIXTURE(teardown)
{
	smp_stop();
	return 0;
}

/* --- Steps of CPUs --- */

struct stretch {
	struct pmu_task *task;
	uint64_t ns;
};

static void come(void *task)
{
	pmu_task_sched_in(task);
}

static void go_away(void *nobody)
{
	(void)nobody;
	pmu_task_sched_out();
}

static void pass_stretch(void *arg)
{
	const struct stretch *s = arg;

	rig_go(s->ns);
}

static void run_stretch(void *arg)
{
	const struct stretch *s = arg;

	rig_run(s->task, s->ns);
}

static void run_on(unsigned cpu, struct pmu_task *task, uint64_t ns)
{
	smp_on(cpu, run_stretch, &(struct stretch){task, ns});
}

static void go_on_on(unsigned cpu, uint64_t ns)
{
	smp_on(cpu, pass_stretch, &(struct stretch){NULL, ns});
}

static struct perf_event_attr user_instructions(void)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	attr.exclude_kernel = 1;
	return attr;
}

static void open_at(struct pmu_event *e, struct perf_event_attr attr, int task, int cpu,
		    struct pmu_event *leader)
{
	struct reason why = {""};

	if (pmu_event_open(e, &attr, task, cpu, leader, 0, &why))
		fail_msg("%s", why.text);
}

static void check_totals(struct pmu_event *e, uint64_t count, uint64_t enabled, uint64_t running)
{
	struct pmu_value v;

	assert_int_equal(pmu_event_read(e, &v), 0);
	assert_int_equal(v.value, count);
	assert_int_equal(v.time_enabled, enabled);
	assert_int_equal(v.time_running, running);
}

static void check_empty(void)
{
	assert_int_equal(rig_nevents(), 0);
	assert_false(pmu_shared.turn.held);
}

/* --- Events of CPUs --- */

TEST_WITH(test_events_of_each_cpu, setup, teardown)
{
	struct pmu_event e[CPUS];

	for (int cpu = 0; cpu < CPUS; cpu++)
		open_at(&e[cpu], user_instructions(), -1, cpu, NULL);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		run_on(cpu, NULL, 1000 * (cpu + 1));
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		check_totals(&e[cpu], 1000 * (cpu + 1), 1000 * (cpu + 1), 1000 * (cpu + 1));
	for (int cpu = 0; cpu < CPUS; cpu++)
		pmu_event_close(&e[cpu]);
	check_empty();
}

TEST_WITH(test_no_such_cpu, setup, teardown)
{
	const struct perf_event_attr attr = user_instructions();
	struct reason why;
	struct pmu_event e;

	assert_int_equal(pmu_event_open(&e, &attr, -1, CPUS, NULL, 0, &why), -EINVAL);
	assert_string_equal(why.text, "there is no CPU 4");
	assert_int_equal(pmu_event_open(&e, &attr, RIG_TID, CPUS, NULL, 0, &why), -EINVAL);
	check_empty();
}

TEST_WITH(test_operations_on_another_cpu, setup, teardown)
{
	struct perf_event_attr attr = user_instructions();
	struct pmu_event e;

	attr.disabled = 1;
	open_at(&e, attr, -1, 2, NULL);
	run_on(2, NULL, 100);
	check_totals(&e, 0, 0, 0);
	pmu_event_enable(&e);
	assert_int_equal(e.state, PMU_STATE_ACTIVE);
	run_on(2, NULL, 1000);
	run_on(1, NULL, 5000);
	check_totals(&e, 1000, 1000, 1000);
	pmu_event_reset(&e);
	run_on(2, NULL, 200);
	check_totals(&e, 200, 1200, 1200);
	pmu_event_disable(&e);
	run_on(2, NULL, 100);
	check_totals(&e, 200, 1200, 1200);
	assert_int_equal(pmu.counters.used, 0);
	pmu_event_close(&e);
	check_empty();
}

/* --- Events of tasks --- */

TEST_WITH(test_task_moves, setup, teardown)
{
	struct pmu_event e, group[2];

	open_at(&e, user_instructions(), RIG_TID, -1, NULL);
	open_at(&group[0], user_instructions(), RIG_TID, -1, NULL);
	open_at(&group[1], user_instructions(), RIG_TID, -1, &group[0]);
	for (unsigned turn = 0; turn < 3 * CPUS; turn++) {
		run_on(turn % CPUS, &rig.task, 1000);
		run_on((turn + 1) % CPUS, NULL, 777); /* of no task */
	}
	check_totals(&e, 12000, 12000, 12000);
	check_totals(&group[0], 12000, 12000, 12000);
	check_totals(&group[1], 12000, 12000, 12000);
	pmu_event_close(&group[0]);
	pmu_event_close(&group[1]);
	pmu_event_close(&e);
	check_empty();
}

TEST_WITH(test_operations_while_it_runs_elsewhere, setup, teardown)
{
	struct pmu_event e, later;

	open_at(&e, user_instructions(), RIG_TID, -1, NULL);
	smp_on(1, come, &rig.task);
	go_on_on(1, 1000);
	check_totals(&e, 1000, 1000, 1000);
	open_at(&later, user_instructions(), RIG_TID, -1, NULL);
	assert_int_equal(later.state, PMU_STATE_ACTIVE);
	go_on_on(1, 500);
	pmu_event_disable(&e);
	go_on_on(1, 100);
	check_totals(&e, 1500, 1500, 1500);
	check_totals(&later, 600, 600, 600);
	smp_on(1, go_away, NULL);
	pmu_event_enable(&e);
	smp_on(3, come, &rig.task);
	go_on_on(3, 10);
	check_totals(&e, 1510, 1510, 1510);
	pmu_event_close(&later);
	assert_int_equal(pmu.counters.used, 0);
	go_on_on(3, 10);
	smp_on(3, go_away, NULL);
	check_totals(&e, 1520, 1520, 1520);
	check_totals(&later, 610, 610, 610);
	pmu_event_close(&e);
	check_empty();
}

/* An event of a task on one CPU does not count on other CPUs, and its time stands still there. */
TEST_WITH(test_task_on_one_cpu, setup, teardown)
{
	struct pmu_event e[CPUS];

	for (int cpu = 0; cpu < CPUS; cpu++)
		open_at(&e[cpu], user_instructions(), RIG_TID, cpu, NULL);
	for (unsigned turn = 0; turn < 10; turn++)
		for (unsigned cpu = 0; cpu < CPUS; cpu++)
			run_on(cpu, &rig.task, 100 * (cpu + 1));
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		check_totals(&e[cpu], 1000 * (cpu + 1), 1000 * (cpu + 1), 1000 * (cpu + 1));
	for (int cpu = 0; cpu < CPUS; cpu++)
		pmu_event_close(&e[cpu]);
	check_empty();
}

struct family {
	struct pmu_task child;
	uint32_t tid;
};

static void fork_there(void *arg)
{
	struct family *f = arg;

	pmu_task_init(&f->child, f->tid, f->tid, pmu_task_find(RIG_TID));
}

static void exit_there(void *task)
{
	pmu_task_exit(task);
}

/* An event with inherited copies on all CPUs is read, stopped and closed as one. */
TEST_WITH(test_inherited_on_all_cpus, setup, teardown)
{
	struct perf_event_attr attr = user_instructions();
	struct pmu_event e, sibling;
	struct family f[CPUS];
	uint64_t words[8];

	attr.inherit = 1;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED;
	open_at(&e, attr, RIG_TID, -1, NULL);
	open_at(&sibling, attr, RIG_TID, -1, &e);
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		f[cpu].tid = 100 + cpu;
		smp_on(cpu, fork_there, &f[cpu]);
	}
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		smp_on(cpu, come, &f[cpu].child);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		go_on_on(cpu, 100 << cpu);
	check_totals(&e, 1500, 1500, 1500);
	assert_int_equal(pmu_event_read_format(&sibling, words, sizeof(words)), 32);
	assert_int_equal(words[0], 2);
	assert_int_equal(words[1], 1500);
	assert_int_equal(words[2], 1500);
	assert_int_equal(words[3], 1500);
	pmu_group_disable(&sibling);
	go_on_on(2, 1000);
	check_totals(&e, 1500, 1500, 1500);
	pmu_group_enable(&e);
	go_on_on(2, 1000);
	check_totals(&e, 2500, 2500, 2500);
	smp_on(1, go_away, NULL);
	smp_on(3, exit_there, &f[1].child);
	check_totals(&sibling, 2500, 2500, 2500);
	pmu_event_close(&e);
	go_on_on(0, 1000);
	check_totals(&e, 2500, 2500, 2500);
	check_totals(&sibling, 3500, 3500, 3500);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		smp_on(cpu, go_away, NULL);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		if (cpu != 1)
			pmu_task_exit(&f[cpu].child);
	check_totals(&sibling, 3500, 3500, 3500);
	pmu_event_close(&sibling);
	check_empty();
}

/* Another CPU closes a group's leader. */
struct closing {
	struct pmu_event *e;
	bool done;
};

static void close_there(void *arg)
{
	struct closing *c = arg;

	pmu_event_close(c->e);
	__atomic_store_n(&c->done, true, __ATOMIC_RELEASE);
}

/* The closing CPU has to wait for this CPU, once for each of its calls. Before its call `n` is
 * served, this CPU reads the sibling, which has the whole count of its family. Returns false if
 * there were fewer calls. */
static bool read_while_the_leader_is_closed(unsigned n)
{
	struct perf_event_attr attr = user_instructions();
	struct pmu_event leader, sibling;
	struct family f = {.tid = 100};
	struct closing c = {&leader, false};
	struct pmu_value v;
	unsigned calls = 0;

	attr.inherit = 1;
	open_at(&leader, attr, RIG_TID, -1, NULL);
	open_at(&sibling, attr, RIG_TID, -1, &leader);
	fork_there(&f);
	smp_on(1, come, &f.child);
	go_on_on(1, 300);
	pmu_task_sched_in(&rig.task);
	rig_go(1000);
	smp_start(2, close_there, &c);
	while (!__atomic_load_n(&c.done, __ATOMIC_ACQUIRE)) {
		if (!smp_is_called()) {
			sched_yield();
			continue;
		}
		if (calls++ == n)
			pmu_event_read(&sibling, &v);
		smp_serve();
	}
	smp_wait();
	if (calls > n)
		assert_true(v.value == 1300 && v.time_enabled == 1300 && v.time_running == 1300);
	check_totals(&leader, 1300, 1300, 1300);
	smp_on(1, go_away, NULL);
	pmu_task_sched_out();
	pmu_task_exit(&f.child);
	pmu_event_close(&sibling);
	check_empty();
	return calls > n;
}

TEST_WITH(test_read_while_the_leader_is_closed, setup, teardown)
{
	unsigned n = 0;

	while (read_while_the_leader_is_closed(n))
		n++;
	assert_true(n >= 1);
}

/* --- Hyper-threads --- */

#define CORRUPTING 0x81d0 /* MEM_UOPS_RETIRED.ALL_LOADS, on Haswell with hyper-threading */

FIXTURE(setup_siblings)
{
	smp_boot(CPUS, "hsw", true);
	return 0;
}

static void read_used(void *used)
{
	*(uint64_t *)used = pmu.counters.used & PMU_GENERAL_MASK;
}

static uint64_t used_on(unsigned cpu)
{
	uint64_t used;

	smp_on(cpu, read_used, &used);
	return used;
}

static struct perf_event_attr raw(uint64_t select)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_RAW, select);

	attr.exclude_kernel = 1;
	return attr;
}

static void slice_on(unsigned cpu)
{
	go_on_on(cpu, 2 * PMU_MUX_INTERVAL_US * 1000);
}

/* CPUs 0 and 1 are threads of one core, 2 and 3 of another. */
TEST_WITH(test_corrupting_events, setup_siblings, teardown)
{
	struct pmu_event bad, other[4], far[4];

	open_at(&bad, raw(CORRUPTING), -1, 0, NULL);
	assert_int_equal(bits_count(used_on(0)), 1);
	for (unsigned i = 0; i < 4; i++) {
		open_at(&other[i], raw(0x00c4), -1, 1, NULL);
		open_at(&far[i], raw(0x00c4), -1, 2, NULL);
	}
	/* On the sibling hyper-thread no event uses the counter of `bad`. On the other core all
	 * four count. */
	assert_int_equal(bits_count(used_on(1)), 3);
	assert_int_equal(used_on(0) & used_on(1), 0);
	assert_int_equal(bits_count(used_on(2)), 4);
	/* `bad` is closed, and the event that waited has a counter from the next slice on. */
	pmu_event_close(&bad);
	slice_on(1);
	assert_int_equal(bits_count(used_on(1)), 4);
	/* It cannot count while all counters are taken. */
	open_at(&bad, raw(CORRUPTING), -1, 0, NULL);
	assert_int_equal(used_on(0), 0);
	pmu_event_close(&other[2]);
	slice_on(0);
	assert_int_equal(bits_count(used_on(0)), 1);
	assert_int_equal(used_on(0) & used_on(1), 0);
	pmu_event_close(&bad);
	for (unsigned i = 0; i < 4; i++) {
		pmu_event_close(&other[i]);
		pmu_event_close(&far[i]);
	}
	check_empty();
}

/* When a task leaves, its counter is free on both hyper-threads. */
TEST_WITH(test_corrupting_events_of_a_task, setup_siblings, teardown)
{
	struct pmu_event bad, other[4];

	open_at(&bad, raw(CORRUPTING), RIG_TID, -1, NULL);
	smp_on(1, come, &rig.task);
	assert_int_equal(bits_count(used_on(1)), 1);
	for (unsigned i = 0; i < 4; i++)
		open_at(&other[i], raw(0x00c4), -1, 0, NULL);
	assert_int_equal(bits_count(used_on(0)), 3);
	smp_on(1, go_away, NULL);
	slice_on(0);
	assert_int_equal(bits_count(used_on(0)), 4);
	smp_on(1, come, &rig.task);
	assert_int_equal(used_on(1), 0);
	smp_on(1, go_away, NULL);
	smp_on(3, come, &rig.task);
	assert_int_equal(bits_count(used_on(3)), 1);
	smp_on(3, go_away, NULL);
	for (unsigned i = 0; i < 4; i++)
		pmu_event_close(&other[i]);
	pmu_event_close(&bad);
	check_empty();
}
