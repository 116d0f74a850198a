/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results.h - what `perf0 gate` has measured: numbers by benchmark and name. A baseline is such a
 * file, and so is what a shard writes; as text, which a version control shows line by line:
 *
 *	# perf0 gate 1<TAB>version=0.1<TAB>uarch=skx<TAB>machine=0123456789abcdef
 *	# shard 2/3                                  of a shard only
 *	BENCHMARK<TAB>KIND<TAB>NAME<TAB>NUMBER       sorted by their bytes, none twice
 *	# end                                        without this line the file was cut off
 */
#ifndef TOOLS_GATE_RESULTS_H
#define TOOLS_GATE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* In the order of their names. */
enum result_kind {
	RESULT_EVENT,    /* a count */
	RESULT_FUNCTION, /* instructions in a function, as far as samples tell */
	RESULT_PERIOD,   /* instructions that a sample stands for */
	RESULT_SIZE,     /* bytes of a function's code */
	RESULT_KINDS,
};

struct result {
	char *benchmark, *name;
	enum result_kind kind;
	uint64_t value;
};

/* A zeroed struct has none. */
struct results {
	char *version, *uarch, *machine; /* of the header; NULL: not told */
	unsigned shard, shards;          /* 0: it is all */
	struct result *row;
	size_t n;
};

/* results_add() - a number more, at the end; results_sort() puts all in order. Characters that a
 * line can not have become `?`. */
void results_add(struct results *results, const char *benchmark, enum result_kind kind,
		 const char *name, uint64_t value);
void results_sort(struct results *results);

/* results_find() - of sorted ones; NULL: there is none. */
const struct result *results_find(const struct results *results, const char *benchmark,
				  enum result_kind kind, const char *name);

/* results_begin() - the first one of a benchmark, n where there is none. */
size_t results_begin(const struct results *results, const char *benchmark);

/* results_name_is_plain() - whether a name can be a benchmark's, as it is. */
bool results_name_is_plain(const char *name);

/* results_write() - appends the file. They are sorted. */
void results_write(struct buf *out, const struct results *results);

/*
 * results_parse() - the file of `n` bytes at `text`, into `results`, which is empty. -EINVAL with
 * the line and the reason. results_read() - the same of the file at `path`; -E with its name, too.
 */
int results_parse(struct results *results, const char *text, size_t n, struct reason *why);
int results_read(struct results *results, const char *path, struct reason *why);

/*
 * results_merge() - all of `count` shards, in whatever order, into `out`, which is empty; `path` is
 * what each is called. -EINVAL with the reason: one is missing, is there twice, is of another
 * machine, or is no shard.
 */
int results_merge(struct results *out, const struct results *shard, const char *const *path,
		  size_t count, struct reason *why);

void results_free(struct results *results);

#endif
