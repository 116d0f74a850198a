/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.h - measures benchmarks on a standing machine. Each is counted twice. The second run has
 * later clocks and other random numbers, which exposes a benchmark whose work depends on either. A
 * third run then finds the cause. The profile of the first run has the counts of each function.
 */
#ifndef TOOLS_GATE_MEASURE_H
#define TOOLS_GATE_MEASURE_H

#include "tools/gate/compare.h"
#include "tools/gate/functions.h"
#include "tools/gate/gate_results.h"
#include "tools/profile/profile_run.h"
#include "tools/options/tolerance.h"
#include "tools/options/tool_options.h"

#define MEASURE_PROCESS "process"

struct benchmark {
	char *name;
	const char **word;     /* program and arguments, ended by NULL */
	const char *events;    /* NULL: those of all benchmarks */
	bool same_clock;       /* the second run has the same clocks: the work depends on them */
	bool same_seed;        /* the second run has the same random numbers */
	const char *tolerance; /* see tolerance.h; NULL: that of all benchmarks */
	/* Patterns of the functions that are measured, alternatives behind a `|`; MEASURE_PROCESS;
	 * NULL: that of the suite, else the process. */
	char *measure;
	const struct harness_loop *loop; /* of the suite; NULL: none */
};

/* The benchmarks of a gate. A zeroed struct has none. */
struct benchmarks {
	struct benchmark *one;
	size_t n;
};

/* An event of a benchmark with different counts in two runs. */
struct unsteady {
	char *benchmark, *event;
	uint64_t first, second;
	bool by_chance; /* random numbers alone cause the difference */
	char *function; /* the function that differs most; NULL: unknown */
};

/* Unsteady events. A zeroed struct has none. */
struct unsteady_list {
	struct unsteady *one;
	size_t n;
};

struct measuring {
	const struct options *options; /* options of the standing machine */
	const char *events;            /* for benchmarks without their own */
	const char *tolerance[2]; /* defaults; the first text with the event counts; NULL: none */
	struct gate_results *results;   /* receives the results, unsorted */
	struct unsteady_list unsteady;  /* events whose runs differ by more than the tolerance */
	struct unsteady_list by_chance; /* events that differ by random numbers alone */
	struct layouts layouts;         /* by how much addresses change counts */
	bool strict;                    /* events in `by_chance` count as unsteady */
	struct profile_run *profile;    /* of the standing machine; closed: functions are unknown */
	bool explains_chance;           /* find the functions of events in `by_chance` */
	struct sources sources;         /* of the functions of programs */
	struct stack_tree *stacks;      /* receives the stacks of functions; NULL: not wanted */
};

/*
 * measure_events() - counts a benchmark, as a whole and by function. Returns 0, or the status after
 * a message. Requires a standing machine (standing.h).
 */
int measure_events(struct measuring *m, const struct benchmark *benchmark);

/*
 * measure_layout() - counts a benchmark of sorted `m->results` at other addresses, and notes by how
 * much its counts differ. Returns 0, or the status after a message.
 */
int measure_layout(struct measuring *m, const struct benchmark *benchmark);

/* measure_tolerance() - returns the tolerance for an event of a benchmark. */
struct tolerance measure_tolerance(const struct measuring *m, const struct benchmark *benchmark,
				   const char *event);

/*
 * measure_output() - runs `words`, and appends the program's output to `out`. Returns 0, or the
 * status, without a message if the program itself fails.
 */
int measure_output(const struct options *options, const char *const *words, struct buf *out);

void measuring_free(struct measuring *m);

#endif
