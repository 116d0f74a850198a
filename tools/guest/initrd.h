/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * initrd.h - a first file system for Linux that runs one command and says how it ended: busybox,
 * perf, the programs that the command names with what they need, the kernel's modules, and the
 * script /init. Without a command it is a shell on the console.
 *
 * The guest's serial lines: the second one tells about the run, a line each, which begin with
 * INITRD_SAYS; what the command writes to its standard output comes by the third, and to its
 * standard error by the fourth.
 */
#ifndef TOOLS_GUEST_INITRD_H
#define TOOLS_GUEST_INITRD_H

#include "tools/options/tool_options.h"

#define INITRD_SAYS   "perf0-guest: "
#define INITRD_RUNS   "runs"    /* the command was started */
#define INITRD_STATUS "status " /* and ended with this status */
#define INITRD_ERROR  "error "  /* why it was not started, in words */
#define INITRD_SHARE  "share"   /* the tag of the shared file system */

/*
 * initrd_make() - makes it for `kernel` of `version`, with the command `words` (NULL-terminated;
 * none: a shell). Returns the descriptor of a file in memory, or -E with the reason.
 */
int initrd_make(const struct options *options, const char *kernel, const char *version,
		const char *const *words, struct reason *why);

#endif
