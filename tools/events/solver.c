// SPDX-License-Identifier: BSD-2-Clause
/* solver.c - see solver.h. */
#include "tools/events/solver.h"

#include <string.h>

#include "include/perf0/version.h"
#include "include/perf0/wire_frames.h"
#include "pmu/sched/fair_solve.h"

void solver_frame(struct solver *solver, const struct frame *frame)
{
	if (frame->type == WIRE_SOLVE)
		solver->is_wanted = true;
}

void solver_key(struct buf *out, const struct fair_problem *problem)
{
	const uint8_t *bytes = (const uint8_t *)problem;

	buf_printf(out, "shares of %u groups by policy fair\n%s\n", problem->groups, PERF0_VERSION);
	for (size_t i = 0; i < sizeof(*problem); i++)
		buf_printf(out, "%02x", bytes[i]);
}

static bool solve_by_store(struct solver *solver, const struct fair_problem *problem,
			   struct fair_solution *solution, const struct solver_store *store)
{
	static struct pmu_fair scratch;
	struct buf key = {0};
	bool is_solved;

	solver_key(&key, problem);
	memset(&scratch, 0, sizeof(scratch));
	is_solved = store->load(buf_text(&key), solution) &&
		    pmu_fair_check(&scratch, problem, solution);
	if (!is_solved) {
		memset(&scratch, 0, sizeof(scratch));
		is_solved = pmu_fair_solve(&scratch, problem, solution);
		if (is_solved && solver->saved++ < SOLVER_SAVES)
			store->save(buf_text(&key), solution);
	}
	buf_free(&key);
	return is_solved;
}

/* The problem is copied first: what is checked is what is solved. */
void solver_answer(struct solver *solver, struct fair_exchange *exchange,
		   const struct solver_store *store)
{
	static struct fair_problem problem;
	static struct fair_solution solution;

	memcpy(&problem, &exchange->problem, sizeof(problem));
	exchange->answered = solve_by_store(solver, &problem, &solution, store);
	if (exchange->answered)
		memcpy(&exchange->solution, &solution, sizeof(solution));
	solver->is_wanted = false;
}
