/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fair_solve.h - a job of policy fair as a problem for another program, and its solution
 * (include/perf0/fair_solution.h). The image describes a job, the host tool solves it by the same
 * code as the image would, and the image checks the solution. Pure functions, task context; the
 * scratch state is large: use static storage, zeroed.
 */
#ifndef PMU_SCHED_FAIR_SOLVE_H
#define PMU_SCHED_FAIR_SOLVE_H

#include "pmu/sched/fair.h"

/* pmu_fair_describe() - writes the job, with its signature as the key. */
void pmu_fair_describe(const struct pmu_fair_job *job, struct fair_problem *problem);

/*
 * pmu_fair_solve() - solves the problem, whose sender is not trusted. False: it is malformed, or no
 * mixture was found.
 */
bool pmu_fair_solve(struct pmu_fair *scratch, const struct fair_problem *problem,
		    struct fair_solution *solution);

/*
 * pmu_fair_check() - returns whether the solution, whose sender is not trusted, is one of the
 * problem. Each set fits, and no other group fits beside it. The shares of the sets are all of the
 * time. They serve each group as it is due, and each group that fits at all is due a part. What it
 * cannot check is whether other shares would be better: `optimal` and `ordered` are claims.
 */
bool pmu_fair_check(struct pmu_fair *scratch, const struct fair_problem *problem,
		    const struct fair_solution *solution);

#endif
