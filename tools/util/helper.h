/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h - runs programs of other packages: binutils, git, mtools, sbsigntool. */
#ifndef TOOLS_UTIL_HELPER_H
#define TOOLS_UTIL_HELPER_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * helper_run() - runs the program words[0] of PATH with `words` (NULL-terminated) and no input, and
 * does not show its output. Returns 0, or -E with the reason: it is missing (`package` provides
 * it), or it failed (with its last line).
 */
int helper_run(const char *const *words, const char *package, struct reason *why);

/*
 * helper_output() - like helper_run(), but appends the output to `output` for the caller. Returns
 * the program's status, or -E with the reason: it is missing.
 */
int helper_output(const char *const *words, const char *package, struct buf *output,
		  struct reason *why);

/*
 * helper_output_here() - like helper_output(), in the environment of the tool: the program reads
 * its user's settings.
 */
int helper_output_here(const char *const *words, const char *package, struct buf *output,
		       struct reason *why);

/* helper_last_line() - returns the last line of an output, whose end it cuts off. */
const char *helper_last_line(struct buf *output);

#endif
