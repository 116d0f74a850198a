/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h - commands register themselves: one const struct and COMMAND(name) in a file of apps/.
 */
#ifndef RT_CONSOLE_COMMAND_H
#define RT_CONSOLE_COMMAND_H

#include "include/perf0/registered.h"

#define COMMAND(cmd)                                           \
	static const struct command *const command_entry_##cmd \
		__attribute__((used, section(".commands"))) = &(cmd)

extern const struct command *const __commands_start[], *const __commands_end[];

/* Exit statuses, as a shell knows them. */
#define STATUS_FAILED      1
#define STATUS_USAGE       2
#define STATUS_TIMEOUT     124
#define STATUS_NOT_FOUND   127
#define STATUS_PANIC       134 /* 128 + SIGABRT */
#define STATUS_KILLED      137 /* 128 + SIGKILL */
#define STATUS_FAULTED     139 /* 128 + SIGSEGV, for every fault of a workload */
#define STATUS_INTERRUPTED 130 /* 128 + SIGINT */

const struct command *command_find(const char *name);

/*
 * command_refuse() - reports a line that was refused as a whole: `line` for BEGIN, and the
 * reason as one sentence. Returns STATUS_USAGE.
 */
int command_refuse(const char *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * command_line() - runs every command of `line`, which is changed, up to one that ^C ended. Returns
 * the status of the first one that failed (of that one, if so), or 0. Task context.
 */
int command_line(char *line);

#endif
