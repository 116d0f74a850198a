/* SPDX-License-Identifier: BSD-2-Clause */
/* regions.h - counts of `stat` in the regions that the workload marked (linux/perf/region.h), as
 * tables beside the table of the whole run. Task context. */
#ifndef APPS_MEASURE_REGIONS_H
#define APPS_MEASURE_REGIONS_H

#include "apps/measure/evset.h"
#include "apps/portable/statfmt.h"

/*
 * regions_watch() - watches the events of the set in all runs from now on. -ENOMEM, after one line
 * of complaint that starts with `command`. regions_follow() - the set was opened, or closed.
 * regions_print() - prints a table for each region with `print`. Forgets the regions, and returns
 * how many there were.
 */
int regions_watch(const struct evset *set, const char *command);
void regions_follow(const struct evset *set);
unsigned regions_print(const struct evset *set,
		       void (*print)(const struct stat_table *table, const void *how),
		       const void *how);

#endif
