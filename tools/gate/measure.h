/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.h - measures benchmarks on a standing machine. Each is counted twice. The second run has
 * later clocks and other random numbers, which exposes a benchmark whose work depends on either
 * (unsteady.h). The profile of a run has the counts of each function, and of all ring 3. Where
 * functions are measured, `stat` counts the other events alone: one of ring 3 would make each
 * change of the ring an exit to vpmu.
 */
#ifndef TOOLS_GATE_MEASURE_H
#define TOOLS_GATE_MEASURE_H

#include "tools/gate/compare.h"
#include "tools/gate/functions.h"
#include "tools/gate/gate_events.h"
#include "tools/gate/gate_results.h"
#include "tools/gate/runs.h"
#include "tools/gate/unsteady.h"
#include "tools/profile/profile_run.h"
#include "tools/options/tolerance.h"
#include "tools/options/tool_options.h"

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

/* A benchmark that is to be measured, and the status: 0, or its failure, after a message. */
struct measured_benchmark {
	const struct benchmark *benchmark;
	int status;
};

/*
 * measure_events() - counts `n` benchmarks, as a whole and by function. Returns 0, or the status
 * that ends the gate, after a message. Requires a standing machine (standing.h).
 */
int measure_events(struct measuring *m, struct measured_benchmark *of, size_t n);

/* measure_ends() - whether the status ends the gate: the machine was ended, or a signal arrived. */
bool measure_ends(int status);

/* measure_tolerance() - returns the tolerance for an event of a benchmark. */
struct tolerance measure_tolerance(const struct measuring *m, const struct benchmark *benchmark,
				   const char *event);

/* Events of a benchmark. */
struct measured_events {
	struct gate_lists lists;         /* of `stat`, each of which the counters hold */
	bool by_profile[PROFILE_EVENTS]; /* by index of the profile's events: its totals count */
};

/* measure_find_events() - the events of a benchmark; gate_events_free() frees the lists. */
void measure_find_events(const struct measuring *m, const struct benchmark *benchmark,
			 struct measured_events *events);

/*
 * measure_take() - adds the results of run number `first`, and of those of the other lists behind
 * it, to `into`. The profile is that of the first one. `is_first`: of the benchmark's first run,
 * whose sources and stacks are kept. Returns 0, or the status after a message.
 */
int measure_take(struct measuring *m, const struct runs *runs, size_t first,
		 const struct benchmark *benchmark, const struct measured_events *events,
		 bool is_first, struct gate_results *into);

/* measure_find() - the row of `results` that has the event of `as`, inside of functions or of the
 * process as well. The rows of its benchmark are the last ones. NULL: none. */
const struct result *measure_find(const struct gate_results *results, const struct result *as);

void measuring_free(struct measuring *m);

#endif
