/* SPDX-License-Identifier: BSD-2-Clause */
/* manual.h - `perf0 help --man`: the manual page perf0(1), generated from the tables. man(7)
 * explains the macros. */
#ifndef TOOLS_HELP_MANUAL_H
#define TOOLS_HELP_MANUAL_H

#include <stdint.h>

/*
 * manual_begin() - prints the start of the page on standard output. manual_command() then adds a
 * command: `usage` follows its name, `help` adds to the texts of its options, and `takers` has a
 * bit for each set of options that it accepts. manual_examples() begins the examples, and
 * manual_example() adds that of a command. manual_end() adds the text about exit statuses.
 */
void manual_begin(void);
void manual_command(const char *name, const char *usage, const char *summary, const char *help,
		    uint64_t takers);
void manual_examples(void);
void manual_example(const char *name, const char *summary);
void manual_end(const char *statuses);

#endif
