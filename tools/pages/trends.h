/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trends.h - counts of benchmarks over versions, from a folder of results. A version is a commit
 * that git knows, or any other name that begins a file's name:
 *
 *   COMMIT.baseline  COMMIT.json  COMMIT-NAME.json  COMMIT/NAME.json  2026-11-29.json
 *
 * Names that git does not know come first, sorted by bytes; then come commits, oldest first.
 */
#ifndef TOOLS_PAGES_TRENDS_H
#define TOOLS_PAGES_TRENDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"
#include "tools/gate/commits.h"

struct trend_version {
	char *name;              /* as in the files */
	char commit[COMMIT_MAX]; /* its hash; "": git does not know it */
	size_t place;            /* of the commit in git's list, newest first */
};

struct trend_point {
	size_t version; /* index */
	double value;
};

/* The counts of one event of a benchmark, in the order of the versions, one for each at most. */
struct trend {
	char *benchmark, *event;
	struct trend_point *point;
	size_t n;
};

/* A page of perf0 that lies beside the results. */
struct trend_page {
	char *path, *title;
};

/* A zeroed struct is empty. */
struct trends {
	struct trend_version *version;
	size_t nversions;
	struct trend *series; /* sorted by benchmark and event */
	size_t nseries;
	size_t nfiles; /* that were read */
	struct trend_page *page;
	size_t npages;
};

/*
 * trends_read() - reads all files of a folder and of the folders in it. `leave_out` is called with
 * the reason for each file that is neither a result nor a page of perf0; `ctx` is its argument. -E
 * with the reason: the folder cannot be read, or has neither.
 */
int trends_read(struct trends *trends, const char *folder,
		void (*leave_out)(void *ctx, const struct reason *why), void *ctx,
		struct reason *why);
void trends_free(struct trends *trends);

/* trends_add() - adds a count. A later count of the same version, benchmark and event replaces it.
 */
void trends_add(struct trends *trends, size_t version, const char *benchmark, const char *event,
		double value);

/* trends_version() - returns the index of the version with that name, which is added if needed. */
size_t trends_version(struct trends *trends, const char *name, size_t n);

/* trends_settle() - orders versions and series, by git's history where there is one. */
void trends_settle(struct trends *trends);

/* trend_step() - returns the change of the point `at` by the one before it, of that one: 0.1 is
 * 10 % more. A change from 0 counts as 1. */
double trend_step(const struct trend *series, size_t at);

/* trend_largest() - returns the point with the largest step; 0: the count never changed.
 * trend_moves() - returns the number of points with a step. */
size_t trend_largest(const struct trend *series);
size_t trend_moves(const struct trend *series);

/*
 * trends_shown() - returns the trend that stands for a benchmark: that of `instructions:u` if it
 * changed, or else the one with the largest step, or else the first one. `first` is the
 * benchmark's first trend, and `*next` becomes that of the next benchmark.
 */
size_t trends_shown(const struct trends *trends, size_t first, size_t *next);

/* trends_text() - appends a line for each benchmark, and one for each page. */
struct buf;
void trends_text(struct buf *out, const struct trends *trends);

/* trend_skipped() - returns the number of commits between the point `at` and the one before it: any
 * of them may have made the step. */
size_t trend_skipped(const struct trends *trends, const struct trend *trend, size_t at);

/* trends_add_version() - appends the version's short name. */
void trends_add_version(struct buf *out, const struct trend_version *version);

/* trends_add_value() - appends a count in decimal, without needless digits. */
void trends_add_value(struct buf *out, double value, bool sign);

#endif
