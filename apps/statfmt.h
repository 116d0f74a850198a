/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * statfmt.h - the layout of `perf stat`: counts, units, derived figures, spread over runs. Reads
 * results, prints text; knows nothing of events being opened.
 */
#ifndef APPS_STATFMT_H
#define APPS_STATFMT_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/perf_event.h>

enum stat_state { STAT_COUNTED, STAT_NOT_COUNTED, STAT_NOT_SUPPORTED };

/* One line: an event's mean over the runs. */
struct stat_line {
	const char *name; /* as the user wrote it */
	const struct perf_event_attr *attr;
	enum stat_state state;
	uint64_t mean;             /* scaled to the whole time; ns for the clocks */
	uint64_t spread;           /* relative standard error of the mean, in 1/100 of a percent */
	uint64_t enabled, running; /* ns, of all runs */
	uint32_t error;            /* of a scaled mean, 95 %, in 1/100 of a percent */
	bool has_error;            /* else it is not known */
};

struct stat_table {
	const char *title; /* the workload and its arguments */
	const struct stat_line *lines;
	unsigned nlines, runs;
	uint64_t elapsed, elapsed_spread; /* ns; 1/100 of a percent */
	uint64_t user, sys;               /* ns, one run */
	bool watchdog;                    /* the NMI watchdog has one of the counters */
};

/* stat_print() - the whole table. Task context. */
void stat_print(const struct stat_table *table);

/* stat_spread() - relative standard error of the mean of n values, in 1/100 of a percent. */
uint64_t stat_spread(const uint64_t *values, unsigned n, uint64_t mean);

#endif
