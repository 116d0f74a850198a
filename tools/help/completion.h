/* SPDX-License-Identifier: BSD-2-Clause */
/* completion.h - `perf0 help --completion`: a bash completion script, generated from the tables. */
#ifndef TOOLS_HELP_COMPLETION_H
#define TOOLS_HELP_COMPLETION_H

#include <stdint.h>

/*
 * completion_begin() - prints the start of a bash script on standard output. completion_command()
 * then adds a command; `takers` has a bit for each set of options that it accepts. completion_end()
 * prints the rest. If perf0.elf cannot be read, the script does not complete workloads.
 */
void completion_begin(void);
void completion_command(const char *name, uint64_t takers);
void completion_end(void);

#endif
