/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - compares new results with a baseline: which counts changed, and which functions
 * account for it.
 */
#ifndef TOOLS_GATE_COMPARE_H
#define TOOLS_GATE_COMPARE_H

#include "tools/gate/gate_results.h"
#include "tools/options/tolerance.h"

enum verdict {
	VERDICT_WORSE,  /* by more than the tolerance */
	VERDICT_GONE,   /* in the baseline alone */
	VERDICT_BETTER, /* by more than the tolerance */
	VERDICT_LAYOUT, /* another count, which addresses alone explain: no code has changed */
	VERDICT_NEAR,   /* another count, within the tolerance */
	VERDICT_BESIDE, /* another count of the process, of which only functions are measured */
	VERDICT_NEW,    /* not in the baseline */
	VERDICT_SAME,
	VERDICTS,
};

/* An event of a benchmark. */
struct change {
	const char *benchmark, *event; /* owned by either result */
	uint64_t old, got;             /* 0 where the event is missing */
	enum verdict verdict;
	bool inside;   /* a count inside of the measured functions; else of the process */
	bool all_gone; /* all events of the benchmark are gone */
};

/* The changes of all events. A zeroed struct has none. */
struct comparison {
	struct change *change; /* sorted by benchmark and event */
	size_t n;
	size_t count[VERDICTS];      /* numbers of events */
	size_t benchmarks[VERDICTS]; /* of benchmarks, by their worst verdict */
};

/* By how much other addresses change a count. */
struct layout {
	char *benchmark, *event;
	bool inside; /* as in struct change */
	uint64_t by; /* the most that was seen, up or down; not 0 */
};

/* A zeroed struct has none. */
struct layouts {
	struct layout *one;
	size_t n;
};

/* layouts_find() - returns by how much addresses alone change the count; 0: not at all. */
uint64_t layouts_find(const struct layouts *layouts, const struct change *change);

/* The tolerance for an event of a benchmark. */
struct tolerances {
	struct tolerance (*of)(const void *ctx, const char *benchmark, const char *event);
	const void *ctx;
};

/*
 * compare_results() - compares sorted results, which must live as long as the comparison. `part`:
 * `got` is a shard, and benchmarks of the baseline that belong to other shards do not count.
 */
void compare_results(struct comparison *out, const struct gate_results *old,
		     const struct gate_results *got, const struct tolerances *tolerances,
		     bool part);

/*
 * compare_layouts() - a change that addresses alone explain becomes VERDICT_LAYOUT, if no function
 * of the benchmark has other code.
 */
void compare_layouts(struct comparison *comparison, const struct gate_results *old,
		     const struct gate_results *got, const struct layouts *layouts);
void comparison_free(struct comparison *comparison);

/* A function of a benchmark that changed. */
struct moved {
	const char *name;
	uint64_t old, got; /* its own instructions */
	uint64_t old_calls, got_calls;
	uint64_t old_size, got_size; /* bytes of code; 0: unknown */
	bool has_other_code;
};

#define MOVED_MOST 8

/* The functions of a benchmark that changed. */
struct moved_list {
	struct moved one[MOVED_MOST]; /* other code first, then by difference */
	size_t n;
	size_t others;       /* functions that changed, too */
	int64_t by_others;   /* the sum of their differences */
	bool has_other_code; /* some function has */
};

/*
 * compare_functions() - lists the functions of a benchmark that changed. All differences, with
 * `by_others`, add up to the difference of the benchmark's instructions. An empty list: nothing
 * changed, or the baseline has no functions.
 */
void compare_functions(const struct gate_results *old, const struct gate_results *got,
		       const char *benchmark, struct moved_list *out);

/* A library that is another build than in the baseline. */
struct rebuilt {
	const char *path;
	int64_t by;        /* the difference of its instructions, in all benchmarks */
	size_t benchmarks; /* that execute it */
};

/*
 * compare_files() - stores up to `most` libraries that are other builds in `out`, by path. Returns
 * their number.
 */
size_t compare_files(const struct gate_results *old, const struct gate_results *got,
		     struct rebuilt *out, size_t most);

#endif
