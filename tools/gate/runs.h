/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * runs.h - runs of benchmarks, many in one command line of the standing machine. The line is typed
 * once, and its programs are handed once. Each run has its own counts, profile and output, which do
 * not depend on the runs before it: a command finds the machine as the first one did.
 *
 *   struct runs runs = {0};
 *   runs_add(&runs, benchmark, "instructions:u", &settings)   for each run
 *   status = runs_do(&runs, options, profile);
 *   runs_command(&runs, at), runs_profile(&runs, at, ...)     its results, until the next runs_do()
 *   runs_free(&runs);
 */
#ifndef TOOLS_GATE_RUNS_H
#define TOOLS_GATE_RUNS_H

#include "tools/gate/benchmarks.h"
#include "tools/options/tool_options.h"
#include "tools/profile/profile_run.h"
#include "tools/stream/stream.h"

/* The settings of a run. A zeroed struct has those of a benchmark's first run. */
struct run_settings {
	bool later, others; /* later clocks; other random numbers */
	unsigned shift;     /* other addresses: the number of a shift, up to RUN_SHIFTS; 0: none */
};
#define RUN_SHIFTS 3

/* Runs of one line. A zeroed struct has none. */
struct runs {
	struct run *one;
	size_t n;
	const struct benchmark *first;
	struct run_settings settings; /* of the run that was added last */
	size_t bytes;                 /* of the line, at most */
	const char **word;            /* of the line */
	size_t nwords, ncommands;
	int status; /* of the line */
	struct stream stream;
	struct profile_run *profile; /* NULL: functions are not known */
	struct run_output {
		struct runs *runs;
		struct buf *of; /* by the number of the command, from 1 */
		size_t n;
	} said, told; /* by the programs; by `stat`, where regions are measured */
};

/*
 * runs_have_room() - returns whether `n` more runs of the benchmark find room in the line: it has
 * the program and the events of the others, and the line is not too long. The first one does.
 */
bool runs_have_room(const struct runs *runs, const struct benchmark *benchmark, size_t n);

/*
 * runs_add() - adds a run that counts `events`; returns its number, from 0 on. `benchmark` and
 * `events` stay the caller's, and must live as long as `runs`.
 */
size_t runs_add(struct runs *runs, const struct benchmark *benchmark, const char *events,
		struct run_settings settings);

/*
 * runs_do() - does all runs on the standing machine. Returns 0, or the status of the line: that of
 * the first run that fails. `profile`: that of the machine; NULL or closed: it has none.
 */
int runs_do(struct runs *runs, const struct options *options, struct profile_run *profile);

/* runs_command() - returns the result of run number `at`; NULL: it failed, or has not begun. */
const struct stream_command *runs_command(const struct runs *runs, size_t at);

/* runs_has_begun() - returns whether a run has begun. The line ends early with a time limit. */
bool runs_has_begun(const struct runs *runs, size_t at);

/* runs_complain() - prints why a run has no result, and returns its status, which is not 0. */
int runs_complain(const struct runs *runs, size_t at);

/*
 * runs_profile() - folds the profile of a run that has a result; the caller frees it. Returns 0, or
 * -E with the reason.
 */
int runs_profile(const struct runs *runs, size_t at, struct profile *profile, struct reason *why);

/* runs_said() - returns what the programs of a run have written. runs_told() - returns the lines of
 * `stat -j`, for a benchmark of MEASURE_REGIONS. */
const struct buf *runs_said(const struct runs *runs, size_t at);
const struct buf *runs_told(const struct runs *runs, size_t at);

void runs_free(struct runs *runs);

/*
 * runs_output() - runs `words`, and appends the program's output to `out`. Returns 0, or the
 * status, without a message if the program itself fails.
 */
int runs_output(const struct options *options, const char *const *words, struct buf *out);

#endif
