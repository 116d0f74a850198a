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
#include "tools/stream/stream.h"

/* profiling_is_asked() - returns whether a table or a file is wanted, or programs make requests
 * that the plugin has to answer. */
bool profiling_is_asked(const struct profile_options *options);

/*
 * profiling_begin() - after boot_check(): makes the file for the programs of that line, for a
 * machine with `options`. `options->machine.profile` is its descriptor afterwards. -E with the
 * reason; the caller calls profile_run_end() in any case.
 */
int profiling_begin(struct profile_run *run, struct options *options, struct reason *why);

/* A run of a program, with its profile. */
struct profiled {
	struct profile_run profile;
	struct stream stream; /* with the counts of the events */
	bool has_run;         /* false: there is nothing to report */
};

/*
 * profiled_begin() - runs `program`, NULL-terminated, with the options of the profile, and counts
 * `events`, a list. Before the run it calls `prepare` with `ctx`, unless that is NULL. Returns the
 * exit status, after a message that begins with `command`. profiled_end() - in any case.
 */
typedef void profiled_prepare_fn(struct profile_run *run, const void *ctx);
int profiled_begin(struct profiled *p, const char *command, struct options *options,
		   const char *events, const char *const *program, profiled_prepare_fn *prepare,
		   const void *ctx);
void profiled_end(struct profiled *p);

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
