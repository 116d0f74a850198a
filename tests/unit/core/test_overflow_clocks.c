// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_overflow_clocks.c - sampling by clocks.
 */
#include "tests/unit/core/sampled_events.h"

#include "tests/unit/test.h"

TEST(test_clock_samples)
{
	const struct pmu_regs regs = {.ip = 0x4242, .user = true};
	struct perf_event_attr attr = sampling(100000);
	struct rb *rb = rig_ring(4);
	struct pmu_event e, slow;

	rig_boot("hsw", true);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	open_into(&e, attr, rb);
	attr.sample_period = 250000;
	open_into(&slow, attr, rb);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 20; i++) {
		assert_true(rig.timer_ns > 0 && rig.timer_ns <= 100000);
		shim.ns += rig.timer_ns;
		pmu_timer(&regs);
	}
	pmu_task_sched_out();
	assert_int_equal(rig.timer_ns, 0);
	assert_int_equal(e.books.written, rig_value(&e) / 100000);
	assert_int_equal(slow.books.written, rig_value(&slow) / 250000);
	assert_true(slow.books.written >= 6);
	assert_int_equal(drain_records(rb, PERF_RECORD_SAMPLE),
			 e.books.written + slow.books.written);
	assert_int_equal(last[2], 0x4242);
	check_books(&e);
	pmu_event_close(&e);
	pmu_event_close(&slow);
}

/* An excluded ring has no samples, but its time counts. */
TEST(test_clock_samples_of_one_ring)
{
	const struct pmu_regs user = {.ip = 1, .user = true}, kernel = {.ip = 2};
	struct perf_event_attr attr = sampling(100000);
	struct rb *rb = rig_ring(4);
	struct pmu_event u, k;

	rig_boot("hsw", true);
	rig.user_ip = 1;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_TASK_CLOCK;
	attr.exclude_kernel = true;
	attr.exclude_user = false;
	open_into(&u, attr, rb);
	attr.exclude_kernel = false;
	attr.exclude_user = true;
	open_into(&k, attr, rb);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 10; i++) {
		shim.ns += 100000;
		pmu_timer(i < 3 ? &kernel : &user);
	}
	pmu_task_sched_out();
	assert_int_equal(u.books.written, 7);
	assert_int_equal(k.books.written, 3);
	assert_true(rig_value(&u) >= 1000000 && rig_value(&u) == rig_value(&k));
	check_books(&u);
	check_books(&k);
	pmu_event_close(&u);
	pmu_event_close(&k);
}

TEST(test_clock_sampling_refusals)
{
	struct perf_event_attr attr = sampling(100000);
	struct pmu_event e;

	rig_boot("hsw", true);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = 9999;
	assert_true(rig_open(&e, &attr, NULL) < 0 && strstr(rig.why.text, "10000 ns apart"));
	attr.sample_period = 100000;
	rig.host.timer_arm = NULL;
	assert_true(rig_open(&e, &attr, NULL) < 0 && strstr(rig.why.text, "no timer"));
}

TEST(test_clock_limit)
{
	const struct pmu_regs regs = {.ip = 1, .user = true};
	struct perf_event_attr attr = sampling(100000);
	struct pmu_event e;

	rig_boot("hsw", true);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.disabled = 1;
	open_into(&e, attr, NULL);
	assert_int_equal(pmu_event_refresh(&e, 2), 0);
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 5; i++) {
		shim.ns += 100000;
		pmu_timer(&regs);
	}
	pmu_task_sched_out();
	assert_int_equal(e.books.overflows, 2);
	assert_int_equal(rig_value(&e), 200000);
	assert_int_equal(e.state, PMU_STATE_OFF);
	pmu_event_close(&e);
}
