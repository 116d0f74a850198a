// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_rate_frequency.c - the rates of samples on the modelled PMUs, with a clock of 1 ns an
 * instruction: frequencies and throttling. While the period changes, the PERIODs of the samples add
 * up to the count.
 */
#include "tests/unit/core/rates.h"

#include "tests/unit/test.h"

static const char *const uarchs[] = {"hsw", "skx", "icl", "zen4"};

#define for_each_uarch(u) \
	for (const char *const *u = uarchs; u < uarchs + sizeof(uarchs) / sizeof(*uarchs); u++)

#define MS NSEC_PER_MS

static struct perf_event_attr by_frequency(uint64_t per_second)
{
	struct perf_event_attr attr = rate_attr();

	attr.freq = 1;
	attr.sample_freq = per_second;
	return attr;
}

/* Checks that the samples' PERIODs and the part of the current period add up to the count. */
static void check_sum(const struct pmu_event *e, const struct found *f)
{
	assert_int_equal(f->samples, e->books.written);
	assert_int_equal(e->books.lost + e->books.refused, 0);
	assert_int_equal(f->periods + e->this_period - (uint64_t)e->left, e->count);
}

/* --- Frequency --- */

static void run_ms(unsigned ms, struct rb *rb, struct found *f)
{
	while (ms--) {
		rig_go(MS);
		drain_samples(rb, f);
	}
}

/* 1000 instructions a microsecond: within a tenth of a second the rate is right to 5 %. */
TEST(test_frequency_settles)
{
	static const uint64_t rates[] = {100, 1000, 4000, 20000};

	for_each_uarch(u) for (unsigned i = 0; i < 4; i++)
	{
		struct rb *rb = rig_ring(64);
		struct found start = {0}, f = {0};
		struct pmu_event e;

		rig_boot(*u, true);
		open_with_ring(&e, by_frequency(rates[i]), rb);
		assert_int_equal(e.period, strcmp(*u, "hsw") ? 1 : 32);
		pmu_task_sched_in(&rig.task);
		run_ms(200, rb, &start);
		run_ms(500, rb, &f);
		pmu_task_sched_out();
		assert_in_range(f.samples, rates[i] / 2 * 95 / 100, rates[i] / 2 * 105 / 100);
		f.samples += start.samples;
		f.periods += start.periods;
		drain_samples(rb, &f);
		check_sum(&e, &f);
		assert_int_equal(rig_value(&e), 700 * MS);
		assert_int_equal(shim.unknown_nmis, 0);
		pmu_event_close(&e);
		assert_int_equal(rig.rate_end, 0);
	}
}

/* The cost of a sample, as it was measured in ring 0, limits the rate. Samples that come sooner
 * show that they take less, and the event gets its frequency. */
TEST(test_limit_is_lifted)
{
	const uint64_t wanted = NSEC_PER_SEC / 4000, cost = wanted;
	struct rb *rb = rig_ring(64);
	struct found start = {0}, f = {0};
	struct pmu_event e;

	rig_boot("skx", true);
	pmu.rate.measured = true;
	pmu.rate.cost = cost;
	open_with_ring(&e, by_frequency(4000), rb);
	assert_int_equal(e.rate.interval, 2 * cost);
	pmu_task_sched_in(&rig.task);
	run_ms(200, rb, &start);
	assert_int_equal(e.rate.interval, wanted);
	run_ms(500, rb, &f);
	pmu_task_sched_out();
	assert_in_range(f.samples, 4000 / 2 * 95 / 100, 4000 / 2 * 105 / 100);
	pmu_event_close(&e);
}

/* A load becomes 50 times slower or faster. Ticks adapt the period while overflows do not come. */
TEST(test_frequency_follows)
{
	struct perf_event_attr attr = by_frequency(4000);
	struct rb *rb = rig_ring(64);
	struct found f = {0};
	struct pmu_event e;

	rig_boot("skx", true);
	open_with_ring(&e, attr, rb);
	pmu_task_sched_in(&rig.task);
	run_ms(100, rb, &f);
	assert_in_range(e.period, 240000, 260000);
	/* A fiftieth of the instructions in the same time. */
	for (unsigned i = 0; i < 100000; i++) {
		shim_run(VPMU_USR, 20);
		shim.ns += 980;
		if (rig.rate_end && shim.ns >= rig.rate_end)
			rig_go(1);
		if (i % 1000 == 0)
			drain_samples(rb, &f);
	}
	assert_in_range(e.period, 4700, 5300);
	run_ms(100, rb, &f);
	assert_in_range(e.period, 240000, 260000);
	pmu_task_sched_out();
	drain_samples(rb, &f);
	check_sum(&e, &f);
	pmu_event_close(&e);
}

TEST(test_timer_runs_while_needed)
{
	struct perf_event_attr attr = by_frequency(1000);
	struct pmu_event e;

	rig_boot("icl", true);
	attr.disabled = 1;
	open_with_ring(&e, attr, rig_ring(4));
	pmu_task_sched_in(&rig.task);
	assert_int_equal(rig.rate_end, 0);
	pmu_event_enable(&e);
	assert_int_equal(rig.rate_end, shim.ns + NSEC_PER_SEC / PMU_HZ);
	pmu_task_sched_out();
	assert_int_equal(rig.rate_end, 0);
	pmu_task_sched_in(&rig.task);
	assert_true(rig.rate_end > shim.ns);
	pmu_event_close(&e);
	rig_go(10 * MS);
	assert_int_equal(rig.rate_end, 0);
	pmu_task_sched_out();
}

TEST(test_frequency_refusals)
{
	struct perf_event_attr attr = by_frequency(0);
	struct pmu_event e;

	rig_boot("hsw", true);
	assert_int_equal(pmu_set_max_sample_rate(PMU_MAX_SAMPLE_RATE), 0);
	/* An event with a frequency of 0 only counts. */
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_int_equal(e.period, 0);
	pmu_event_close(&e);
	attr.sample_freq = PMU_MAX_SAMPLE_RATE + 1;
	assert_int_equal(rig_open(&e, &attr, NULL), -EINVAL);
	assert_non_null(strstr(rig.why.text, "100000"));
	assert_int_equal(pmu_set_max_sample_rate(0), -EINVAL);
	assert_int_equal(pmu_set_max_sample_rate(PMU_MAX_SAMPLE_RATE_MOST + 1), -EINVAL);
	assert_int_equal(pmu_set_max_sample_rate(2 * PMU_MAX_SAMPLE_RATE), 0);
	assert_int_equal(pmu_max_sample_rate(), 2 * PMU_MAX_SAMPLE_RATE);
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_int_equal(pmu_event_set_period(&e, 2 * PMU_MAX_SAMPLE_RATE + 1), -EINVAL);
	assert_int_equal(pmu_event_set_period(&e, 500), 0);
	assert_int_equal(e.rate.interval, NSEC_PER_SEC / 500);
	pmu_event_close(&e);
}

/* A clock's frequency becomes a fixed period. */
TEST(test_clock_frequency)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	struct pmu_event e;

	rig_boot("hsw", true);
	attr.freq = 1;
	attr.sample_freq = 1000;
	assert_int_equal(rig_open(&e, &attr, NULL), 0);
	assert_int_equal(e.period, MS);
	assert_int_equal(e.attr.freq, 1);
	pmu_event_close(&e);
}

/* --- Throttling --- */

/* An event samples every 100 instructions, with a limit of 10 samples a tick of 4 ms. */
TEST(test_throttle)
{
	for_each_uarch(u) for (unsigned delay = 0; delay < 3; delay++)
	{
		struct rb *rb = rig_ring(64);
		struct found f = {0};
		struct pmu_event e;

		rig_boot(*u, true);
		shim.nmi_delay = delay;
		assert_int_equal(pmu_set_max_sample_rate(10 * PMU_HZ), 0);
		open_with_ring(&e, by_period(100), rb);
		pmu_task_sched_in(&rig.task);
		rig_go(1010);
		assert_true(e.rate.throttled);
		assert_int_equal(e.books.overflows, 10);
		run_ms(100, rb, &f);
		pmu_task_sched_out();
		drain_samples(rb, &f);
		assert_int_equal(rig_value(&e), 100 * MS + 1010);
		assert_in_range(f.samples, 240, 260);
		assert_in_range(f.throttles, 24, 26);
		assert_in_range(f.throttles - f.unthrottles, 0, 1);
		assert_int_equal(pmu_stats()->throttles, f.throttles);
		assert_int_equal(shim.unknown_nmis, 0);
		if (e.rate.throttled) {
			rig_run(&rig.task, 5 * MS);
			drain_samples(rb, &f);
		}
		check_sum(&e, &f);
		pmu_event_close(&e);
		assert_int_equal(rig.task.context.throttled, 0);
	}
}

TEST(test_throttle_records)
{
	struct rb *rb = rig_ring(4);
	struct found f = {0};
	struct pmu_event e;

	rig_boot("skx", true);
	assert_int_equal(pmu_set_max_sample_rate(10 * PMU_HZ), 0);
	open_with_ring(&e, by_period(100), rb);
	rig_task(1000);
	drain_samples(rb, &f);
	assert_int_equal(f.throttles, 1);
	{
		const uint64_t want[] = {PERF_RECORD_THROTTLE | 40ull << 48, 2000, e.id,
					 e.stream_id, 2000};

		assert_memory_equal(f.last, want, sizeof(want));
	}
	/* An event stays throttled while its task sleeps. It goes on once it is due and its task
	 * runs. */
	shim.ns += 2 * MS;
	rig_run(&rig.task, 500);
	assert_true(e.rate.throttled);
	shim.ns += 2 * MS;
	rig_run(&rig.task, 500);
	assert_false(e.rate.throttled);
	drain_samples(rb, &f);
	assert_int_equal(f.unthrottles, 1);
	assert_int_equal(f.last[0], PERF_RECORD_UNTHROTTLE | 40ull << 48);
	pmu_event_close(&e);
}

/* A slow event is not throttled, even beside a fast one, and has no timer. */
TEST(test_no_throttle_below_the_rate)
{
	struct rb *rb = rig_ring(64);
	struct found f = {0};
	struct pmu_event e;

	rig_boot("zen4", true);
	assert_int_equal(pmu_set_max_sample_rate(10 * PMU_HZ), 0);
	open_with_ring(&e, by_period(4 * MS / 10), rb);
	rig_run(&rig.task, 100 * MS);
	drain_samples(rb, &f);
	assert_int_equal(f.samples, 250);
	assert_int_equal(f.throttles, 0);
	assert_int_equal(pmu_stats()->ticks, 0);
	pmu_event_close(&e);
}

/* One interrupt takes many precise samples, without reloading their counter in between. */
TEST(test_no_throttle_of_precise)
{
	struct perf_event_attr attr = by_period(100);
	struct rb *rb = rig_ring(64);
	struct pmu_event e;

	rig_boot("skx", true);
	assert_int_equal(pmu_set_max_sample_rate(10 * PMU_HZ), 0);
	attr.precise_ip = 1;
	open_with_ring(&e, attr, rb);
	rig_task(10000);
	assert_false(e.rate.throttled);
	assert_in_range(e.books.written, 95, 100);
	assert_int_equal(rig_value(&e), 10000);
	pmu_event_close(&e);
}

/* A new period, closing, and a limit while the event is throttled. */
TEST(test_changes_while_held)
{
	struct rb *rb = rig_ring(64);
	struct found f = {0};
	struct pmu_event e;

	rig_boot("icl", true);
	assert_int_equal(pmu_set_max_sample_rate(10 * PMU_HZ), 0);
	open_with_ring(&e, by_period(100), rb);
	rig_task(1000);
	assert_true(e.rate.throttled);
	assert_int_equal(pmu_event_set_period(&e, 1000), 0);
	assert_false(e.rate.throttled);
	rig_task(3500);
	drain_samples(rb, &f);
	assert_int_equal(f.samples, 13);
	assert_int_equal(f.throttles, f.unthrottles);
	pmu_event_set_period(&e, 100);
	rig_task(1000);
	assert_true(e.rate.throttled);
	pmu_event_close(&e);
	assert_int_equal(rig.task.context.throttled, 0);
}
