/* SPDX-License-Identifier: BSD-2-Clause */
/* bolted.h - runs llvm-bolt on a program, and counts before and after. */
#ifndef TOOLS_CMD_BOLTED_H
#define TOOLS_CMD_BOLTED_H

#include <stdio.h>

#include "tools/cmd/branch_run.h"

/* Events of a run whose counts are compared. */
#define BOLTED_EVENTS "instructions:u,branches:u,L1-icache-load-misses:u,cycles:u"

/*
 * bolted_compare() - makes `options->pgo.run_bolt` out of the program of `before`, a run with
 * BOLTED_EVENTS, by its profile in the file `data`. Runs it with the arguments of `program`, and
 * prints a table of both runs to `out`. Returns the exit status, after a message.
 */
int bolted_compare(const struct options *options, const struct branch_run *before, const char *data,
		   const char *const *program, FILE *out);

#endif
