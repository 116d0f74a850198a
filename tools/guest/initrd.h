/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * initrd.h - makes an initial file system for Linux, which runs one command and reports how it
 * ended. It has busybox, perf, the programs of the command with the files that they need, the
 * kernel's modules, and the script /init. Without a command it starts a shell on the console.
 *
 * The guest's second serial line reports on the run, in lines that begin with INITRD_SAYS. The
 * third line carries the command's standard output, and the fourth its standard error.
 */
#ifndef TOOLS_GUEST_INITRD_H
#define TOOLS_GUEST_INITRD_H

#include "tools/options/tool_options.h"

#define INITRD_SAYS   "perf0-guest: "
#define INITRD_RUNS   "runs"    /* the command was started */
#define INITRD_STATUS "status " /* the command ended with this status */
#define INITRD_ERROR  "error "  /* the reason why the command was not started */
#define INITRD_SHARE  "share"   /* tag of the shared file system */

/*
 * initrd_make() - makes the file system for `kernel` of `version`, with the command `words`
 * (NULL-terminated; empty: a shell). Returns the descriptor of a file in memory, or -E with the
 * reason.
 */
int initrd_make(const struct options *options, const char *kernel, const char *version,
		const char *const *words, struct reason *why);

#endif
