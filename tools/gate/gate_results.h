/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gate_results.h - the results of `perf0 gate`: numbers by benchmark and name. A baseline is such a
 * file, and so is the output of a shard. It is text, which a version control shows line by line:
 *
 *   # perf0 gate 2<TAB>version=0.1<TAB>uarch=skx<TAB>machine=0123456789abcdef[<TAB>cpu=MODEL]
 *   # shard 2/3                                  in the file of a shard
 *   BENCHMARK<TAB>event<TAB>NAME<TAB>NUMBER[<TAB>CLASS]
 *   BENCHMARK<TAB>files<TAB>COUNT[<TAB>PATH<TAB>BUILD]...
 *   BENCHMARK<TAB>functions<TAB>COUNT[<TAB>NAME<TAB>SELF<TAB>CALLS<TAB>BYTES<TAB>CODE]...
 *   BENCHMARK<TAB>inside<TAB>NAME<TAB>NUMBER
 *   # end                                        without this line the file is incomplete
 *
 * Lines are sorted by bytes, without duplicates: a benchmark has one for each metric. A file of
 * format 1 is read, too; its functions, which were estimates, are dropped.
 *
 * CLASS is the kind of an event's count: a name of truth.h, or `counted` if the CPU or the runtime
 * counts. Files of older versions have none.
 */
#ifndef TOOLS_GATE_GATE_RESULTS_H
#define TOOLS_GATE_GATE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/truth.h"
#include "lib/reason.h"
#include "tools/gate/text_pool.h"
#include "tools/util/buf.h"

/* Kinds in the order of their names. */
enum result_kind {
	RESULT_CALLS,    /* calls of a function */
	RESULT_CODE,     /* hash of a function's code, which does not depend on its address */
	RESULT_EVENT,    /* a count of the whole process */
	RESULT_FILE,     /* first bytes of the build-id of a file; 0: it has none */
	RESULT_FUNCTION, /* instructions of a function itself */
	RESULT_INSIDE,   /* a count inside of the measured functions */
	RESULT_SIZE,     /* bytes of a function's code */
	RESULT_KINDS,
};

struct result {
	const char *benchmark, *name; /* of the pool of the results */
	enum result_kind kind;
	uint64_t value;
	enum truth truth; /* class of a count; TRUTH_KINDS: unknown */
};

/* Results by benchmark. A zeroed struct has none. */
struct gate_results {
	char *version, *uarch, *machine; /* from the header; NULL: missing */
	char *cpu;                       /* the CPU that programs see; NULL: not known */
	char *measured_on;               /* an object of JSON (measured_on.h); NULL: not known */
	unsigned format;                 /* 0: the newest */
	unsigned shard, shards;          /* 0: the results are complete */
	struct result *row;
	size_t n;
	struct text_pool names; /* of the rows, each once */
};

/*
 * gate_results_add() - appends a number; gate_results_sort() restores the order. A character that a
 * line cannot hold becomes `?`. gate_results_add_count() - like gate_results_add(), for a count of
 * an event. gate_results_copy() - appends a row of other results.
 */
void gate_results_add(struct gate_results *results, const char *benchmark, enum result_kind kind,
		      const char *name, uint64_t value);
void gate_results_add_count(struct gate_results *results, const char *benchmark, const char *event,
			    uint64_t value, enum truth truth);
void gate_results_copy(struct gate_results *results, const struct result *row);
void gate_results_sort(struct gate_results *results);

/* gate_results_find() - returns a row of sorted results; NULL: no such row. */
const struct result *gate_results_find(const struct gate_results *results, const char *benchmark,
				       enum result_kind kind, const char *name);

/* gate_results_class() - returns the name of a class of counts in files. */
const char *gate_results_class(enum truth truth);

/*
 * gate_results_check_classes() - checks that counts in both sorted results have the same class, as
 * far as it is known. -EINVAL with the reason: a ratio and an exact count cannot be compared.
 */
int gate_results_check_classes(const struct gate_results *old, const struct gate_results *got,
			       struct reason *why);

/* gate_results_begin() - returns the index of a benchmark's first row; n: there is none. */
size_t gate_results_begin(const struct gate_results *results, const char *benchmark);

/* gate_results_name_is_plain() - returns whether a benchmark's name can be written unchanged. */
bool gate_results_name_is_plain(const char *name);

/*
 * gate_results_tell_machine() - appends what of `measured_on` differs, as "QEMU was 7.2.22 and is
 * 10.0.2"; nothing where it is not known.
 */
void gate_results_tell_machine(struct buf *out, const struct gate_results *old,
			       const struct gate_results *got);

/* gate_results_write() - appends the file of sorted results. */
void gate_results_write(struct buf *out, const struct gate_results *results);

/*
 * gate_results_parse() - reads the file of `n` bytes at `text` into the empty `results`. -EINVAL
 * with the line and the reason. gate_results_read() - reads the file at `path`; -E also names it.
 */
int gate_results_parse(struct gate_results *results, const char *text, size_t n,
		       struct reason *why);
int gate_results_read(struct gate_results *results, const char *path, struct reason *why);

/*
 * gate_results_merge() - merges all `count` shards, in any order, into the empty `out`; `path` has
 * their names. -ENOENT with the reason: a shard is missing. -EINVAL: a shard was given twice, or is
 * of another machine, or a file is no shard. gate_results_has_shard() - returns whether shard
 * `number` is among them.
 */
bool gate_results_has_shard(const struct gate_results *shard, size_t count, unsigned number);
int gate_results_merge(struct gate_results *out, const struct gate_results *shard,
		       const char *const *path, size_t count, struct reason *why);

void gate_results_free(struct gate_results *results);

#endif
