/* SPDX-License-Identifier: BSD-2-Clause */
/* helper.h - runs programs of other packages: binutils, git, mtools, sbsigntool. */
#ifndef TOOLS_UTIL_HELPER_H
#define TOOLS_UTIL_HELPER_H

#include <limits.h>
#include <stdbool.h>

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

/*
 * package_advice() - appends "install the package X": what the distribution that the text of
 * os-release(5) tells calls Debian's package, or what all that are known call it.
 * package_advice_here() - the same for this host. refuse_missing() - returns -ENOENT with the
 * reason that `name` is missing, and that advice.
 */
void package_advice(struct buf *out, const char *debian, const char *os_release);
void package_advice_here(struct buf *out, const char *debian);
int refuse_missing(struct reason *why, const char *name, const char *debian);

/* helper_find() - finds the program that execvp() would start; false: there is none. */
bool helper_find(char path[PATH_MAX], const char *name);

/* helper_last_line() - returns the last line of an output, whose end it cuts off. */
const char *helper_last_line(struct buf *output);

#endif
