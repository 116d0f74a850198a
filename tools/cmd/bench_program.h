/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_program.h - for `bench` and `latency`: builds a program for one run, and runs it. */
#ifndef TOOLS_CMD_BENCH_PROGRAM_H
#define TOOLS_CMD_BENCH_PROGRAM_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/options/tool_options.h"
#include "tools/util/buf.h"

/* made_operands() - returns the index in `words` of the first word behind the options. */
size_t made_operands(const struct options *options, const char **words);

/*
 * made_check_operands() - checks that no word behind the first operand looks like an option, unless
 * the command line has `--`. -EINVAL with the reason: an option there would have no effect.
 */
int made_check_operands(const struct options *options, const char **words, struct reason *why);

/*
 * made_run() - runs commands of the image. `first` holds their heads: NULL-terminated words, with
 * command_separator between commands; the first word of each is its name. Each command also gets
 * the image's options among `words`, then `program` (NULL: none), then the operands behind the
 * options of `words` if `operands` is true. Returns the exit status.
 */
int made_run(const struct options *options, const char *const *first, const char **words,
	     const char *program, bool operands);

/*
 * made_collect() - runs one command of the image as made_run() does, on the machine that commands
 * share. Its output goes to `out`, errors to `said`. Returns the exit status.
 */
int made_collect(const struct options *options, const char *const *first, const char **words,
		 const char *program, struct buf *out, struct buf *said);

/*
 * made_folder_begin() - makes a folder in TMPDIR for `command`, with a name for a program in it.
 * False: a message was printed. made_folder_end() - removes both.
 */
struct made_folder {
	struct buf folder, program;
};
bool made_folder_begin(struct made_folder *made, const char *command);
void made_folder_end(struct made_folder *made);

/*
 * made_run_once() - lets `make` create the file of -o, or else a temporary program that made_run()
 * runs. Returns its status, or STATUS_USAGE after a message that begins with `command`.
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
