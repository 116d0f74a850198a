/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency.h - the table of `bench --table`: latency, throughput, micro-operations and ports of each
 * instruction, computed from the results that have its name (enum bench_role).
 *
 * Task context, or that of a system call of the only program that runs.
 */
#ifndef APPS_MEASURE_LATENCY_H
#define APPS_MEASURE_LATENCY_H

#include "apps/measure/evset.h"
#include "include/perf0/bench.h"

#include <stdbool.h>

/* latency_events() - the events that the table needs on this machine, in the form of -e: cycles,
 * and events that may be refused. */
const char *latency_events(void);

/* latency_take() - takes result `i` of the program, from a pass of `head->nevents` events:
 * `median[k]` belongs to entry `column[k]` of the set. False: there is no memory for so many. */
bool latency_take(unsigned i, const struct bench_result *head, const unsigned *column,
		  const int64_t *median);

/* latency_print() - prints the first `n` results; `separator` NULL: none; see bench's -x and -j.
 * latency_forget() - frees their memory. */
struct latency_form {
	const char *separator;
	bool json, pairs;
};
void latency_print(unsigned n, const struct evset *set, const struct latency_form *form);
void latency_forget(void);

#endif
