/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - what is to leave no trace in this process. */
#ifndef TOOLS_UTIL_CHILD_H
#define TOOLS_UTIL_CHILD_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * child_run() - `run` in a child, whose exit status it returns; ^C is the child's, and the caller
 * goes on. Returns the child's status, 128 and the number of the signal that ended it, or
 * STATUS_FAILED after a line: there is none.
 */
int child_run(int (*run)(void *ctx), void *ctx);

/*
 * child_output() - runs the program `words` (NULL-terminated; the first is its path) with
 * `environment` and no input, and appends what it prints to standard output and error. Returns its
 * status, or 128 and the number of a signal; -E with the reason: there is no child.
 */
int child_output(char *const *words, char *const *environment, struct buf *output,
		 struct reason *why);

#endif
