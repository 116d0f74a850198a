/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listed_results.h - results of the pieces of a list (code_list.h). Of each piece there are lines
 * of JSON, one for each event, or one line with the reason why it has no results:
 *
 *      {"piece" : 7, "benchmark" : "chain", "event" : "cycles", "min" : 3.000000, ...}
 *      {"piece" : 8, "benchmark" : "wrong", "error" : "list:8:8: no such instruction: `frob'"}
 *
 * A part (--shard) begins with a line that tells which one it is:
 *
 *      {"shard" : "2/4", "pieces" : 1000, "list" : "list"}
 */
#ifndef TOOLS_BENCH_LISTED_RESULTS_H
#define TOOLS_BENCH_LISTED_RESULTS_H

#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* listed_json() - appends the image's lines of JSON in `text`, of piece `number` (from 1). */
void listed_json(struct buf *out, const char *text, size_t number);

/* listed_problem() - appends the line of a piece without results. */
void listed_problem(struct buf *out, size_t number, const char *name, const char *problem);

/* listed_shard() - appends the first line of a part of a list with `n` pieces. */
void listed_shard(struct buf *out, unsigned shard, unsigned shards, size_t n, const char *list);

/* listed_table() - appends a table of the lines' medians: a row for each piece. */
void listed_table(struct buf *out, const char *lines);

/*
 * listed_merge() - appends the lines of all pieces, in order, from the files of all parts. -ENOENT
 * with the reason: parts or pieces are missing; `lost` has the commands that make them up, a line
 * each. Other -E: a file is wrong.
 */
int listed_merge(struct buf *out, const char *const *path, size_t npaths, struct buf *lost,
		 struct reason *why);

#endif
