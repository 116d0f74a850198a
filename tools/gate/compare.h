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
	VERDICT_NEAR,   /* another count, within the tolerance */
	VERDICT_NEW,    /* not in the baseline */
	VERDICT_SAME,
	VERDICTS,
};

/* An event of a benchmark. */
struct change {
	const char *benchmark, *event; /* owned by either result */
	uint64_t old, got;             /* 0 where the event is missing */
	enum verdict verdict;
	bool all_gone; /* all events of the benchmark are gone */
};

/* The changes of all events. A zeroed struct has none. */
struct comparison {
	struct change *change; /* sorted by benchmark and event */
	size_t n;
	size_t count[VERDICTS];      /* numbers of events */
	size_t benchmarks[VERDICTS]; /* of benchmarks, by their worst verdict */
};

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
void comparison_free(struct comparison *comparison);

/* A function whose share of a benchmark has changed. */
struct moved {
	const char *name;
	uint64_t old, got;           /* instructions, estimated from samples */
	uint64_t old_size, got_size; /* bytes of code; 0: unknown */
	bool has_other_code;
};

#define MOVED_MOST 5

/*
 * compare_functions() - stores the functions of a benchmark that moved most in `out`, those with
 * other code first. Returns their number. Changes that sampling noise can explain are reported only
 * if nothing else moved.
 */
size_t compare_functions(const struct gate_results *old, const struct gate_results *got,
			 const char *benchmark, struct moved out[MOVED_MOST]);

#endif
