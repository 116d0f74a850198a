/* SPDX-License-Identifier: BSD-2-Clause */
/* completion.h - `perf0 help --completion SHELL`: a completion script, generated from the tables.
 */
#ifndef TOOLS_HELP_COMPLETION_H
#define TOOLS_HELP_COMPLETION_H

#include <stdbool.h>
#include <stdint.h>

/*
 * completion_begin() - begins a script for the shell: bash, zsh or fish; false: it is none of them.
 * completion_command() then adds a command; `takers` has a bit for each set of options that it
 * accepts. completion_end() prints the script on standard output. If perf0.elf cannot be read, the
 * script does not complete workloads.
 */
bool completion_begin(const char *shell);
void completion_command(const char *name, uint64_t takers);
void completion_end(void);

#endif
