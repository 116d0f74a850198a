// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_estimate.c - estimated counts of events that took turns, and their error bars: compared with
 * the formulas in floating point and with known counts, and on the modelled PMUs.
 */
#include "tests/unit/core/multiplexed.h"

#include <math.h>

#include "tests/unit/test.h"

#define LEAST_ERROR 20 /* the smallest error of an estimate, in 1/100 of a percent */

static struct pmu_estimate estimate_of(const struct pmu_event *e, enum pmu_estimator how)
{
	struct pmu_estimate to;

	pmu_event_estimate(e, how, &to);
	return to;
}

static uint32_t interpolated_error(const struct pmu_event *e)
{
	return estimate_of(e, PMU_ESTIMATE_INTERPOLATED).error;
}

/* The event waits for `wait` ns, and then counts for `ns`. */
static void count_slice(struct pmu_event *e, uint64_t wait, uint64_t ns, uint64_t count)
{
	e->times.enabled += wait;
	pmu_slice_begin(e);
	e->times.enabled += ns;
	e->times.running += ns;
	e->count += count;
}

/* --- By the formulas --- */

#define ROWS 10

struct row {
	uint64_t wait, ns, count;
};

/* The formulas of pmu/state/slices.c, in one pass over all slices for each sum. */
static void compute_expected(const struct row *row, uint64_t tail, double *count, double *error,
			     bool ratio)
{
	double rate[ROWS], stands[ROWS] = {(double)row[0].wait}, seen = 0, unseen = (double)tail;
	double weights = 0, changes = 0, v, variance;

	*count = 0;
	for (unsigned i = 0; i < ROWS; i++) {
		rate[i] = (double)row[i].count / (double)row[i].ns;
		seen += (double)row[i].ns;
		unseen += (double)row[i].wait;
	}
	for (unsigned i = 1; i < ROWS; i++) {
		const double a = (double)row[i - 1].ns, b = (double)row[i].ns,
			     wait = (double)row[i].wait;

		stands[i - 1] += wait * a / (a + b);
		stands[i] += wait * b / (a + b);
		changes += (rate[i] - rate[i - 1]) * (rate[i] - rate[i - 1]) * a * b / (a + b);
	}
	stands[ROWS - 1] += (double)tail;
	for (unsigned i = 0; i < ROWS; i++) {
		*count += rate[i] * ((double)row[i].ns + (ratio ? 0 : stands[i]));
		weights += stands[i] * stands[i] / (double)row[i].ns;
	}
	if (ratio)
		*count *= (seen + unseen) / seen;
	v = changes / (ROWS - 1);
	variance = v * (ratio ? unseen * (seen + unseen) / seen : unseen + weights) +
		   ROWS / 4.0 * unseen / seen * unseen / seen + *count * *count * 1e-6;
	*error = 2.447 * sqrt(variance) / *count; /* 9 pairs: 6 degrees of freedom */
}

TEST(test_by_formula)
{
	static const struct row rows[ROWS] = {
		{3000000, 4000000, 1000}, {8000000, 4000000, 1100}, {0, 4000000, 900},
		{8000000, 4000000, 1050}, {4000000, 8000000, 2000}, {9000000, 100000, 1},
		{4000000, 9000000, 4000}, {0, 4000000, 990},        {700000, 300000, 70},
		{8000000, 4000000, 1010},
	};
	struct pmu_event e = {.id = 1};

	for (unsigned i = 0; i < ROWS; i++) {
		if (!rows[i].wait)
			pmu_slice_end(&e);
		count_slice(&e, rows[i].wait, rows[i].ns, rows[i].count);
	}
	e.times.enabled += 5000000;
	for (unsigned ratio = 0; ratio <= 1; ratio++) {
		const struct pmu_estimate got =
			estimate_of(&e, ratio ? PMU_ESTIMATE_RATIO : PMU_ESTIMATE_INTERPOLATED);
		double count, error;

		compute_expected(rows, 5000000, &count, &error, ratio);
		assert_true(fabs((double)got.count - count) < 2);
		assert_true(error > 0.05);
		assert_true(fabs(got.error / 1e4 - error) < 0.001 * error + 1e-4);
	}
}

/* --- Against known truths --- */

static uint64_t seed;

static uint64_t draw(uint64_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % n;
}

/* About 95 of 100 intervals hold the true count, by each of the estimates. */
TEST(test_bars_hold)
{
	const unsigned runs = 1000;

	for (unsigned slices = 6; slices <= 96; slices *= 4) {
		unsigned held[2] = {0};

		seed = slices;
		for (unsigned run = 0; run < runs; run++) {
			struct pmu_event e = {.id = 1};
			uint64_t truth = 0;

			for (unsigned slice = 0; slice < 3 * slices; slice++) {
				const uint64_t count = 1000 + draw(1000) + draw(1000);

				truth += count;
				if (slice % 3)
					e.times.enabled += SLICE;
				else
					count_slice(&e, 0, SLICE, count);
			}
			for (unsigned how = 0; how < 2; how++) {
				const struct pmu_estimate got =
					estimate_of(&e, (enum pmu_estimator)how);
				const double error = (double)got.count * got.error / 1e4;

				held[how] += fabs((double)got.count - (double)truth) <= error;
			}
		}
		for (unsigned how = 0; how < 2; how++)
			assert_in_range(held[how], runs * 93 / 100, runs * 98 / 100);
	}
}

/* Interpolation follows a growing rate, even if slices become rare. */
TEST(test_drift_is_followed)
{
	struct pmu_event e = {.id = 1};
	uint64_t truth = 0;

	seed = 1;
	for (unsigned slice = 0; slice < 400; slice++) {
		truth += 1000 + 10 * slice;
		if (draw(slice < 200 ? 2 : 8)) /* fewer and fewer slices */
			e.times.enabled += SLICE;
		else
			count_slice(&e, 0, SLICE, 1000 + 10 * slice);
	}
	assert_true(fabs((double)estimate_of(&e, PMU_ESTIMATE_INTERPOLATED).count - (double)truth) <
		    0.005 * (double)truth);
	assert_true((double)estimate_of(&e, PMU_ESTIMATE_RATIO).count < 0.8 * (double)truth);
}

/* A program has two halves with different rates. The error bar comes from differences between
 * neighbouring slices, so the one step does not make it wide. */
TEST(test_a_step_is_no_chance)
{
	struct pmu_event e = {.id = 1};

	for (unsigned slice = 0; slice < 200; slice++)
		if (slice % 4)
			e.times.enabled += SLICE;
		else
			count_slice(&e, 0, SLICE, slice < 100 ? 100 : 10000);
	assert_in_range(estimate_of(&e, PMU_ESTIMATE_INTERPOLATED).count, 1000000, 1030000);
	assert_in_range(interpolated_error(&e), LEAST_ERROR, 2000);
}

/* --- On the modelled PMU --- */

TEST(test_steady_events)
{
	struct pmu_event e[5], one;

	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	open_muxed(&one, CLOCK, NULL);
	rig_slices(SLICE / 2);
	assert_int_equal(interpolated_error(&one), 0);
	assert_int_equal(interpolated_error(&e[4]), PMU_ERROR_UNKNOWN);
	rig_slices(SLICE);
	assert_int_equal(interpolated_error(&e[4]), PMU_ERROR_UNKNOWN); /* one slice says nothing */
	rig_slices(49 * SLICE);
	for (unsigned i = 0; i < 5; i++) {
		const struct pmu_estimate got = estimate_of(&e[i], PMU_ESTIMATE_INTERPOLATED);

		assert_in_range(got.error, LEAST_ERROR - 1, LEAST_ERROR + 1);
		assert_in_range(got.count, 50 * SLICE / 5, 51 * SLICE / 5);
	}
	assert_int_equal(interpolated_error(&one), 0);
	pmu_event_close(&one);
	close_many(e, 5);
}

/* Four of five events count at a time, so each counts in four consecutive time slices. The log has
 * all slices, each at most a time slice long, in order, with the whole count. */
TEST(test_slices_are_logged)
{
	struct pmu_slice slot[64];
	struct pmu_slice_log log = {slot, 64, 0}, small = {slot + 60, 2, 0};
	struct pmu_event e[5];
	uint64_t count = 0, ns = 0, end = 0;

	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	pmu_event_log_slices(&e[4], &log);
	pmu_event_log_slices(&e[3], &small);
	rig_slices(51 * SLICE - SLICE / 2);
	pmu_event_end_slices(&e[4]);
	assert_in_range(log.n, 39, 42);
	for (unsigned i = 0; i < log.n; i++) {
		assert_true(slot[i].from >= end);
		assert_in_range(slot[i].ns, 1, SLICE + SLICE / 10);
		end = slot[i].from + slot[i].ns;
		count += slot[i].count;
		ns += slot[i].ns;
	}
	assert_int_equal(count, rig_value(&e[4]));
	assert_int_equal(ns, muxed_value(&e[4]).time_running);
	assert_in_range(small.n, 30, 45); /* it says how many there were */
	close_many(e, 5);
}

/*
 * Five events take turns, while the rate changes and interrupts come late. Events with a log end
 * their slices one by one, the others by spans.
 */
static void estimate_turns(bool logged, struct pmu_estimate *got)
{
	struct pmu_slice_log log = {NULL, 0, 0};
	struct pmu_event e[5];

	rig_boot("skx", true);
	open_many(e, 5, BRANCHES);
	for (unsigned i = 0; logged && i < 5; i++)
		pmu_event_log_slices(&e[i], &log);
	seed = 1;
	pmu_task_sched_in(&rig.task);
	for (unsigned i = 0; i < 2000; i++) {
		rig_go(1 + draw(SLICE / 8));
		shim_run(VPMU_OS, draw(SLICE / 8));
	}
	pmu_task_sched_out();
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(e[i].slices.series != 0, !logged);
		for (unsigned how = 0; how < 2; how++)
			*got++ = estimate_of(&e[i], (enum pmu_estimator)how);
	}
	close_many(e, 5);
}

TEST(test_spans_are_slices)
{
	struct pmu_estimate by_spans[10], by_slices[10];

	estimate_turns(false, by_spans);
	estimate_turns(true, by_slices);
	for (unsigned i = 0; i < 10; i++) {
		assert_in_range(by_slices[i].error, 2 * LEAST_ERROR, 5000);
		assert_in_range(by_spans[i].error, by_slices[i].error - 1, by_slices[i].error + 1);
		assert_in_range(by_spans[i].count, by_slices[i].count - 1, by_slices[i].count + 1);
	}
}

/* After a reset the estimate is as if nothing had been counted before. */
TEST(test_reset)
{
	struct pmu_event e = {.id = 1};
	const struct pmu_estimate none = estimate_of(&e, PMU_ESTIMATE_RATIO);

	assert_int_equal(none.count, 0);
	assert_int_equal(none.error, 0);
	for (unsigned i = 0; i < 10; i++)
		count_slice(&e, SLICE, SLICE, 1000000);
	e.count = 0;
	pmu_slices_forget(&e);
	for (unsigned i = 0; i < 10; i++)
		count_slice(&e, 3 * SLICE, SLICE, 1000);
	for (unsigned how = 0; how < 2; how++)
		assert_int_equal(estimate_of(&e, (enum pmu_estimator)how).count, 40000);
}
