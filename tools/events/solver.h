/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solver.h - finds the best shares of groups of events for a machine that asks for them by a frame
 * SOLVE (include/perf0/wire_frames.h), by the code with which the machine would search itself
 * (pmu/sched/fair_solve.h). The machine stands still until solver_answer() has returned, and is
 * not trusted.
 */
#ifndef TOOLS_EVENTS_SOLVER_H
#define TOOLS_EVENTS_SOLVER_H

#include <stdbool.h>

#include "include/perf0/fair_solution.h"
#include "lib/format/frame.h"
#include "tools/util/buf.h"

/* Solutions of earlier runs, by a text that names the problem. A loaded one is checked again. */
struct solver_store {
	bool (*load)(const char *key, struct fair_solution *solution);
	void (*save)(const char *key, const struct fair_solution *solution);
};

struct solver {
	bool is_wanted; /* a machine waits for the answer */
	unsigned saved; /* at most SOLVER_SAVES in a run, lest a machine floods the store */
};
#define SOLVER_SAVES 64

/* solver_frame() - takes a frame; ignores all but SOLVE. */
void solver_frame(struct solver *solver, const struct frame *frame);

/*
 * solver_answer() - reads the problem at `exchange`, which is shared with the machine, and writes
 * the answer there.
 */
void solver_answer(struct solver *solver, struct fair_exchange *exchange,
		   const struct solver_store *store);

/* solver_key() - writes the text that names a problem: a line for people, then the problem. */
void solver_key(struct buf *out, const struct fair_problem *problem);

#endif
