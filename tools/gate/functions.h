/* SPDX-License-Identifier: BSD-2-Clause */
/* functions.h - the functions of a benchmark, from an exact profile of its run. */
#ifndef TOOLS_GATE_FUNCTIONS_H
#define TOOLS_GATE_FUNCTIONS_H

#include "tools/gate/gate_results.h"
#include "tools/profile/profile_fold.h"
#include "tools/profile/stack_tree.h"

/*
 * The loop that a harness measures: it runs between the return of a function of `begins` and the
 * call of one of `ends`, in the function that calls both. Patterns as in profile_match.h.
 */
struct harness_loop {
	const char *begins, *ends;
	const char *passes; /* functions that may call these for that function; NULL: none */
	const char *own;    /* the harness's own functions that have the loop; NULL: none */
	bool is_clock;      /* `begins` has other callers: those of `ends` have the loop */
	/*
	 * Only the first loop of a function is measured: the clock decides how many others have,
	 * and how many there are. `is_repeated`: functions of `begins` begin the others, too.
	 */
	bool is_first, is_repeated;
};

/* The part of a program that is measured. All NULL: the whole process. */
struct measured_part {
	const struct harness_loop *loop; /* it comes first */
	const char *functions;           /* their patterns, alternatives behind a `|` */
};

/* The place of a function in its source. */
struct source {
	char *function, *file;
	unsigned line; /* from 1 */
};

/* The sources of functions. A zeroed struct has none. */
struct sources {
	struct source *one; /* sorted by function */
	size_t n;
};

/* sources_find() - returns the source of a function; NULL: unknown. sources_free() - frees all. */
const struct source *sources_find(const struct sources *sources, const char *function);
void sources_free(struct sources *sources);

/*
 * functions_add() - adds what the run of `benchmark` executed to `results`, which are unsorted
 * afterwards: RESULT_FUNCTION and RESULT_CALLS, from the ELF file RESULT_SIZE and RESULT_CODE, and
 * RESULT_FILE for each file. Only what is executed inside of `measured` is taken, without the parts
 * of the harness that it calls, and without the loader; then RESULT_INSIDE has the count of each
 * event. Returns false, and adds all functions, if neither the loop nor a function is executed.
 *
 * A function of another file than the program is NAME@FILE, and code without a symbol [FILE]. Names
 * are those of plain_name.h. `sources`, unless NULL, receives the places of the program's
 * functions. `stacks`, unless NULL, receives the stacks of what is counted in RESULT_FUNCTION, with
 * their instructions, as STACK_NEW below the benchmark's name.
 */
bool functions_add(struct gate_results *results, const char *benchmark,
		   const struct profile *profile, const struct measured_part *measured,
		   struct sources *sources, struct stack_tree *stacks);

#endif
