// SPDX-License-Identifier: BSD-2-Clause
/* ask_shares.c - see ask_shares.h. */
#include "apps/measure/ask_shares.h"

#include "linux/task/task.h"
#include "pmu/api/pmu.h"
#include "rt/print/print.h"
#include "rt/wire/wire.h"

bool shares_ask(void)
{
	static struct fair_problem problem;
	static struct fair_solution solution;

	if (!pmu_shares_problem(task_events(), &problem) || !wire_solve(&problem, &solution))
		return false;
	if (pmu_shares_know(&problem, &solution))
		return true;
	err("perf0: the host's shares of groups do not fit the events: perf0 searches itself\n");
	return false;
}
