// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mux.c - more events than counters on the modelled PMUs: time slices, shares, groups that
 * span PMUs, pinned, exclusive, and how sure scaled counts are.
 */
#include "pmu/state/state.h"
#include "tests/shim/rig.h"
#include "pmu/state/slices.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SLICE        (PMU_MUX_INTERVAL_US * 1000ull)
#define INSTRUCTIONS rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS)
#define CLOCK        rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)
#define BRANCHES     user(rig_attr(PERF_TYPE_RAW, 0xc4))  /* any general counter; 1 in 5 */
#define ONLY_3       user(rig_attr(PERF_TYPE_RAW, 0x1cd)) /* Haswell: counter 3 only */
#define MAX_EVENTS   16

static struct perf_event_attr user(struct perf_event_attr attr)
{
	attr.exclude_kernel = 1;
	return attr;
}

static void open_ok(struct pmu_event *e, struct perf_event_attr attr, struct pmu_event *leader)
{
	int got = rig_open(e, &attr, leader);

	if (got)
		fail_msg("open: %d: %s", got, rig.why.text);
}

static void open_many(struct pmu_event *e, unsigned n, struct perf_event_attr attr)
{
	for (unsigned i = 0; i < n; i++)
		open_ok(&e[i], attr, NULL);
}

static void close_many(struct pmu_event *e, unsigned n)
{
	while (n--)
		pmu_event_close(&e[n]);
}

static struct pmu_value value_of(struct pmu_event *e)
{
	struct pmu_value v;

	pmu_event_read(e, &v);
	return v;
}

/* --- Slices --- */

/* All run for the same time to the ns, when each had its turns; counts are those of the time. */
static void test_shares(void **state)
{
	static const struct {
		const char *uarch;
		bool ht;
		unsigned counters, events, branches; /* of 20 instructions */
	} rows[] = {
		{"hsw", true, 4, 5, 4},  {"hsw", true, 4, 6, 4},  {"skx", true, 4, 16, 4},
		{"skx", false, 8, 9, 4}, {"icl", true, 8, 12, 4}, {"zen4", true, 6, 7, 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const unsigned n = rows[i].events;
		struct pmu_event e[MAX_EVENTS];

		rig_boot(rows[i].uarch, rows[i].ht);
		open_many(e, n, BRANCHES);
		rig_slices(10 * n * SLICE);
		for (unsigned k = 0; k < n; k++) {
			struct pmu_value v = value_of(&e[k]);

			assert_int_equal(v.time_enabled, 10 * n * SLICE);
			assert_int_equal(v.time_running, 10 * rows[i].counters * SLICE);
			assert_int_equal(v.value, v.time_running / 20 * rows[i].branches);
		}
		/* A slice that ends with the run is over, but nobody's turn came after it. */
		assert_in_range(pmu_stats()->rotations, 10 * n - 1, 10 * n);
		assert_int_equal(shim.unknown_nmis, 0);
		close_many(e, n);
	}
}

/* In the original's words: the last of the list goes to its head, and the first four run. */
static void test_order(void **state)
{
	struct pmu_event e[6];

	(void)state;
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

/* Nobody waits: no timer. The task does not run: none either, and what is left is for later. */
static void test_timer(void **state)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[5];

	(void)state;
	rig_boot("skx", true);
	open_many(e, 4, BRANCHES);
	pmu_task_sched_in(&rig.task);
	assert_int_equal(rig.slice_end, 0);
	open_ok(&e[4], BRANCHES, NULL);
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

/* Closing does not schedule: the timer goes off for a list that is empty, and is the last one. */
static void test_timer_of_nobody(void **state)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[5];

	(void)state;
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

/* A turn shorter than a slice: the slices are of running time all the same. */
static void test_short_turns(void **state)
{
	struct pmu_event e[5];

	(void)state;
	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	for (unsigned turn = 0; turn < 400; turn++) {
		rig_slices(SLICE / 20);
		shim.ns += 12345;
	}
	for (unsigned k = 0; k < 5; k++) {
		assert_int_equal(value_of(&e[k]).time_enabled, 20 * SLICE);
		assert_int_equal(value_of(&e[k]).time_running, 16 * SLICE);
	}
	close_many(e, 5);
}

/* A late interrupt shortens the next slice: they keep to the grid. */
static void test_late_timer(void **state)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[5];
	uint64_t start;

	(void)state;
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

static void test_interval(void **state)
{
	struct pmu_event e[5];

	(void)state;
	rig_boot("skx", true);
	assert_int_equal(pmu_set_mux_interval_us(PMU_MUX_LEAST_US - 1), -EINVAL);
	assert_int_equal(pmu_set_mux_interval_us(PMU_MUX_MOST_US + 1), -EINVAL);
	assert_int_equal(pmu_set_mux_interval_us(250), 0);
	open_many(e, 5, BRANCHES);
	rig_slices(100 * 250000);
	assert_in_range(pmu_stats()->rotations, 99, 100);
	assert_int_equal(value_of(&e[2]).time_running, 80 * 250000);
	close_many(e, 5);
}

/* Without a timer who does not fit waits for something else to happen. */
static void test_no_timer(void **state)
{
	struct pmu_event e[5];

	(void)state;
	rig_boot("skx", true);
	rig.host.mux_arm = NULL;
	open_many(e, 5, BRANCHES);
	rig_slices(10 * SLICE);
	assert_int_equal(value_of(&e[4]).time_running, 0);
	assert_int_equal(value_of(&e[4]).time_enabled, 10 * SLICE);
	close_many(e, 5);
}

/* The interrupt of a timer that was called off changes nothing. */
static void test_stray_timer(void **state)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[2];
	uint64_t schedules;

	(void)state;
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
 * Only what changes is written, besides the master switch twice: the event select and the count of
 * each counter that changes hands. In policy perf all go back to their first counters where they
 * can, which is so in half of the slices of six events on four counters; in the others, all may
 * change.
 */
static void few_writes(bool fair)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct pmu_event e[6], fixed;
	struct perf_event_attr pinned = user(INSTRUCTIONS);
	uint64_t before, all = 0;

	rig_boot("skx", true);
	pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
	open_many(e, 6, BRANCHES);
	pinned.pinned = 1;
	open_ok(&fixed, pinned, NULL);
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

static void test_few_writes(void **state)
{
	(void)state;
	few_writes(false);
	few_writes(true);
}

/* Samples go on where they stopped: one for each period that an event saw. */
static void test_sampling_in_slices(void **state)
{
	struct perf_event_attr attr = BRANCHES;
	struct pmu_event e[6];

	(void)state;
	rig_boot("icl", true);
	shim.nmi_delay = 3;
	attr.sample_period = 10007;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.config = 0x1d1; /* the low four only */
	for (unsigned i = 0; i < 6; i++)
		open_ok(&e[i], attr, NULL);
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

/*
 * What a change of schedule takes is in no slice: shares and scaled counts are as if it took no
 * time. The two writes of the master switch lie outside of what can be left out.
 */
static void test_slow_changes(void **state)
{
	struct pmu_event e[5];

	(void)state;
	rig_boot("skx", true);
	rig.host.clock_ns = clock_with_writes;
	open_many(e, 5, BRANCHES);
	rig_slices(50 * SLICE);
	assert_true(shim.wrmsrs > 50 * 8);
	for (unsigned k = 0; k < 5; k++) {
		const struct pmu_value v = value_of(&e[k]);

		assert_in_range(v.time_enabled, 50 * SLICE, 50 * SLICE + 51 * 2 * 20000);
		assert_in_range(v.time_running * 1000 / v.time_enabled, 780, 820);
		assert_in_range(v.value * v.time_enabled / v.time_running,
				50 * SLICE / 5 * 98 / 100, 50 * SLICE / 5 * 102 / 100);
	}
	close_many(e, 5);
}

/* --- Policies --- */

/* A fixed counter is free all the time, but in policy perf its event stands behind who waits. */
static void test_policies(void **state)
{
	struct pmu_event e[6], fixed;

	(void)state;
	for (int fair = 0; fair <= 1; fair++) {
		struct pmu_value v;

		rig_boot("hsw", true);
		pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		open_many(e, 6, BRANCHES);
		open_ok(&fixed, user(INSTRUCTIONS), NULL);
		rig_slices(42 * SLICE);
		v = value_of(&fixed);
		assert_int_equal(v.value, v.time_running);
		assert_int_equal(v.time_running, fair ? 42 * SLICE : 30 * SLICE);
		for (unsigned k = 0; k < 6; k++)
			if (fair)
				assert_int_equal(value_of(&e[k]).time_running, 28 * SLICE);
			else
				assert_int_equal(value_of(&e[k]).time_running,
						 (k < 4 ? 30 : 24) * SLICE);
		pmu_event_close(&fixed);
		close_many(e, 6);
	}
}

static void test_policy_at_run_time(void **state)
{
	struct pmu_event e[5], fixed;
	uint64_t before;

	(void)state;
	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	open_ok(&fixed, user(INSTRUCTIONS), NULL);
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

/* --- Groups --- */

/* Hardware and software together, all or none: the clock stands still while the others wait. */
static void test_mixed_groups(void **state)
{
	struct pmu_event a[4], b[4];

	(void)state;
	rig_boot("skx", true);
	for (unsigned i = 0; i < 4; i++) {
		struct perf_event_attr attr = i == 1 ? CLOCK : BRANCHES;

		open_ok(&a[i], attr, i ? &a[0] : NULL);
	}
	/* Led by a software event. */
	for (unsigned i = 0; i < 4; i++)
		open_ok(&b[i], i ? BRANCHES : CLOCK, i ? &b[0] : NULL);
	rig_slices(20 * SLICE);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(value_of(&a[i]).time_running, 10 * SLICE);
		assert_int_equal(value_of(&b[i]).time_running, 10 * SLICE);
		assert_int_equal(rig_value(&a[i]), 10 * SLICE / (i == 1 ? 1 : 5));
		assert_int_equal(rig_value(&b[i]), 10 * SLICE / (i == 0 ? 1 : 5));
	}
	close_many(a, 4);
	close_many(b, 4);
}

/*
 * Beside two events on one counter, software events count all the time and take no turn, whichever
 * were opened first: the two have half of it each. For a task and for a CPU, by both policies.
 */
static void test_software_takes_no_turn(void **state)
{
	static const char *const orders[] = {"sshh", "shsh", "hssh", "hshs",
					     "hhss", "sGhh", "hGsh"};
	const struct perf_event_attr cs =
		rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES);

	(void)state;
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
			const struct pmu_value v = value_of(&e[k]);
			const bool hardware = e[k].attr.type == PERF_TYPE_RAW;

			assert_int_equal(v.time_enabled, 20 * SLICE);
			assert_int_equal(v.time_running, (hardware ? 10 : 20) * SLICE);
		}
		assert_in_range(pmu_stats()->rotations, 19, 20);
		close_many(e, n);
	}
}

/* A software event that gets a hardware sibling has turns from then on, also while that is
 * disabled: its group is no more one of software alone. */
static void test_software_leader_joins_hardware(void **state)
{
	struct perf_event_attr disabled = ONLY_3;
	struct pmu_event leader, sibling, a, b;

	(void)state;
	disabled.disabled = 1;
	rig_boot("hsw", true);
	open_ok(&a, ONLY_3, NULL);
	open_ok(&b, ONLY_3, NULL);
	open_ok(&leader, CLOCK, NULL);
	rig_slices(6 * SLICE);
	assert_int_equal(value_of(&leader).time_running, 6 * SLICE);
	assert_int_equal(value_of(&a).time_running, 3 * SLICE);
	open_ok(&sibling, disabled, &leader);
	rig_slices(6 * SLICE);
	/* Behind who waits in one slice of three. */
	assert_int_equal(value_of(&leader).time_running, 10 * SLICE);
	assert_int_equal(value_of(&a).time_running + value_of(&b).time_running, 12 * SLICE);
	pmu_event_enable(&sibling);
	rig_slices(6 * SLICE);
	assert_int_equal(value_of(&leader).time_running, 12 * SLICE);
	assert_int_equal(value_of(&sibling).time_running, 2 * SLICE);
	pmu_event_close(&sibling);
	rig_slices(6 * SLICE);
	assert_int_equal(value_of(&leader).time_running, 18 * SLICE);
	pmu_event_close(&leader);
	pmu_event_close(&b);
	pmu_event_close(&a);
}

/* Opened disabled, a sibling need not fit; enabled, it keeps its group from counting. */
static void test_disabled_sibling_that_does_not_fit(void **state)
{
	struct perf_event_attr disabled = ONLY_3, enabled = ONLY_3;
	struct pmu_event leader, sibling, third;

	(void)state;
	rig_boot("hsw", true);
	open_ok(&leader, ONLY_3, NULL);
	assert_int_equal(rig_open(&third, &enabled, &leader), -EINVAL);
	disabled.disabled = 1;
	open_ok(&sibling, disabled, &leader);
	rig_slices(SLICE);
	assert_int_equal(value_of(&leader).time_running, SLICE);
	pmu_event_enable(&sibling);
	rig_slices(SLICE);
	assert_int_equal(value_of(&leader).time_running, SLICE);
	assert_int_equal(value_of(&leader).time_enabled, 2 * SLICE);
	assert_int_equal(value_of(&sibling).time_running, 0);
	pmu_event_close(&sibling);
	pmu_event_close(&leader);
}

/* More corrupting events than half of the counters: opens, as validation knows no such limit, and
 * never counts. */
static void test_hyper_thread_limit(void **state)
{
	struct pmu_event e[3];

	(void)state;
	for (int ht = 0; ht <= 1; ht++) {
		rig_boot("hsw", ht);
		for (unsigned i = 0; i < 3; i++)
			open_ok(&e[i], user(rig_attr(PERF_TYPE_RAW, 0x1d1)), i ? &e[0] : NULL);
		rig_slices(4 * SLICE);
		assert_int_equal(value_of(&e[0]).time_running, ht ? 0 : 4 * SLICE);
		close_many(e, 3);
		open_many(e, 3, user(rig_attr(PERF_TYPE_RAW, 0x1d1)));
		rig_slices(6 * SLICE);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(value_of(&e[i]).time_running, (ht ? 4 : 6) * SLICE);
		close_many(e, 3);
	}
}

static void test_pinned(void **state)
{
	struct perf_event_attr pinned = ONLY_3;
	struct pmu_event flexible[2], first, second, sibling;
	struct pmu_value v;

	(void)state;
	rig_boot("hsw", true);
	pinned.pinned = 1;
	open_many(flexible, 2, BRANCHES);
	open_ok(&first, pinned, NULL);
	rig_slices(3 * SLICE);
	assert_int_equal(value_of(&first).time_running, 3 * SLICE);

	/* In error with all of its group; the clock goes down with it. */
	open_ok(&second, pinned, NULL);
	open_ok(&sibling, CLOCK, &second);
	rig_slices(3 * SLICE);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	assert_int_equal(pmu_event_read(&second, &v), -ENODATA);
	assert_int_equal(value_of(&sibling).value, 0);
	assert_int_equal(pmu_event_read_format(&second, &v, sizeof(v)), 0);

	/* Room alone does not bring it back; enabling does, where there is room. */
	pmu_event_enable(&second);
	rig_slices(SLICE);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	pmu_event_close(&first);
	rig_slices(SLICE);
	assert_int_equal(second.state, PMU_STATE_ERROR);
	pmu_event_enable(&second);
	rig_slices(SLICE);
	assert_int_equal(value_of(&second).time_running, SLICE);
	assert_int_equal(value_of(&sibling).value, SLICE);
	pmu_event_close(&sibling);
	pmu_event_close(&second);
	close_many(flexible, 2);
}

/* A pinned event of the CPU takes the counter of one of the task, in the middle of a slice. */
static void test_cpu_before_task(void **state)
{
	struct perf_event_attr pinned = ONLY_3;
	struct pmu_event cpu, task, flexible;

	(void)state;
	rig_boot("hsw", true);
	pinned.pinned = 1;
	open_ok(&task, pinned, NULL);
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 1000);
	assert_int_equal(task.state, PMU_STATE_ACTIVE);
	assert_int_equal(pmu_event_open(&cpu, &pinned, -1, 0, NULL, 0, &rig.why), 0);
	assert_int_equal(task.state, PMU_STATE_ERROR);
	assert_int_equal(cpu.state, PMU_STATE_ACTIVE);
	open_ok(&flexible, ONLY_3, NULL);
	shim_run(VPMU_USR, 1000);
	pmu_task_sched_out();
	assert_int_equal(task.times.running, 1000);
	assert_int_equal(value_of(&cpu).time_running, 1000);
	pmu_event_close(&cpu);
	pmu_event_close(&task);
	pmu_event_close(&flexible);
}

/* An exclusive group has the PMU to itself, and takes turns for it. */
static void test_exclusive(void **state)
{
	struct perf_event_attr exclusive = BRANCHES;
	struct pmu_event alone, sibling, other, clock;

	(void)state;
	rig_boot("skx", true);
	exclusive.exclusive = 1;
	open_ok(&alone, exclusive, NULL);
	assert_int_equal(rig_open(&sibling, &exclusive, &alone), -EINVAL);
	assert_non_null(strstr(rig.why.text, "exclusive"));
	open_ok(&sibling, BRANCHES, &alone);
	open_ok(&other, BRANCHES, NULL);
	open_ok(&clock, CLOCK, NULL);
	rig_slices(12 * SLICE);
	assert_int_equal(value_of(&alone).time_running + value_of(&other).time_running, 12 * SLICE);
	assert_in_range(value_of(&alone).time_running, 4 * SLICE, 8 * SLICE);
	assert_int_equal(value_of(&sibling).time_running, value_of(&alone).time_running);
	assert_int_equal(value_of(&clock).time_running, 12 * SLICE);
	pmu_event_close(&clock);
	pmu_event_close(&other);
	pmu_event_close(&sibling);
	pmu_event_close(&alone);
}

static void test_group_operations(void **state)
{
	struct perf_event_attr off = BRANCHES;
	struct pmu_event leader, sibling, other;

	(void)state;
	rig_boot("icl", true);
	off.disabled = 1;
	open_ok(&leader, off, NULL);
	open_ok(&sibling, off, &leader);
	open_ok(&other, off, NULL);
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
	assert_int_equal(value_of(&leader).time_running, 1000);

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
	assert_int_equal(value_of(&other).time_enabled, 1000);
	pmu_event_close(&other);
	pmu_event_close(&sibling);
	pmu_event_close(&leader);
}

/* The siblings of a leader that goes stay on their counters. */
static void test_close_leader_while_counting(void **state)
{
	struct pmu_event leader, sibling;
	uint8_t counter;

	(void)state;
	rig_boot("skx", true);
	open_ok(&leader, BRANCHES, NULL);
	open_ok(&sibling, BRANCHES, &leader);
	pmu_task_sched_in(&rig.task);
	shim_run(VPMU_USR, 1000);
	counter = sibling.tick.counter;
	pmu_event_close(&leader);
	shim_run(VPMU_USR, 1000);
	assert_int_equal(sibling.tick.counter, counter);
	pmu_task_sched_out();
	rig_slices(1000);
	assert_int_equal(rig_value(&sibling), 600);
	assert_int_equal(value_of(&sibling).time_running, 3000);
	assert_int_equal(rig_value(&leader), 200);
	pmu_event_close(&sibling);
}

static void test_too_many(void **state)
{
	static struct pmu_event e[PMU_MAX_EVENTS];
	struct perf_event_attr attr = CLOCK;
	struct pmu_event more;

	(void)state;
	rig_boot("skx", true);
	for (unsigned i = 0; i < PMU_MAX_EVENTS; i++)
		open_ok(&e[i], i % 2 ? CLOCK : BRANCHES, i > 1 && i % 2 ? &e[0] : NULL);
	assert_int_equal(rig_open(&more, &attr, NULL), -EMFILE);
	assert_non_null(strstr(rig.why.text, "255 events are open"));
	rig_slices(2 * SLICE);
	assert_int_equal(value_of(&e[1]).time_running, 2 * SLICE);
	pmu_event_close(&e[7]);
	assert_int_equal(rig_open(&more, &attr, NULL), 0);
	pmu_event_close(&more);
	for (unsigned i = PMU_MAX_EVENTS; i-- > 0;)
		pmu_event_close(&e[i]);
	assert_int_equal(rig_nevents(), 0);
	assert_null(rig.task.context.tick.flexible);
	assert_int_equal(rig.task.context.nsoftware, 0);
}

/* --- read(2) --- */

static void test_read_formats(void **state)
{
	(void)state;
	for (uint64_t format = 0; format < PERF_FORMAT_MAX; format++) {
		const bool group = format & PERF_FORMAT_GROUP, id = format & PERF_FORMAT_ID,
			   lost = format & PERF_FORMAT_LOST;
		struct perf_event_attr attr = BRANCHES;
		uint64_t got[16], want[16];
		struct pmu_event e[3];
		unsigned n = 0;

		rig_boot("skx", true);
		attr.read_format = format;
		for (unsigned i = 0; i < 3; i++)
			open_ok(&e[i], attr, i ? &e[0] : NULL);
		rig_slices(5000);
		e[1].books.lost = 17;
		if (group)
			want[n++] = 3;
		else
			want[n++] = 1000;
		if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			want[n++] = 5000;
		if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			want[n++] = 5000;
		for (unsigned i = group ? 0 : 1; i < (group ? 3 : 2); i++) {
			if (group)
				want[n++] = 1000;
			if (id)
				want[n++] = e[i].id;
			if (lost)
				want[n++] = e[i].books.lost;
		}
		assert_int_equal(pmu_event_read_format(&e[1], got, n * 8 - 1), -ENOSPC);
		assert_int_equal(pmu_event_read_format(&e[1], got, sizeof(got)), n * 8);
		assert_memory_equal(got, want, n * 8);
		close_many(e, 3);
	}
}

/* --- Scaled counts --- */

static uint64_t scaled(struct pmu_event *e)
{
	const struct pmu_value v = value_of(e);

	return (uint64_t)((double)v.value * (double)v.time_enabled / (double)v.time_running);
}

static void test_error_of_steady_events(void **state)
{
	struct pmu_event e[5], one;

	(void)state;
	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	open_ok(&one, CLOCK, NULL);
	rig_slices(SLICE / 2);
	assert_int_equal(pmu_event_error(&one), 0);
	assert_int_equal(pmu_event_error(&e[4]), PMU_ERROR_UNKNOWN);
	rig_slices(50 * SLICE);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(pmu_event_error(&e[i]), 0);
		assert_in_range(scaled(&e[i]), 50 * SLICE / 5, 51 * SLICE / 5);
	}
	pmu_event_close(&one);
	close_many(e, 5);
}

/* The figure against the formula in floating point, over stretches that were made by hand. */
static void test_error_by_formula(void **state)
{
	static const struct {
		uint64_t count, ns;
	} rows[] = {
		{1000, 4000000}, {1100, 4000000}, {900, 4000000}, {1050, 4000000}, {2000, 8000000},
		{1, 100000},     {4000, 9000000}, {990, 4000000}, {70, 300000},    {1010, 4000000},
	};
	double squares = 0, mean, v, error /* squared */, got;
	struct pmu_event e = {.id = 1};
	const unsigned n = sizeof(rows) / sizeof(rows[0]);

	(void)state;
	for (unsigned i = 0; i < n; i++) {
		pmu_slice_begin(&e);
		e.count += rows[i].count;
		e.times.running += rows[i].ns;
		pmu_slice_end(&e);
	}
	e.times.enabled = 3 * e.times.running;
	mean = (double)e.count / (double)e.times.running;
	for (unsigned i = 0; i < n; i++) {
		const double t = (double)rows[i].ns, d = (double)rows[i].count / t - mean;

		squares += t * d * d;
	}
	v = squares / (n - 1);
	mean *= (double)e.times.enabled;
	error = 2.262 * 2.262 * v * (double)(e.times.enabled - e.times.running) *
		(double)e.times.enabled / (double)e.times.running / (mean * mean);
	got = pmu_event_error(&e) / 1e4;
	assert_true(error > 1e-4);
	assert_true(fabs(got * got - error) < error / 200);
}

/* Of many intervals, about 95 in 100 hold the true count. */
static void test_error_bars_hold(void **state)
{
	uint64_t seed = 12345;
	unsigned held = 0, runs = 400;

	(void)state;
	for (unsigned run = 0; run < runs; run++) {
		struct pmu_event e = {.id = 1};
		uint64_t truth = 0, guess, error;

		for (unsigned slice = 0; slice < 60; slice++) {
			uint64_t count;

			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			count = 1000 + (seed >> 33) % 1000 + (seed >> 48) % 1000;
			truth += count;
			e.times.enabled += SLICE;
			if (slice % 3)
				continue;
			pmu_slice_begin(&e);
			e.count += count;
			e.times.running += SLICE;
			pmu_slice_end(&e);
		}
		guess = e.count * 3;
		error = guess * pmu_event_error(&e) / 10000;
		held += truth >= guess - error && truth <= guess + error;
	}
	assert_in_range(held, runs * 92 / 100, runs * 98 / 100);
}

/* --- All or nothing --- */

static void test_all_or_nothing(void **state)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	struct perf_event_attr attr = BRANCHES;
	struct pmu_event e[5], fixed;
	struct reason why;
	uint64_t schedules;

	(void)state;
	for (int fair = 0; fair <= 1; fair++) {
		rig_boot("skx", true);
		pmu_set_policy(fair ? PMU_POLICY_FAIR : PMU_POLICY_PERF);
		attr.disabled = 1;
		attr.enable_on_exec = 1;
		open_many(e, 4, attr);
		attr.config = 0xc0;
		open_ok(&fixed, attr, NULL);
		attr.config = 0xc4;
		schedules = pmu_stats()->schedules;
		assert_int_equal(pmu_task_fits(&rig.task, &why), 0);
		open_ok(&e[4], attr, NULL);
		assert_int_equal(pmu_task_fits(&rig.task, NULL), -EBUSY);
		for (unsigned i = 0; i < 5; i++)
			pmu_event_set_name(&e[i], names[i]);
		assert_int_equal(pmu_task_fits(&rig.task, &why), -EBUSY);
		assert_non_null(strstr(why.text, "e needs PMC0-3; held by "));
		assert_non_null(strstr(why.text, "a on PMC0"));
		assert_int_equal(pmu_stats()->schedules, schedules);

		/* It was but a question. */
		rig_slices(1000);
		assert_int_equal(rig_value(&fixed), 0);
		pmu_task_exec(&rig.task);
		rig_slices(10 * SLICE);
		for (unsigned i = 0; i < 5; i++)
			assert_in_range(value_of(&e[i]).time_running, (fair ? 8 : 6) * SLICE,
					(fair ? 8 : 9) * SLICE);
		pmu_event_close(&fixed);
		close_many(e, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_timer),
		cmocka_unit_test(test_timer_of_nobody),
		cmocka_unit_test(test_short_turns),
		cmocka_unit_test(test_late_timer),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_no_timer),
		cmocka_unit_test(test_stray_timer),
		cmocka_unit_test(test_few_writes),
		cmocka_unit_test(test_sampling_in_slices),
		cmocka_unit_test(test_slow_changes),
		cmocka_unit_test(test_policies),
		cmocka_unit_test(test_policy_at_run_time),
		cmocka_unit_test(test_mixed_groups),
		cmocka_unit_test(test_software_takes_no_turn),
		cmocka_unit_test(test_software_leader_joins_hardware),
		cmocka_unit_test(test_disabled_sibling_that_does_not_fit),
		cmocka_unit_test(test_hyper_thread_limit),
		cmocka_unit_test(test_pinned),
		cmocka_unit_test(test_cpu_before_task),
		cmocka_unit_test(test_exclusive),
		cmocka_unit_test(test_group_operations),
		cmocka_unit_test(test_close_leader_while_counting),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_read_formats),
		cmocka_unit_test(test_error_of_steady_events),
		cmocka_unit_test(test_error_by_formula),
		cmocka_unit_test(test_error_bars_hold),
		cmocka_unit_test(test_all_or_nothing),
	};

	return cmocka_run_group_tests_name("mux", tests, NULL, NULL);
}
