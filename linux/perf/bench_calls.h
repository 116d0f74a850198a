/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_calls.h - connects the command `bench` with its program. By the system calls of
 * include/perf0/bench.h the program asks for settings and hands in results.
 */
#ifndef LINUX_PERF_BENCH_CALLS_H
#define LINUX_PERF_BENCH_CALLS_H

#include "include/perf0/bench.h"
#include "lib/reason.h"
#include "pmu/core/freeze.h"

#include <stdbool.h>
#include <stdint.h>

/* One command `bench`. */
struct bench_offer {
	struct bench_settings settings;
	int64_t *values; /* room for settings.measurements times settings.nevents */
	/* Called when the program hands in a result with `values`. System call context. */
	void (*take)(const struct bench_result *result, const int64_t *values);

	/* For a trace: its events, whose control pages the program reads, and how counting stops.
	 * take_trace() returns 0, or -errno: there is no room. */
	struct pmu_event *event[BENCH_EVENTS_MAX];
	enum pmu_freeze freeze;
	int (*take_trace)(const struct bench_trace *trace);
};

/*
 * bench_offer() - measures programs that run from now on; NULL: measures none. `offer` stays the
 * caller's, and unchanged. bench_reason() - why a program was refused something; empty: nothing was
 * refused. Task context, while no program runs.
 */
void bench_offer(const struct bench_offer *offer);
const struct reason *bench_reason(void);

/* Calls of a program: each returns 0 or -errno as include/perf0/perf0_syscalls.h says. System call
 * context. */
long bench_settings(uint64_t to, uint64_t bytes);
long bench_call(uint64_t address, uint64_t fault);
long bench_result(uint64_t from, uint64_t bytes);
long bench_stop(uint64_t from, uint64_t bytes);
long bench_stopped(uint64_t to, uint64_t bytes);
long bench_trace(uint64_t from, uint64_t bytes);

/* bench_takes_fault() - handles the UD2 at which counting of a traced run begins or ends; ring 3
 * continues behind it. False: the exception is another one. */
struct trap_frame;
bool bench_takes_fault(struct trap_frame *frame);

#endif
