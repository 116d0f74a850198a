// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_rate_soft.c - the rates of samples of software events and clocks, and wakeups of readers.
 */
#include "tests/unit/core/rates.h"

#include "tests/unit/test.h"

/* --- Software events --- */

static void take_page_faults(const struct pmu_regs *regs, unsigned n)
{
	for (unsigned i = 1; i <= n; i++) {
		pmu_software(PERF_COUNT_SW_PAGE_FAULTS, regs, 0x5000 + i);
		pmu_software(PERF_COUNT_SW_CONTEXT_SWITCHES, regs, 0);
	}
}

/* Three page faults make a sample. */
TEST(test_software_samples)
{
	const struct pmu_regs regs = {.ip = 0x1234, .user = true};
	struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	struct rb *rb = rig_ring(4);
	struct pmu_event e;
	uint64_t record[6];

	rig_boot("skx", true);
	attr.sample_period = 3;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	open_with_ring(&e, attr, rb);
	pmu_task_sched_in(&rig.task);
	take_page_faults(&regs, 7);
	assert_int_equal(e.books.written, 2);
	assert_int_equal(rb_read(rb, record, 24), 24);
	{
		const uint64_t want[] = {
			PERF_RECORD_SAMPLE | (uint64_t)PERF_RECORD_MISC_USER << 32 | 24ull << 48,
			0x1234, 0x5003};

		assert_memory_equal(record, want, sizeof(want));
	}
	assert_int_equal(pmu_event_refresh(&e, 1), 0);
	take_page_faults(&regs, 6);
	pmu_task_sched_out();
	assert_int_equal(e.books.written, 3);
	assert_int_equal(e.state, PMU_STATE_OFF);
	assert_int_equal(rig_value(&e), 9);
	pmu_event_close(&e);
}

/* --- Clocks --- */

#define CLOCK_PERIOD 20000
#define ENTRY_NS     8000
#define EXIT_NS      15000

/*
 * On this machine an interrupt takes 8 us until its handler runs, and 15 us more until the
 * interrupted code goes on. A timer that is due by then comes before any instruction. Returns how
 * often the code made progress in `n` interrupts.
 */
static unsigned interrupts(unsigned n, bool user, bool spins)
{
	struct trap_frame frame = {.rip = 0x1000, .cs = 3};
	unsigned progress = 0;

	shim.ns += rig.timer_ns + ENTRY_NS;
	for (unsigned i = 0; i < n; i++) {
		const struct pmu_regs regs = {.ip = frame.rip, .user = user, .frame = &frame};
		bool got_on;

		pmu_timer(&regs);
		got_on = rig.timer_ns > EXIT_NS;
		shim.ns += (got_on ? rig.timer_ns : EXIT_NS) + ENTRY_NS;
		frame.rax += got_on && !spins;
		progress += got_on;
	}
	return progress;
}

/* With any period the interrupted code makes progress, and samples account for all of the time. */
TEST(test_clock_leaves_time)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct rb *rb = rig_ring(64);
	uint64_t words[3], sum = 0;
	struct pmu_event e;

	rig_boot("skx", true);
	attr.sample_period = CLOCK_PERIOD;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	open_with_ring(&e, attr, rb);
	pmu_task_sched_in(&rig.task);
	assert_true(interrupts(100, true, false) >= 90);
	assert_true(pmu_stats()->respites > 0);
	assert_true(pmu_stats()->respites <= 10);
	pmu_task_sched_out();
	while (rb_read(rb, words, 24) == 24)
		sum += words[2];
	assert_int_equal(e.books.lost, 0);
	assert_int_equal(sum + e.this_period - (uint64_t)e.left, rig_value(&e));
	pmu_event_close(&e);
}

/* Ring 0 that waits stays at its instruction: it need not make progress. */
TEST(test_clock_over_a_wait)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct pmu_event e;

	rig_boot("skx", true);
	attr.sample_period = CLOCK_PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	open_with_ring(&e, attr, rig_ring(64));
	pmu_task_sched_in(&rig.task);
	interrupts(100, false, true);
	assert_int_equal(pmu_stats()->respites, 0);
	assert_int_equal(e.books.written, 100);
	pmu_task_sched_out();
	pmu_event_close(&e);
}

/* A long period is not changed because the code spins in place. */
TEST(test_clock_over_a_spin)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct pmu_event e;

	rig_boot("skx", true);
	attr.sample_period = 1000000;
	attr.sample_type = PERF_SAMPLE_IP;
	open_with_ring(&e, attr, rig_ring(64));
	pmu_task_sched_in(&rig.task);
	assert_int_equal(interrupts(100, true, true), 100);
	assert_int_equal(pmu_stats()->respites, 0);
	assert_int_equal(e.books.written, 100);
	pmu_task_sched_out();
	pmu_event_close(&e);
}

/* --- Wakeups --- */

TEST(test_wakeup_by_events)
{
	struct perf_event_attr attr = by_period(1000);
	struct rb *rb = rig_ring(4);
	struct pmu_event a, b;

	rig_boot("skx", true);
	attr.wakeup_events = 3;
	open_with_ring(&a, attr, rb);
	rig_task(11500);
	assert_int_equal(rig.wakeups, 3);
	assert_int_equal(pmu_stats()->wakeups, 3);
	/* Wakeups by another event on the same ring count as well. */
	open_with_ring(&b, attr, rb);
	rig_task(2000);
	assert_int_equal(rig.wakeups, 5);
	pmu_event_close(&a);
	pmu_event_close(&b);
}

TEST(test_wakeup_by_bytes)
{
	struct perf_event_attr attr = by_period(1000);
	struct rb *rb = rig_ring(4);
	struct found f = {0};
	struct pmu_event e;

	rig_boot("hsw", true);
	attr.watermark = 1;
	attr.wakeup_watermark = 10 * 32;
	open_with_ring(&e, attr, rb);
	assert_int_equal(e.out.sample_size, 32);
	rig_task(9000);
	assert_int_equal(rig.wakeups, 0);
	rig_task(1000);
	assert_int_equal(rig.wakeups, 1);
	rig_task(25000);
	assert_int_equal(rig.wakeups, 3);
	drain_samples(rb, &f);
	assert_int_equal(f.samples, 35);
	pmu_event_close(&e);
}

/* If an event asks for no wakeups, its reader is woken when the ring is half full. */
TEST(test_wakeup_by_default)
{
	struct rb *rb = rig_ring(1);
	struct pmu_event e;

	rig_boot("hsw", true);
	open_with_ring(&e, by_period(1000), rb);
	rig_task(63000);
	assert_int_equal(rig.wakeups, 0);
	rig_task(1000);
	assert_int_equal(rig.wakeups, 1);
	pmu_event_close(&e);
}
