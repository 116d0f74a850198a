/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * interval.h - `stat -I`: while the workload runs, a timer of CPU 0 prints the counts since the
 * last interval. Its interrupt comes from ring 3 or from an idle CPU, and its cost belongs to ring
 * 0.
 *
 * Each interval begins with the very values with which the one before ended, so that the counts of
 * all intervals add up to the count of the run.
 */
#ifndef APPS_MEASURE_INTERVAL_H
#define APPS_MEASURE_INTERVAL_H

#include "apps/measure/statgroup.h"

#include <stdbool.h>
#include <stdint.h>

struct interval_options {
	uint64_t period;           /* ns; 0: there are no intervals */
	uint64_t most;             /* intervals that are printed; 0: all */
	enum stat_scaling scaling; /* see stat_series_add() */
	bool plain;                /* see struct stat_table */
	/* Prints one interval; `how` is passed on. */
	void (*print)(const struct stat_table *table, const void *how);
	const void *how;
};

/*
 * interval_prepare() - before a run of `set`, whose events the groups add up; both and `options`
 * must stay. -ENOMEM. interval_begin() - begins the first interval; as `then` of begin_with().
 * interval_stop() - right after the run, before the events are stopped: no interval ends by its
 * timer any more. interval_end() - after that: prints the last interval, which may be shorter, and
 * frees all memory. All but interval_begin(): task context.
 */
int interval_prepare(const struct interval_options *options, const struct evset *set,
		     const struct stat_groups *groups);
void interval_begin(uint64_t since);
void interval_stop(void);
void interval_end(void);

#endif
