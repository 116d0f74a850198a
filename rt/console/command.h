/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h - commands register themselves: one const struct and COMMAND(name) in a file of apps/.
 */
#ifndef RT_CONSOLE_COMMAND_H
#define RT_CONSOLE_COMMAND_H

#include "include/perf0/registered.h"
#include "rt/base/exit_status.h"

#define COMMAND(cmd)                                           \
	static const struct command *const command_entry_##cmd \
		__attribute__((used, section(".commands"))) = &(cmd)

extern const struct command *const __commands_start[], *const __commands_end[];

const struct command *command_find(const char *name);

/*
 * command_refuse() - reports a line that was refused as a whole: `line` for BEGIN, and the
 * reason as one sentence. Returns STATUS_USAGE.
 */
int command_refuse(const char *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * command_line() - runs every command of `line`, which is changed. ^C ends a command and the rest
 * of the line. Returns the status of the command that ^C ended, or else of the first one that
 * failed, or 0. Task context.
 */
int command_line(char *line);

#endif
