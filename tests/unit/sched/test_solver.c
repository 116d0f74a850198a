// SPDX-License-Identifier: BSD-2-Clause
/* test_solver.c - the host tool's answers for shares: by its own search, and by a store of earlier
 * answers, which it does not believe. */
#include <string.h>

#include "tests/unit/test.h"

#include "include/perf0/wire_frames.h"
#include "pmu/sched/fair_solve.h"
#include "tools/events/solver.h"

static struct fair_exchange exchange;
static struct fair_solution stored;
static char stored_key[2 * sizeof(struct fair_problem) + 256];
static unsigned loads, saves;

static bool load_stored(const char *key, struct fair_solution *solution)
{
	loads++;
	*solution = stored;
	return !strcmp(key, stored_key);
}

static void save_stored(const char *key, const struct fair_solution *solution)
{
	saves++;
	assert_true(strlen(key) < sizeof(stored_key));
	strcpy(stored_key, key);
	stored = *solution;
}

static const struct solver_store store = {load_stored, save_stored};
static struct solver solver;

/* 20 groups of one event, of which four fit at a time: each is due a fifth. */
static void ask_to_solve(unsigned groups)
{
	memset(&exchange, 0, sizeof(exchange));
	exchange.problem.groups = groups;
	exchange.problem.general = exchange.problem.general_corrupting = exchange.problem.total =
		PMU_NO_LIMIT;
	for (unsigned g = 0; g < groups && g < FAIR_GROUPS; g++) {
		exchange.problem.group[g].events = 1;
		exchange.problem.mask[g] = 0xf;
	}
	solver_answer(&solver, &exchange, &store);
}

TEST(test_frames)
{
	struct frame frame = {.type = WIRE_INPUT};

	solver_frame(&solver, &frame);
	assert_false(solver.is_wanted);
	frame.type = WIRE_SOLVE;
	solver_frame(&solver, &frame);
	assert_true(solver.is_wanted);
	ask_to_solve(20);
	assert_false(solver.is_wanted);
}

TEST(test_answers)
{
	stored_key[0] = '\0';
	saves = 0;
	ask_to_solve(20);
	assert_int_equal(exchange.answered, 1);
	assert_int_equal(exchange.solution.share, 200000);
	assert_int_equal(exchange.solution.optimal, 1);
	assert_int_equal(saves, 1);
	ask_to_solve(20);
	assert_int_equal(exchange.answered, 1);
	assert_int_equal(exchange.solution.share, 200000);
	assert_int_equal(saves, 1);
	ask_to_solve(21);
	assert_int_equal(saves, 2);
	assert_int_equal(exchange.solution.groups, 21);
}

/* A stored solution that is wrong is replaced. */
TEST(test_wrong_store)
{
	ask_to_solve(20);
	saves = 0;
	stored.due[3] = 0;
	ask_to_solve(20);
	assert_int_equal(exchange.answered, 1);
	assert_int_equal(exchange.solution.share, 200000);
	assert_int_equal(saves, 1);
	assert_true(stored.due[3]);
}

/* A machine that asks for ever does not fill the store. */
TEST(test_flood)
{
	solver = (struct solver){0};
	saves = 0;
	for (unsigned i = 0; i < 2 * SOLVER_SAVES; i++)
		ask_to_solve(11 + i % 2);
	assert_int_equal(saves, SOLVER_SAVES);
	solver = (struct solver){0};
}

TEST(test_no_answer)
{
	ask_to_solve(0);
	assert_int_equal(exchange.answered, 0);
	ask_to_solve(65);
	assert_int_equal(exchange.answered, 0);
}
