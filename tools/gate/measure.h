/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.h - benchmarks on one machine that stays: each is counted twice, the second time by
 * clocks that begin later and with other random numbers, so that one whose work depends on either
 * is found; where it does, a third time, which tells on which; and sampled, so that a change can be
 * told by function.
 */
#ifndef TOOLS_GATE_MEASURE_H
#define TOOLS_GATE_MEASURE_H

#include "tools/gate/functions.h"
#include "tools/gate/gate_results.h"
#include "tools/options/tolerance.h"
#include "tools/options/tool_options.h"

struct benchmark {
	char *name;
	const char **word;     /* program and arguments, ended by NULL */
	const char *events;    /* NULL: those of all benchmarks */
	bool same_clock;       /* its second run has the same clocks: its work may depend on them */
	bool same_seed;        /* likewise for random numbers */
	const char *tolerance; /* NULL: that of all benchmarks; tolerance.h */
};

/* A zeroed struct has none. */
struct benchmarks {
	struct benchmark *one;
	size_t n;
};

/* An event of a benchmark that two of its runs count differently. */
struct unsteady {
	char *benchmark, *event;
	uint64_t first, second;
	bool by_chance; /* other random numbers alone made the second run differ */
	char *function; /* the function that differs most; NULL: not known */
};

/* A zeroed struct has none. */
struct unsteady_list {
	struct unsteady *one;
	size_t n;
};

struct measuring {
	const struct options *options; /* of the standing machine */
	const char *events;            /* for benchmarks without their own */
	const char
		*tolerance[2]; /* likewise; the first text that has the event holds; NULL: none */
	struct gate_results *results;   /* gets the results, unsorted */
	struct unsteady_list unsteady;  /* events that differ by more than the tolerance */
	struct unsteady_list by_chance; /* events that only other random numbers make differ */
	bool strict;                    /* the latter are unsteady as well */
	bool explains_chance;           /* the functions of the latter are found */
	struct sources sources;         /* of all functions with samples */
};

/*
 * measure_events() - counts a benchmark; samples it, too, if two runs differ. measure_functions() -
 * samples it; `instructions` is its count. Both return 0, or the status after a message. The
 * machine stands (standing.h).
 */
int measure_events(struct measuring *m, const struct benchmark *benchmark);
int measure_functions(struct measuring *m, const struct benchmark *benchmark, uint64_t instructions,
		      struct gate_results *into);

/* measure_tolerance() - the tolerance for an event of a benchmark. */
struct tolerance measure_tolerance(const struct measuring *m, const struct benchmark *benchmark,
				   const char *event);

/*
 * measure_output() - runs `words`, and appends the program's output to `out`. Returns 0, or the
 * status; prints no message about the program's own failure.
 */
int measure_output(const struct options *options, const char *const *words, struct buf *out);

void measuring_free(struct measuring *m);

#endif
