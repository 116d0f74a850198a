// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench_host.c - costs of the scheduler and the ring on the host: lines of name, ns per call and
 * unit, for scripts/bench. Each is the best of several rounds, which the host disturbed least.
 */
#include "tests/bench/bench_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/sched/assign.h"
#include "lib/bits.h"
#include "pmu/sched/tick.h"

#define ROUNDS   15
#define FIXED(n) (1ull << (PMU_FIRST_FIXED + (n)))

static double time_assign(const uint64_t *masks, unsigned n)
{
	struct pmu_constraint events[PMU_COUNTERS];
	struct pmu_assign_job job = {
		.events = events, .n = n, .general_max = PMU_NO_LIMIT, .flags = PMU_ASSIGN_DEFAULT};
	const unsigned calls = 1000, rounds = 3000; /* rounds are short: some run undisturbed */
	uint8_t index[PMU_COUNTERS];
	double best = 1e18;

	for (unsigned i = 0; i < n; i++)
		events[i] = pmu_constraint(masks[i], false);
	for (unsigned round = 0; round < rounds; round++) {
		double start = bench_ns(), each;

		for (unsigned i = 0; i < calls; i++) {
			bench_use(events);
			if (!pmu_assign_greedy(&job, index))
				abort();
			bench_use(index);
		}
		each = (bench_ns() - start) / calls;
		best = each < best ? each : best;
	}
	return best;
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

/* 64 groups of one to four events with mixed constraints, on 8 general and 4 fixed counters. */
static double fair_rotate_64_groups(void)
{
	static const uint64_t kinds[] = {0xff, 0x0f, 0x04, 0xff | FIXED(0), 0xf0, FIXED(3) | 0xff};
	static struct pmu_tick_event events[64][4];
	static struct pmu_tick_group groups[64];
	static struct pmu_tick_context context;
	static struct pmu_fair fair;
	struct pmu_tick t = {.counters = 0xff | 15 * FIXED(0),
			     .limits = PMU_UNLIMITED,
			     .assign = PMU_ASSIGN_DEFAULT,
			     .contexts = {[PMU_TICK_TASK] = &context},
			     .fair = &fair};
	const unsigned slices = 2000;
	double best = 1e18;
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
	/* The first round, which solves the mixture, counts, too. Each result is an average. */
	for (unsigned round = 0; round < ROUNDS; round++) {
		double start = bench_ns(), each;

		for (unsigned i = 0; i < slices; i++) {
			pmu_tick(&t);
			pmu_tick_next(&t);
		}
		each = (bench_ns() - start) / slices;
		best = each < best ? each : best;
	}
	return best;
}

static const struct row {
	const char *name;
	double (*run)(void);
} rows[] = {
	{"assign.4_on_8", assign_4_on_8},         {"assign.8_mixed_on_8", assign_8_mixed_on_8},
	{"assign.11_on_8_3", assign_11_on_8_3},   {"fair.rotate_64_groups", fair_rotate_64_groups},
	{"ring.copy_limit_48B", ring_copy_limit}, {"ring.one_core_48B", ring_one_core},
	{"ring.two_cores_48B", ring_two_cores},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%s %.1f ns\n", rows[i].name, rows[i].run());
	return ferror(stdout) || fclose(stdout) ? 1 : 0;
}
