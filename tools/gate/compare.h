/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - what has changed from a baseline to new results: which counts, and which functions
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
	VERDICT_NEAR,   /* another count, within the tolerance */
	VERDICT_NEW,    /* not in the baseline */
	VERDICT_SAME,
	VERDICTS,
};

/* An event of a benchmark. */
struct change {
	const char *benchmark, *event; /* of either results */
	uint64_t old, got;             /* 0 where it is not there */
	enum verdict verdict;
	bool all_gone; /* as all others of the benchmark are */
};

/* A zeroed struct has none. */
struct comparison {
	struct change *change; /* by benchmark and event */
	size_t n;
	size_t count[VERDICTS];      /* of events */
	size_t benchmarks[VERDICTS]; /* by the worst of their events */
};

/* By how much an event of a benchmark may be worse. */
struct tolerances {
	struct tolerance (*of)(const void *ctx, const char *benchmark, const char *event);
	const void *ctx;
};

/*
 * compare_results() - both sorted, and as long there as the comparison. `part`: of the baseline
 * those benchmarks count alone that are in `got`, which is a shard.
 */
void compare_results(struct comparison *out, const struct gate_results *old,
		     const struct gate_results *got, const struct tolerances *tolerances,
		     bool part);
void comparison_free(struct comparison *comparison);

/* A function whose share of a benchmark has changed. */
struct moved {
	const char *name;
	uint64_t old, got;           /* instructions, as samples tell */
	uint64_t old_size, got_size; /* bytes of code; 0: not known */
	bool has_other_code;
};

#define MOVED_MOST 5

/*
 * compare_functions() - those of a benchmark that moved most, the ones with other code first;
 * returns how many are in `out`. What a few samples more or less may be is told only where nothing
 * else moved.
 */
size_t compare_functions(const struct gate_results *old, const struct gate_results *got,
			 const char *benchmark, struct moved out[MOVED_MOST]);

#endif
