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
	const char **word;  /* program and arguments, NULL behind them */
	const char *events; /* NULL: as for all */
	bool same_clock; /* its second run has the same clocks: what it does may depend on them */
	bool same_seed;  /* likewise with random numbers */
	const char *tolerance; /* NULL: as for all; tolerance.h */
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
	bool by_chance; /* the second run had other random numbers, and that is why */
	char *function; /* in which they differ most; NULL: not known */
};

/* A zeroed struct has none. */
struct unsteady_list {
	struct unsteady *one;
	size_t n;
};

struct measuring {
	const struct options *options; /* of the machine that stands */
	const char *events;            /* for those that say nothing else */
	const char *tolerance[2]; /* likewise; the first one that says something of an event holds;
				     NULL: none */
	struct gate_results *results;   /* get what is measured, unsorted */
	struct unsteady_list unsteady;  /* those that differ by more than the tolerance */
	struct unsteady_list by_chance; /* those that other random numbers alone make differ */
	bool strict;                    /* these are unsteady as well */
	bool explains_chance;           /* their functions are found */
	struct sources sources;         /* of all functions that samples were in */
};

/*
 * measure_events() - counts a benchmark; what differs is sampled, too. measure_functions() -
 * samples it: what it counted is in sorted results. Both return 0, or the status after a line about
 * it. The machine stands (standing.h).
 */
int measure_events(struct measuring *m, const struct benchmark *benchmark);
int measure_functions(struct measuring *m, const struct benchmark *benchmark, uint64_t instructions,
		      struct gate_results *into);

/* measure_tolerance() - of an event of a benchmark. */
struct tolerance measure_tolerance(const struct measuring *m, const struct benchmark *benchmark,
				   const char *event);

/*
 * measure_output() - runs `words`, and appends to `out` what the program prints. Returns 0, or the
 * status without a line about what the program does.
 */
int measure_output(const struct options *options, const char *const *words, struct buf *out);

void measuring_free(struct measuring *m);

#endif
