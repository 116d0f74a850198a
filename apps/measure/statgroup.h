/* SPDX-License-Identifier: BSD-2-Clause */
/* statgroup.h - groups of targets whose counts one line of `stat` adds up, by perf's -A, --per-core
 * and --per-socket, and the sums. Task context. */
#ifndef APPS_MEASURE_STATGROUP_H
#define APPS_MEASURE_STATGROUP_H

#include "apps/portable/moments.h"
#include "apps/measure/evset.h"
#include "apps/portable/statfmt.h"

#include <stdbool.h>
#include <stdint.h>

/* The scaling of an event that did not count all the time. */
enum stat_scaling { STAT_INTERPOLATED, STAT_BY_RATIO, STAT_UNSCALED };

/* stat_scale_by_ratio() - scales by the share of the time, as perf does. Counts of events that
 * never ran, or always ran, stay. */
uint64_t stat_scale_by_ratio(uint64_t count, uint64_t enabled, uint64_t running);

struct stat_groups {
	enum stat_aggr how;
	unsigned n;
	struct stat_group group[TARGETS_MAX_CPUS];
	uint16_t of[TARGETS_MAX_CPUS];    /* by target */
	uint16_t first[TARGETS_MAX_CPUS]; /* by group: its first CPU; 0 for all CPUs */
};

/* stat_groups_make() - makes the groups of the targets of `set`, in the order of their first CPUs.
 * Each target is for one CPU, unless `how` is STAT_AGGR_ALL. */
void stat_groups_make(struct stat_groups *groups, const struct evset *set, enum stat_aggr how);

/* stat_groups_has() - whether entry `i` is opened for a target of group `g`: see evset_is_at(). An
 * entry that is opened for no target was refused, and is in each group. */
bool stat_groups_has(const struct stat_groups *groups, unsigned g, const struct evset *set,
		     unsigned i);

/* The results of one line over its runs. */
struct stat_series {
	struct moments value; /* scaled to the whole time; of the runs in which it ran at all */
	struct moments ratio; /* the same, by running / enabled, whatever estimate there is */
	uint64_t enabled, running, raw;
	uint64_t squares; /* of the runs' errors, in (1/100 of a percent)^2 */
	bool unsure;      /* a run's error is not known */
	bool unseen;      /* ... for it counted in one slice, or never occurred in any */
};

/*
 * stat_series_add() - adds a run: the counts of entry `i`, which is open, for the targets of group
 * `g`. Where each target counted, each is scaled by itself before it is added; otherwise the sum
 * is. `scaling` says how. `before` has a start value for each event of the set, in their order,
 * which becomes the current value. Such an interval is scaled by the ratio of times, because slices
 * are those of the whole run. NULL: from the run's start.
 */
void stat_series_add(struct stat_series *s, const struct evset *set, unsigned i,
		     const struct stat_groups *groups, unsigned g, enum stat_scaling scaling,
		     struct pmu_value *before);

/* stat_series_line() - the line to print for the series. */
struct stat_line stat_series_line(const struct stat_series *s, const struct evset *set, unsigned i,
				  const struct stat_groups *groups, unsigned g);

/* stat_groups_line() - the index of the line of entry `i` and group `g`. The order is perf's: CPU
 * by CPU of an event, but event by event of a core or a package. */
unsigned stat_groups_line(const struct stat_groups *groups, const struct evset *set, unsigned i,
			  unsigned g);

#endif
