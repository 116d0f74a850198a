/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profiling.h - an exact profile of a run: makes the file that QEMU's plugin fills
 * (include/perf0/profile_file.h), and writes tables and files of what it counted.
 */
#ifndef TOOLS_CMD_PROFILING_H
#define TOOLS_CMD_PROFILING_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/reason.h"
#include "tools/options/tool_options.h"
#include "tools/profile/profile_run.h"

/* profiling_is_asked() - returns whether a table or a file is wanted, or programs make requests
 * that the plugin has to answer. */
bool profiling_is_asked(const struct profile_options *options);

/*
 * profiling_begin() - after boot_check(): makes the file for the programs of that line, for a
 * machine with `options`. `options->machine.profile` is its descriptor afterwards. -E with the
 * reason; the caller calls profile_run_end() in any case.
 */
int profiling_begin(struct profile_run *run, struct options *options, struct reason *why);

/*
 * profiling_line() - returns the image's command line that counts `events` of the program with
 * these words; the caller frees the array. profiling_run() - runs it, after boot_check() and
 * profiling_begin(); returns the exit status.
 */
const char **profiling_line(const char *events, const char *const *words);
int profiling_run(const struct options *options, struct stream *stream);

/*
 * profiling_report() - after the run: prints the tables to `out`, and writes the files. `words` is
 * the command line. Returns the exit status, after a message: a pattern that matches nothing, a
 * file that cannot be written, a profile that is incomplete.
 */
int profiling_report(const struct profile_run *run, const struct options *options,
		     const char *const *words, FILE *out);

/*
 * profiling_program() - returns the program behind a command's name and `--`; NULL, after a
 * message: there is none.
 *
 * profiling_do() - runs the program, and reports with `ctx`, also if the program fails. Returns the
 * exit status, after a message.
 */
typedef int profiling_report_fn(const struct profile_run *run, const struct options *options,
				const void *ctx);
const char *const *profiling_program(const char *const *words);
int profiling_do(const char *command, struct options *options, const char *const *program,
		 profiling_report_fn *report, const void *ctx);

/* profiling_tell_missing() - says what a profile lacks. Returns STATUS_FAILED: it is incomplete. */
int profiling_tell_missing(const struct profile_run *run);

#endif
