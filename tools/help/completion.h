/* SPDX-License-Identifier: BSD-2-Clause */
/* completion.h - `perf0 help --completion`: what bash completes, out of the tables. */
#ifndef TOOLS_HELP_COMPLETION_H
#define TOOLS_HELP_COMPLETION_H

#include <stdint.h>

/*
 * completion_begin(), then completion_command() for each command with the bits of what takes its
 * options, then completion_end(): a script for bash on standard output. Where perf0.elf cannot be
 * read, workloads are not completed.
 */
void completion_begin(void);
void completion_command(const char *name, uint64_t takers);
void completion_end(void);

#endif
