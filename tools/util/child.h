/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - runs work in a child process, which cannot change this one. */
#ifndef TOOLS_UTIL_CHILD_H
#define TOOLS_UTIL_CHILD_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * child_run() - calls `run` in a child, whose exit status is its result. ^C goes to the child, and
 * the caller survives. Returns the child's status, 128 plus the number of the signal that ended it,
 * or STATUS_FAILED after a message: there is no child.
 */
int child_run(int (*run)(void *ctx), void *ctx);

/*
 * child_output() - runs the program `words` (NULL-terminated; the first is its path) with
 * `environment` and no input, and appends its standard output and error to `output`. Returns its
 * status, or 128 plus the number of a signal; -E with the reason: there is no child.
 */
int child_output(char *const *words, char *const *environment, struct buf *output,
		 struct reason *why);

#endif
