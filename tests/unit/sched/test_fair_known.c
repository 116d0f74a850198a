// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_fair_known.c - results of policy fair that were found before: by the host tool, or for the
 * same groups at an earlier time. Whatever is wrong in a solution is refused.
 */
#include "lib/bits.h"
#include "pmu/sched/fair_solve.h"
#include "pmu/sched/tick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define MOST   40
#define EVENTS 3
#define SLICES 400

static struct pmu_tick_event events[MOST][EVENTS];
static struct pmu_tick_group groups[MOST];
static struct pmu_tick_context context;
static struct pmu_fair fair, scratch;
static struct pmu_tick tick;
static struct fair_problem problem;
static struct fair_solution solution;
static uint64_t seed;

static unsigned roll(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static uint64_t random_counters(void)
{
	static const uint64_t kinds[] = {0xff, 0xff, 0xff, 0x0f, 0x04, 1ull << 32 | 0xff};

	return kinds[roll(sizeof(kinds) / sizeof(kinds[0]))];
}

/* `n` groups of one to three events on eight general and three fixed counters. */
static void make_load(uint64_t number, unsigned n)
{
	seed = number;
	memset(&context, 0, sizeof(context));
	memset(&fair, 0, sizeof(fair));
	tick = (struct pmu_tick){.counters = 0xff | 7ull << 32,
				 .limits = PMU_UNLIMITED,
				 .contexts = {[PMU_TICK_TASK] = &context},
				 .fair = &fair};
	for (unsigned g = 0; g < n; g++) {
		groups[g] = (struct pmu_tick_group){.enabled = true, .exclusive = !roll(30)};
		for (unsigned i = 1 + roll(EVENTS); i-- > 0;) {
			events[g][i] = (struct pmu_tick_event){
				.constraint = pmu_constraint(random_counters(), false),
				.hardware = true,
				.enabled = true,
				.corrupting = !roll(9),
				.counter = PMU_NO_COUNTER};
			if (!roll(8))
				events[g][i].extra =
					(struct pmu_extra){.value = roll(3), .registers = 3};
			pmu_tick_append(&groups[g], &events[g][i]);
		}
		pmu_tick_insert(&context, &groups[g]);
	}
	tick.limits.general_corrupting = roll(3) ? PMU_NO_LIMIT : 4;
}

static void describe_load(void)
{
	memset(&scratch, 0, sizeof(scratch));
	scratch.describes = &problem;
	tick.fair = &scratch;
	pmu_tick(&tick);
	tick.fair = &fair;
	pmu_tick_reconsider(&tick);
}

static bool solve_load(void)
{
	describe_load();
	memset(&scratch, 0, sizeof(scratch));
	return pmu_fair_solve(&scratch, &problem, &solution);
}

static bool is_accepted(const struct fair_problem *p, const struct fair_solution *s)
{
	memset(&scratch, 0, sizeof(scratch));
	return pmu_fair_check(&scratch, p, s);
}

static void run_slices(unsigned n)
{
	while (n--) {
		pmu_tick(&tick);
		pmu_tick_next(&tick);
	}
}

/* The share that the search finds, when it has all the time that it wants. */
static uint32_t searched_share(void)
{
	uint32_t share;

	fair.at_once = true;
	run_slices(1);
	share = pmu_fair_share(&fair);
	memset(&fair, 0, sizeof(fair));
	pmu_tick_reconsider(&tick);
	return share;
}

/* How many slices the worst group is behind what the solution owes it. */
static double worst_lag(unsigned n)
{
	double worst = 0;

	for (unsigned g = 0; g < n; g++) {
		const double due = SLICES * ((double)solution.due[g] / FAIR_WHOLE);
		const double lag = due - (double)groups[g].served;

		worst = lag > worst ? lag : worst;
	}
	return worst;
}

/* The shares of a solution are those of the search, and no slice searches. */
TEST(test_solution)
{
	double worst = 0;

	for (uint64_t number = 1; number <= 60; number++) {
		const unsigned n = PMU_FAIR_FEW + 1 + (unsigned)(number % (MOST - PMU_FAIR_FEW));
		double behind;
		uint32_t share;

		make_load(number, n);
		share = searched_share();
		assert_true(solve_load());
		assert_true(is_accepted(&problem, &solution));
		assert_int_equal(solution.groups, n);
		assert_int_equal(solution.share, share);
		pmu_fair_know(&fair, &solution);
		for (unsigned g = 0; g < n; g++)
			groups[g].served = 0;
		run_slices(SLICES);
		assert_true(fair.adopted);
		assert_int_equal(fair.steps, 0);
		assert_int_equal(pmu_fair_share(&fair), share);
		behind = worst_lag(n);
		worst = behind > worst ? behind : worst;
	}
	print_message("at worst %.2f slices behind\n", worst);
	assert_true(worst < 2.5);
}

/* A solution that comes while slices search ends the search. */
TEST(test_solution_ends_the_search)
{
	make_load(7, MOST);
	assert_true(solve_load());
	run_slices(1);
	assert_int_not_equal(fair.phase, PMU_FAIR_DONE);
	assert_false(pmu_fair_knows(&fair, problem.key, problem.groups));
	pmu_fair_know(&fair, &solution);
	pmu_tick_reconsider(&tick);
	assert_true(pmu_fair_knows(&fair, problem.key, problem.groups));
	run_slices(1);
	assert_int_equal(fair.phase, PMU_FAIR_DONE);
	assert_true(fair.adopted);
}

/* Groups come and go: what was found for a set of them is never searched for again. */
static void check_come_and_go(unsigned n)
{
	uint32_t share;

	make_load(n, n);
	fair.at_once = true;
	run_slices(1);
	share = pmu_fair_share(&fair);
	for (unsigned round = 0; round < 20; round++) {
		groups[round % 2].enabled = false;
		pmu_tick_group_update(&groups[round % 2]);
		context.same = false;
		run_slices(30);
		assert_true(fair.steps == 0 || round < 2);
		groups[round % 2].enabled = true;
		pmu_tick_group_update(&groups[round % 2]);
		context.same = false;
		run_slices(30);
		assert_int_equal(fair.steps, 0);
		assert_int_equal(pmu_fair_share(&fair), share);
		assert_true(fair.n && fair.phase == PMU_FAIR_DONE);
	}
}

TEST(test_come_and_go)
{
	check_come_and_go(PMU_FAIR_FEW);
	check_come_and_go(PMU_FAIR_FEW + 2);
	check_come_and_go(MOST);
}

/* More sets of groups than are kept: the one that was not used for the longest time is dropped. */
TEST(test_more_than_are_kept)
{
	make_load(3, PMU_FAIR_KEPT + PMU_FAIR_FEW);
	fair.at_once = true;
	for (unsigned round = 0; round < 2; round++)
		for (unsigned g = 0; g <= PMU_FAIR_KEPT; g++) {
			groups[g].enabled = false;
			pmu_tick_group_update(&groups[g]);
			context.same = false;
			run_slices(3);
			assert_true(fair.phase == PMU_FAIR_DONE && !fair.adopted);
			groups[g].enabled = true;
			pmu_tick_group_update(&groups[g]);
		}
}

/* --- Solutions that are wrong --- */

#define REFUSES(change)                                         \
	do {                                                    \
		struct fair_solution s = solution;              \
		change;                                         \
		if (is_accepted(&problem, &s))                  \
			fail_msg("accepted with: %s", #change); \
	} while (0)

TEST(test_wrong_solutions)
{
	make_load(11, 30);
	assert_true(solve_load());
	assert_true(is_accepted(&problem, &solution));
	REFUSES(s.key ^= 1);
	REFUSES(s.groups--);
	REFUSES(s.sets = 0);
	REFUSES(s.sets = FAIR_SETS + 1);
	REFUSES(s.sets--);
	REFUSES(s.set[0] = 0);
	REFUSES(s.set[0] |= 1ull << 63);         /* no such group */
	REFUSES(s.set[0] = bits_low(30));        /* they do not fit */
	REFUSES(s.set[0] &= s.set[0] - 1);       /* another one fits */
	REFUSES(s.weight[0] += FAIR_WHOLE / 8);  /* more than all of the time */
	REFUSES(s.weight[0] -= s.weight[0] / 2); /* less */
	REFUSES(s.weight[0] = UINT64_MAX);
	REFUSES(s.due[0] = 0);
	REFUSES(s.due[0] = FAIR_WHOLE + 1);
	REFUSES(s.due[0] += FAIR_WHOLE / 2); /* its sets have less */
	REFUSES(s.due[40] = 1);              /* no such group */
	REFUSES(s.share += 10);
	REFUSES(s.share = 0);
	REFUSES(s.bound = s.share - 1);
	REFUSES(s.bound = 1000001);
	REFUSES(s.optimal = 2);
	REFUSES(s.ordered = 7);
}

/* A solution for other events is refused, unless it happens to be one of these, too. */
TEST(test_solution_of_other_events)
{
	make_load(11, 30);
	assert_true(solve_load());
	for (unsigned i = 0; i < 20; i++)
		problem.mask[i] = 4;
	assert_false(is_accepted(&problem, &solution));
}

#define MALFORMED(change)                                                         \
	do {                                                                      \
		struct fair_problem p = problem;                                  \
		change;                                                           \
		memset(&scratch, 0, sizeof(scratch));                             \
		if (is_accepted(&p, &solution) ||                                 \
		    pmu_fair_solve(memset(&scratch, 0, sizeof(scratch)), &p, &s)) \
			fail_msg("solved with: %s", #change);                     \
	} while (0)

TEST(test_malformed_problems)
{
	static struct fair_solution s;

	make_load(11, 30);
	assert_true(solve_load());
	MALFORMED(p.groups = 0);
	MALFORMED(p.groups = FAIR_GROUPS + 1);
	MALFORMED(p.groups = UINT32_MAX);
	MALFORMED(p.group[3].events = 0);
	MALFORMED(p.group[3].events = 255);
	MALFORMED(p.group[3].extras = 255);
	MALFORMED(p.group[3].corrupting = 2);
	MALFORMED(p.group[3].exclusive = 2);
	MALFORMED(p.start_used = 1ull << 60);
	MALFORMED(p.start_used = 1);
	MALFORMED(p.start_held = 0x80);
	MALFORMED(p.start_held = 1);
	MALFORMED(p.start_corrupting = 9);
	MALFORMED(p.extra[0].registers = 0x100; p.group[0].extras = 1);
	MALFORMED(p.extra[0].first = PMU_EXTRAS; p.group[0].extras = 1);
}

/* Any bytes: both ends only refuse, or what they accept is sound. */
TEST(test_damaged)
{
	const unsigned rounds = getenv("PERF0_SOAK") ? 20000 : 1000;
	static struct fair_problem p;
	static struct fair_solution s;
	unsigned solved = 0;

	make_load(5, 14);
	assert_true(solve_load());
	for (unsigned round = 0; round < rounds; round++) {
		p = problem;
		s = solution;
		for (unsigned i = roll(4); i-- > 0;)
			((uint8_t *)&p)[roll(sizeof(p))] ^= (uint8_t)roll(256);
		for (unsigned i = roll(4); i-- > 0;)
			((uint8_t *)&s)[roll(sizeof(s))] ^= (uint8_t)roll(256);
		is_accepted(&p, &s);
		memset(&scratch, 0, sizeof(scratch));
		if (pmu_fair_solve(&scratch, &p, &s)) {
			solved++;
			assert_true(is_accepted(&p, &s));
		}
	}
	assert_true(solved);
}
