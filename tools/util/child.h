/* SPDX-License-Identifier: BSD-2-Clause */
/* child.h - what is to leave no trace in this process. */
#ifndef TOOLS_UTIL_CHILD_H
#define TOOLS_UTIL_CHILD_H

/*
 * child_run() - `run` in a child, whose exit status it returns; ^C is the child's, and the caller
 * goes on. Returns the child's status, 128 and the number of the signal that ended it, or
 * STATUS_FAILED after a line: there is none.
 */
int child_run(int (*run)(void *ctx), void *ctx);

#endif
