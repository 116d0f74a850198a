/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h - programs of other packages that the tool starts: binutils, mtools, sbsigntool. */
#ifndef TOOLS_UTIL_HELPER_H
#define TOOLS_UTIL_HELPER_H

#include "lib/reason.h"
#include "tools/util/buf.h"

/*
 * helper_run() - the program words[0] of PATH, with `words` (NULL-terminated) and no input; what it
 * prints is not shown. 0, or -E with the reason: it is not there, with the `package` that has it,
 * or it failed, with the last line that it printed.
 */
int helper_run(const char *const *words, const char *package, struct reason *why);

/* helper_output() - the same, and what it prints is appended to `output`, whose reading is the
 * caller's: its status, or -E with the reason: it is not there. */
int helper_output(const char *const *words, const char *package, struct buf *output,
		  struct reason *why);

#endif
