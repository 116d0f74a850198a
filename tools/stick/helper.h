/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h - programs of other packages that the tool starts: mtools, sbsigntool. */
#ifndef TOOLS_STICK_HELPER_H
#define TOOLS_STICK_HELPER_H

#include "lib/reason.h"

/*
 * helper_run() - the program words[0] of PATH, with `words` (NULL-terminated) and no input; what it
 * prints is not shown. 0, or -E with the reason: it is not there, with the `package` that has it,
 * or it failed, with the last line that it printed.
 */
int helper_run(const char *const *words, const char *package, struct reason *why);

#endif
