// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_event_counting.c - events on the modelled PMUs: exact counts, control, times, and software
 * events.
 */
#include "tests/unit/core/counted_events.h"

#include "tests/unit/test.h"

/* --- Counting --- */

TEST(test_user_counts_are_exact)
{
	for_each_uarch(u)
	{
		struct pmu_event e, c;
		struct pmu_value v;

		rig_boot(*u, true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		open_ok(&c, user_only(CYCLES), NULL);
		for (unsigned run = 1; run <= 10; run++) {
			rig_task(1000003);
			assert_int_equal(rig_value(&e), 1000003 * run);
		}
		assert_int_equal(rig_value(&c), 10000030);
		pmu_event_read(&e, &v);
		assert_int_equal(v.time_running, v.time_enabled);
		assert_int_equal(v.time_running, 10000030);
		assert_int_equal(v.id, pmu_event_id(&e));
		assert_int_equal(shim.nmis, 0);
		pmu_event_close(&e);
		pmu_event_close(&c);
	}
}

/* Ring 0's share is small, and the same each time; user and kernel together are the total. */
TEST(test_rings_add_up)
{
	for_each_uarch(u)
	{
		struct perf_event_attr kernel_only = INSTRUCTIONS;
		struct pmu_event user, kernel, both;
		uint64_t first = 0;

		kernel_only.exclude_user = 1;
		rig_boot(*u, false);
		open_ok(&user, user_only(INSTRUCTIONS), NULL);
		open_ok(&kernel, kernel_only, NULL);
		open_ok(&both, INSTRUCTIONS, NULL);
		for (unsigned run = 0; run < 4; run++) {
			pmu_event_reset(&kernel);
			rig_task(777);
			if (!run)
				first = rig_value(&kernel);
			assert_int_equal(rig_value(&kernel), first);
		}
		pmu_event_reset(&kernel);
		pmu_event_reset(&user);
		pmu_event_reset(&both);
		rig_task(777);
		assert_int_equal(rig_value(&user), 777);
		assert_int_equal(rig_value(&user) + rig_value(&kernel), rig_value(&both));
		assert_true(rig_value(&kernel) > 0 && rig_value(&kernel) < 4);
		pmu_event_close(&user);
		pmu_event_close(&kernel);
		pmu_event_close(&both);
	}
}

/* 48-bit counters that wrap, one way or the other, while the 64-bit count goes on. */
TEST(test_wraps)
{
	for_each_uarch(u)
	{
		const uint64_t most = 1ull << 47;
		struct pmu_event e;

		rig_boot(*u, true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		rig_task(most - 5);
		rig_task(40);
		assert_int_equal(shim.nmis, 1);
		rig_task(most);
		rig_task(1);
		assert_true(rig_value(&e) == 2 * most + 36);
		assert_int_equal(e.books.overflows, 0);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&e);
	}
}

/* Counters whose writes take 32 bits only are reloaded more often. */
TEST(test_narrow_writes)
{
	struct perf_event_attr attr = user_only(RAW(0x1c2));
	struct pmu_event e;

	shim_boot("hsw", true);
	pmu_caps_detect(&rig.caps);
	rig.caps.perf_capabilities = 0;
	assert_int_equal(rig_init(), 0);
	assert_int_equal(pmu_info()->max_period, 0x7fffffff);
	attr.config = 0xc0 | EVTSEL_EDGE; /* no fixed counter */
	attr.sample_period = 10000000000;
	open_ok(&e, attr, NULL);
	rig_task(25000000000);
	assert_int_equal(rig_value(&e), 25000000000);
	assert_int_equal(e.books.overflows, 2);
	assert_true(shim.nmis >= 11);
	pmu_event_close(&e);
}

TEST(test_read_while_running)
{
	struct pmu_event e;

	rig_boot("icl", true);
	open_ok(&e, user_only(INSTRUCTIONS), NULL);
	pmu_task_sched_in(&rig.task);
	for (uint64_t i = 1; i <= 50; i++) {
		shim_run(VPMU_USR, 100);
		assert_int_equal(rig_value(&e), 100 * i);
	}
	pmu_task_sched_out();
	assert_int_equal(rig_value(&e), 5000);
	pmu_event_close(&e);
	assert_int_equal(rig_value(&e), 5000);
}

/* Each generic event counts at the model's rate, on every counter. */
TEST(test_generic_events_count)
{
	for_each_uarch(u)
	{
		unsigned counted = 0;

		rig_boot(*u, true);
		for (uint64_t id = 0; id < PERF_COUNT_HW_MAX; id++) {
			struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, id);
			struct pmu_event e;

			if (rig_open(&e, &attr, NULL)) {
				assert_non_null(strstr(rig.why.text, "has no such event"));
				continue;
			}
			rig_task(100000);
			counted += rig_value(&e) > 0;
			pmu_event_close(&e);
		}
		assert_true(counted >= 7);
	}
}

/* --- Control --- */

TEST(test_enable_on_exec)
{
	struct perf_event_attr attr = user_only(INSTRUCTIONS);
	struct pmu_event e;
	struct pmu_value v;

	rig_boot("hsw", true);
	attr.disabled = 1;
	attr.enable_on_exec = 1;
	open_ok(&e, attr, NULL);
	rig_task(100);
	pmu_task_exec(&rig.task);
	rig_task(1000);
	pmu_event_read(&e, &v);
	assert_int_equal(v.value, 1000);
	assert_int_equal(v.time_enabled, 1000);
	pmu_event_disable(&e);
	pmu_task_exec(&rig.task); /* once for each event */
	rig_task(1000);
	assert_int_equal(rig_value(&e), 1000);
	pmu_event_close(&e);
}

TEST(test_times)
{
	struct pmu_event e;
	struct pmu_value v;

	rig_boot("skx", true);
	open_ok(&e, user_only(INSTRUCTIONS), NULL);
	shim.ns += 5000; /* the task does not run */
	rig_task(300);
	shim.ns += 5000;
	pmu_event_disable(&e);
	rig_task(300);
	pmu_event_enable(&e);
	rig_task(200);
	pmu_event_read(&e, &v);
	assert_int_equal(v.value, 500);
	assert_int_equal(v.time_enabled, 500);
	assert_int_equal(v.time_running, 500);
	pmu_event_reset(&e);
	pmu_event_read(&e, &v);
	assert_int_equal(v.value, 0);
	assert_int_equal(v.time_enabled, 500);
	pmu_event_close(&e);
}

/* The time in which the machine starts and stops counters is in no event's time. */
TEST(test_slow_writes)
{
	struct perf_event_attr disabled = user_only(INSTRUCTIONS);

	disabled.disabled = 1;
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++) {
		struct pmu_event e, other;
		struct pmu_value v;

		rig_boot(uarchs[i], true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		open_ok(&other, disabled, NULL);
		shim.wrmsr_ns = 1000;
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 5000);
		pmu_event_enable(&other);
		shim_run(VPMU_USR, 3000);
		pmu_event_disable(&other);
		shim_run(VPMU_USR, 2000);
		pmu_task_sched_out();
		pmu_event_read(&e, &v);
		assert_int_equal(v.value, 10000);
		assert_int_equal(v.time_running, 10000);
		assert_int_equal(v.time_enabled, 10000);
		pmu_event_read(&other, &v);
		assert_int_equal(v.value, 3000);
		assert_int_equal(v.time_running, 3000);
		pmu_event_close(&other);
		pmu_event_close(&e);
	}
}

TEST(test_control_while_running)
{
	for_each_uarch(u)
	{
		struct pmu_event e;

		rig_boot(*u, true);
		open_ok(&e, user_only(INSTRUCTIONS), NULL);
		pmu_task_sched_in(&rig.task);
		shim_run(VPMU_USR, 100);
		pmu_event_disable(&e);
		shim_run(VPMU_USR, 100);
		pmu_event_enable(&e);
		shim_run(VPMU_USR, 100);
		pmu_event_reset(&e);
		shim_run(VPMU_USR, 100);
		pmu_task_sched_out();
		assert_int_equal(rig_value(&e), 100);
		pmu_event_close(&e);
	}
}

/* The last write of sched_in is the master switch: one write starts all counters. */
TEST(test_one_write_starts_all)
{
	struct pmu_event a, b, c;

	rig_boot("skx", true);
	open_ok(&a, INSTRUCTIONS, NULL);
	open_ok(&b, RAW(0xc0 | EVTSEL_EDGE), NULL);
	open_ok(&c, RAW(0x1c0), NULL);
	rig_task(5000);
	assert_int_equal(rig_value(&a), rig_value(&b));
	assert_int_equal(rig_value(&a), rig_value(&c));
	pmu_event_close(&a);
	pmu_event_close(&b);
	pmu_event_close(&c);
}

TEST(test_invalid_controls)
{
	struct rb tiny = {.mask = 7};
	struct perf_event_attr attr = INSTRUCTIONS;
	struct pmu_event e;

	rig_boot("skx", true);
	open_ok(&e, attr, NULL);
	assert_int_equal(pmu_event_refresh(&e, 1), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 100), -EINVAL);
	pmu_event_close(&e);
	attr.sample_period = 100;
	attr.sample_type = PERF_SAMPLE_IP;
	open_ok(&e, attr, NULL);
	assert_int_equal(pmu_event_set_period(&e, 0), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 1ull << 63), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 200), 0);
	assert_int_equal(pmu_event_set_output(&e, &tiny), -EINVAL);
	pmu_event_close(&e);
	pmu_event_close(&e);
}

TEST(test_close_leader_first)
{
	struct pmu_event leader, a, b;

	rig_boot("skx", true);
	open_ok(&leader, user_only(CYCLES), NULL);
	open_ok(&a, user_only(INSTRUCTIONS), &leader);
	open_ok(&b, user_only(RAW(0xc4)), &leader);
	pmu_event_close(&leader);
	rig_task(1000);
	assert_int_equal(rig_value(&a), 1000);
	assert_int_equal(rig_value(&b), 200);
	assert_ptr_equal(a.leader, &a);
	pmu_event_close(&a);
	pmu_event_close(&b);
}

/* --- Software events --- */

static void happen(enum perf_sw_ids id, unsigned n, bool user)
{
	const struct pmu_regs regs = {.ip = 0x1000, .user = user};

	while (n--)
		pmu_software(id, &regs, 0);
}

TEST(test_software)
{
	struct perf_event_attr kernel = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct perf_event_attr user = kernel;
	struct pmu_event faults, dummy, user_faults, kernel_faults;

	rig_boot("hsw", true);
	open_ok(&faults, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS), NULL);
	open_ok(&dummy, rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY), NULL);
	user.exclude_kernel = 1;
	kernel.exclude_user = 1;
	open_ok(&user_faults, user, NULL);
	open_ok(&kernel_faults, kernel, NULL);
	happen(PERF_COUNT_SW_PAGE_FAULTS, 5, true);
	pmu_task_sched_in(&rig.task);
	happen(PERF_COUNT_SW_PAGE_FAULTS, 7, true);
	assert_int_equal(rig_value(&faults), 7);
	happen(PERF_COUNT_SW_PAGE_FAULTS, 1, false);
	happen(PERF_COUNT_SW_PAGE_FAULTS_MIN, 3, true);
	pmu_task_sched_out();
	happen(PERF_COUNT_SW_PAGE_FAULTS, 5, true);
	assert_int_equal(rig_value(&faults), 8);
	assert_int_equal(rig_value(&dummy), 0);
	assert_int_equal(rig_value(&user_faults), 7);
	assert_int_equal(rig_value(&kernel_faults), 1);
	pmu_event_close(&user_faults);
	pmu_event_close(&kernel_faults);
	pmu_event_close(&faults);
	pmu_event_close(&dummy);
}

/* Each kind counts by itself, for the task that runs and for the CPU, and the clocks apart. */
TEST(test_software_kinds)
{
	static const enum perf_sw_ids ids[] = {
		PERF_COUNT_SW_PAGE_FAULTS,     PERF_COUNT_SW_CONTEXT_SWITCHES,
		PERF_COUNT_SW_CPU_MIGRATIONS,  PERF_COUNT_SW_PAGE_FAULTS_MIN,
		PERF_COUNT_SW_PAGE_FAULTS_MAJ, PERF_COUNT_SW_ALIGNMENT_FAULTS,
		PERF_COUNT_SW_EMULATION_FAULTS};
	struct pmu_event of_task[7], of_cpu[7];

	rig_boot("hsw", true);
	for (unsigned i = 0; i < 7; i++) {
		const struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, ids[i]);

		open_ok(&of_task[i], attr, NULL);
		assert_int_equal(pmu_event_open(&of_cpu[i], &attr, -1, 0, NULL, 0, NULL), 0);
	}
	for (unsigned i = 0; i < 7; i++)
		happen(ids[i], 100 + i, false);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 7; i++)
		happen(ids[i], 10 + i, i & 1);
	pmu_task_sched_out();
	for (unsigned i = 0; i < 7; i++) {
		assert_int_equal(rig_value(&of_task[i]), 10 + i);
		assert_int_equal(rig_value(&of_cpu[i]), 110 + 2 * i);
		pmu_event_close(&of_task[i]);
		pmu_event_close(&of_cpu[i]);
	}
}
