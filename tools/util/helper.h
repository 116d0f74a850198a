/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h - programs of other packages that the tool starts: binutils, mtools, sbsigntool. */
#ifndef TOOLS_UTIL_HELPER_H
#define TOOLS_UTIL_HELPER_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * helper_run() - runs the program words[0] of PATH, with `words` (NULL-terminated) and no input;
 * its output is not shown. 0, or -E with the reason: it is missing, and `package` has it; or it
 * failed, with its last line.
 */
int helper_run(const char *const *words, const char *package, struct reason *why);

/*
 * helper_output() - the same, but appends its output to `output` for the caller to read. Returns
 * its status, or -E with the reason: it is missing.
 */
int helper_output(const char *const *words, const char *package, struct buf *output,
		  struct reason *why);

#endif
