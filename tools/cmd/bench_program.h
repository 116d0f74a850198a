/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_program.h - for `bench` and `latency`: programs that are made for one run, and that run. */
#ifndef TOOLS_CMD_BENCH_PROGRAM_H
#define TOOLS_CMD_BENCH_PROGRAM_H

#include "lib/reason.h"
#include "tools/options/tool_options.h"

/* made_operands() - where the words behind the options begin, in those of a command. */
size_t made_operands(const struct options *options, const char **words);

/*
 * made_run() - the image's commands `first` (words, NULL-terminated, of which the first is a
 * command's name, with command_separator between commands); for each of them then the options of
 * `words` that are the image's, then `program` (NULL: none) and what stands behind the options of
 * `words` (`operands` false: that is left out). Returns its status.
 */
int made_run(const struct options *options, const char *const *first, const char **words,
	     const char *program, bool operands);

/*
 * made_run_once() - `make` makes the file -o, or one that made_run() gets and that goes then.
 * Returns its status, or STATUS_USAGE after a line that begins with `command`.
 */
struct made {
	const char *command;
	int (*make)(void *ctx, const char *folder, const char *program, struct reason *why);
	void *ctx;
	bool operands;
};
int made_run_once(const struct made *made, const struct options *options, const char *const *first,
		  const char **words);

#endif
