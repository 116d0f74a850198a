/* SPDX-License-Identifier: BSD-2-Clause */
/* bench_trace.h - `bench --trace`: the counts after all counters were stopped at each cycle of a
 * piece of code. There is one trace at a time. Task context. */
#ifndef APPS_MEASURE_BENCH_TRACE_H
#define APPS_MEASURE_BENCH_TRACE_H

#include "apps/measure/evset.h"
#include "apps/portable/figures.h"
#include "linux/perf/bench_calls.h"

#include <stdbool.h>
#include <stdint.h>

/* The values of the options of a trace. */
struct bench_trace_choice {
	const char *range; /* NULL: no --trace; "": all */
	bool nanobench;    /* --cycle-by-cycle */
	bool whole, no_freeze;
};

#define BENCH_TRACE_TARGETS(choice)                                                          \
	{OPT_BENCH_TRACE, &(choice).range}, {OPT_BENCH_CYCLE_BY_CYCLE, &(choice).nanobench}, \
		{OPT_BENCH_WHOLE, &(choice).whole},                                          \
	{                                                                                    \
		OPT_BENCH_NO_FREEZE, &(choice).no_freeze                                     \
	}

static inline bool bench_trace_is_wanted(const struct bench_trace_choice *choice)
{
	return choice->range || choice->nanobench;
}

/* bench_trace_begin() - before the events of `set` are opened: adds those that a trace needs in
 * each pass. False: there can be no trace, and a line said why. */
bool bench_trace_begin(struct evset *set, const struct bench_trace_choice *choice, bool kernel);

/*
 * bench_trace_offer() - tells the program about one of the passes; `column` has the set's entry of
 * each of its events. bench_trace_cycle() - takes results that the program handed in. `sorted` has
 * room for the measurements of an event.
 */
void bench_trace_offer(struct bench_offer *offer, const unsigned *column, unsigned passes);
void bench_trace_cycle(const struct bench_result *result, const int64_t *values,
		       const unsigned *column, int64_t *sorted);

/* bench_trace_has_results() - whether the pass that ran last has results. */
bool bench_trace_has_results(void);

/* The form of the output. */
struct bench_trace_form {
	bool json;
	const char *separator; /* NULL: a table */
	int only;              /* enum figure; FIGURES: all */
	bool kernel;
	unsigned passes;
	uint64_t copies, turns;
};

/* bench_trace_print() - prints the results so far. bench_trace_report() - sends them to the host as
 * JSON (print_to_host()). bench_trace_end() - forgets them. */
void bench_trace_print(const struct bench_trace_form *form);
void bench_trace_report(void);
void bench_trace_end(void);

#endif
