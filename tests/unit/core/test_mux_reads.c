// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_mux_reads.c - more events than counters on the modelled PMUs: what read(2) says, and how
 * sure scaled counts are.
 */
#include "tests/unit/core/multiplexed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
		cmocka_unit_test(test_read_formats),
		cmocka_unit_test(test_error_of_steady_events),
		cmocka_unit_test(test_error_by_formula),
		cmocka_unit_test(test_error_bars_hold),
		cmocka_unit_test(test_all_or_nothing),
	};

	return cmocka_run_group_tests_name("mux reads", tests, NULL, NULL);
}
