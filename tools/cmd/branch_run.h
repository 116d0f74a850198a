/* SPDX-License-Identifier: BSD-2-Clause */
/* branch_run.h - a run of a program in which every branch is counted. */
#ifndef TOOLS_CMD_BRANCH_RUN_H
#define TOOLS_CMD_BRANCH_RUN_H

#include <limits.h>

#include "tools/cmd/profiling.h"

struct branch_run {
	struct profiled of;
	struct profile folded;
	char program[PATH_MAX]; /* path on the host */
	bool is_folded;         /* false: there are no counts */
};

/*
 * branch_run_begin() - runs `program`, NULL-terminated, with the events of a list. Returns the exit
 * status, after a message. The counts are there if `is_folded`, also if the program fails. The
 * caller calls branch_run_end() in any case.
 */
int branch_run_begin(struct branch_run *run, const struct options *options, const char *events,
		     const char *const *program);
void branch_run_end(struct branch_run *run);

/* branch_run_object() - returns the file of that name that was run; NULL is the program. NULL with
 * the reason: there is none. */
const struct code_object *branch_run_object(const struct branch_run *run, const char *name,
					    struct reason *why);

#endif
