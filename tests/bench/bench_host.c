// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench_host.c - costs of the scheduler and the ring on the host, for scripts/bench: lines of name,
 * ns for each call, unit, the lower and upper quartile, and how many copies of 48 bytes take as
 * long.
 *
 * A round runs one short window of each row, and of a loop that copies. A row's value is the median
 * of its windows. Its ratio to the copies is the median of the ratios of one round each, so that a
 * slow moment of the host makes both slow.
 */
#include "tests/bench/bench_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/sched/assign.h"
#include "lib/bits.h"
#include "pmu/sched/tick.h"

#define ROUNDS 200
#define TWO_CORES_EACH \
	10 /* rows of two cores take part in every tenth round: on a busy host they take long */
#define FIXED(n) (1ull << (PMU_FIRST_FIXED + (n)))

static double time_assign(const uint64_t *masks, unsigned n)
{
	struct pmu_constraint events[PMU_COUNTERS];
	struct pmu_assign_job job = {
		.events = events, .n = n, .general_max = PMU_NO_LIMIT, .flags = PMU_ASSIGN_DEFAULT};
	const unsigned calls = 4000;
	uint8_t index[PMU_COUNTERS];
	double start;

	for (unsigned i = 0; i < n; i++)
		events[i] = pmu_constraint(masks[i], false);
	start = bench_ns();
	for (unsigned i = 0; i < calls; i++) {
		bench_use(events);
		if (!pmu_assign_greedy(&job, index))
			abort();
		bench_use(index);
	}
	return (bench_ns() - start) / calls;
}

static double assign_4_on_8(void)
{
	static const uint64_t masks[] = {0xff, 0xff, 0xff, 0xff};

	return time_assign(masks, 4);
}

static double assign_8_mixed_on_8(void)
{
	static const uint64_t masks[] = {0xff, 0x0f, 0xff, 0x04, 0x0f, 0xff, 0x02, 0xff};

	return time_assign(masks, 8);
}

static double assign_11_on_8_3(void)
{
	static const uint64_t masks[] = {FIXED(0) | 0xff,
					 FIXED(1) | 0xff,
					 FIXED(2),
					 0xff,
					 0x0f,
					 0xff,
					 0x04,
					 0x0f,
					 0xff,
					 0x0f,
					 0xff};

	return time_assign(masks, 11);
}

static struct pmu_tick_event events[64][4];
static struct pmu_tick_group groups[64];
static struct pmu_tick_context context;
static struct pmu_fair fair = {.at_once = true};
static struct pmu_tick tick = {.counters = 0xff | 15 * FIXED(0),
			       .limits = PMU_UNLIMITED,
			       .assign = PMU_ASSIGN_DEFAULT,
			       .contexts = {[PMU_TICK_TASK] = &context},
			       .fair = &fair};

/* 64 groups of one to four events with mixed constraints, on 8 general and 4 fixed counters. */
static void begin_groups(void)
{
	static const uint64_t kinds[] = {0xff, 0x0f, 0x04, 0xff | FIXED(0), 0xf0, FIXED(3) | 0xff};
	unsigned seed = 1;

	for (unsigned g = 0; g < 64; g++) {
		groups[g] = (struct pmu_tick_group){.enabled = true};
		for (unsigned i = 0; i < 1 + g % 4; i++) {
			seed = seed * 1103515245 + 12345;
			events[g][i] = (struct pmu_tick_event){
				.constraint = pmu_constraint(kinds[(seed >> 16) % 6], false),
				.hardware = true,
				.enabled = true,
				.counter = PMU_NO_COUNTER};
			pmu_tick_append(&groups[g], &events[g][i]);
		}
		pmu_tick_insert(&context, &groups[g]);
	}
	pmu_tick(&tick); /* finds the shares, which are known from then on */
}

static double fair_rotate_64_groups(void)
{
	const unsigned slices = 100;
	double start = bench_ns();

	for (unsigned i = 0; i < slices; i++) {
		pmu_tick(&tick);
		pmu_tick_next(&tick);
	}
	return (bench_ns() - start) / slices;
}

static double copy_limit(void)
{
	return ring_copy_window();
}

/* --- Rows --- */

#define MOST_SPREAD 4 /* of the quartiles, where two CPUs are needed at the same time */

struct bench_row {
	const char *name;
	double (*window)(void);
	const struct bench_ring *ring; /* NULL: `window` has all; else it runs on one core or two */
	bool two_cores;
	const char *absent; /* why it cannot be measured; NULL: it can */
	unsigned n;         /* windows */
	double ns[ROUNDS], copies[ROUNDS];
};

#define NOT_BUILT(package) package " was not installed when build/bench was built"

static struct bench_row rows[] = {
	{.name = "assign.4_on_8", .window = assign_4_on_8},
	{.name = "assign.8_mixed_on_8", .window = assign_8_mixed_on_8},
	{.name = "assign.11_on_8_3", .window = assign_11_on_8_3},
	{.name = "fair.rotate_64_groups", .window = fair_rotate_64_groups},
	{.name = "ring.copy_limit_48B", .window = copy_limit},
	{.name = "ring.one_core_48B", .ring = &bench_ours},
	{.name = "ring.one_core_48B_rte", .absent = NOT_BUILT("libdpdk-dev")},
	{.name = "ring.one_core_48B_ck", .absent = NOT_BUILT("libck-dev")},
	{.name = "ring.two_cores_48B", .ring = &bench_ours, .two_cores = true},
	{.name = "ring.two_cores_48B_rte", .two_cores = true, .absent = NOT_BUILT("libdpdk-dev")},
	{.name = "ring.two_cores_48B_ck", .two_cores = true, .absent = NOT_BUILT("libck-dev")},
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

static bool has_ending(const char *text, const char *end)
{
	const size_t n = strlen(text), k = strlen(end);

	return n >= k && !strcmp(text + n - k, end);
}

static void find_rings(void)
{
	const bool one_cpu = sysconf(_SC_NPROCESSORS_ONLN) < 2;

	for (struct bench_row *r = rows; r < rows + NROWS; r++) {
		if (&bench_rte && has_ending(r->name, "_rte"))
			r->ring = bench_rte;
		if (&bench_ck && has_ending(r->name, "_ck"))
			r->ring = bench_ck;
		if (r->ring)
			r->absent = r->two_cores && one_cpu ? "there is one CPU" : NULL;
	}
}

static double window_of(const struct bench_row *r)
{
	if (!r->ring)
		return r->window();
	return r->two_cores ? ring_two_cores_window(r->ring) : ring_one_core_window(r->ring);
}

static void run_round(unsigned round)
{
	for (struct bench_row *r = rows; r < rows + NROWS; r++) {
		if (r->absent || (r->two_cores && round % TWO_CORES_EACH))
			continue;
		r->ns[r->n] = window_of(r);
		if (!r->ns[r->n])
			continue;
		r->copies[r->n] = r->ns[r->n] / ring_copy_window();
		r->n++;
	}
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *values, unsigned n)
{
	qsort(values, n, sizeof(*values), by_value);
	return values[n / 2];
}

static void print_bench_row(struct bench_row *r)
{
	double median, low, high;

	if (!r->absent && !r->n)
		r->absent = "the reader was never as fast as the writer";
	if (r->absent) {
		printf("%s not_measured %s\n", r->name, r->absent);
		return;
	}
	median = bench_median(r->ns, r->n);
	low = r->ns[r->n / 4];
	high = r->ns[3 * r->n / 4];
	if (r->two_cores && high > MOST_SPREAD * low) {
		printf("%s not_measured the second CPU had other work: %.1f..%.1f ns\n", r->name,
		       low, high);
		return;
	}
	printf("%s %.1f ns %.1f..%.1f, %.1f copies\n", r->name, median, low, high,
	       bench_median(r->copies, r->n));
}

int main(void)
{
	begin_groups();
	find_rings();
	for (unsigned round = 0; round < ROUNDS; round++)
		run_round(round);
	for (struct bench_row *r = rows; r < rows + NROWS; r++)
		print_bench_row(r);
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
