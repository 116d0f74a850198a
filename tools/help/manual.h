/* SPDX-License-Identifier: BSD-2-Clause */
/* manual.h - `perf0 help --man`: the manual page perf0(1), out of the tables; man(7) has the
 * macros. */
#ifndef TOOLS_HELP_MANUAL_H
#define TOOLS_HELP_MANUAL_H

#include <stdint.h>

/*
 * manual_begin(), then manual_command() for each command (`usage`: behind its name; `help`: what
 * its options do not say; `takers`: the bits of what takes its options), then manual_end() with the
 * text about exit statuses: the page on standard output.
 */
void manual_begin(void);
void manual_command(const char *name, const char *usage, const char *summary, const char *help,
		    uint64_t takers);
void manual_end(const char *statuses);

#endif
