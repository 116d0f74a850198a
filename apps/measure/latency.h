/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * latency.h - the table of `bench --table`: of each instruction its latency, throughput,
 * micro-operations and ports, made of several results that have its name (enum bench_role).
 *
 * Task context, or that of a system call of the only program that runs.
 */
#ifndef APPS_MEASURE_LATENCY_H
#define APPS_MEASURE_LATENCY_H

#include "apps/measure/evset.h"
#include "include/perf0/bench.h"

#include <stdbool.h>

/* latency_events() - what the table is made of on this machine, as -e takes it: cycles, and events
 * that may be refused. */
const char *latency_events(void);

/*
 * latency_take() - result `i` of the program, of a pass that has `head->nevents` events:
 * `median[k]` is that of entry `column[k]` of the set. False: there is no memory for so many.
 */
bool latency_take(unsigned i, const struct bench_result *head, const unsigned *column,
		  const int64_t *median);

/* latency_print() - the first `n` results; `separator` NULL: none; see bench's -x and -j.
 * latency_forget() - gives their memory back. */
struct latency_form {
	const char *separator;
	bool json, pairs;
};
void latency_print(unsigned n, const struct evset *set, const struct latency_form *form);
void latency_forget(void);

#endif
