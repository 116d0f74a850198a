/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evset.h - the events of one command: parsed from its -e lists, opened together on the workload,
 * read and closed together. An event that the machine refuses stays in the set with its reason.
 *
 * Task context. The set is large: static storage.
 */
#ifndef APPS_EVSET_H
#define APPS_EVSET_H

#include "apps/options.h"
#include "pmu/parse.h"
#include "pmu/pmu.h"

#include <stdbool.h>

#define EVSET_MAX 64

struct evset_entry {
	struct pmu_event_spec spec;
	struct pmu_event event;
	bool alone; /* of a weak group that did not fit */
	int error;  /* 0: open; else what pmu_event_open() returned */
	struct pmu_reason why;
};

struct evset {
	unsigned n;
	struct evset_entry entry[EVSET_MAX];
};

/*
 * evset_parse() - all lists of `lists`, or `fallback` when there are none. Returns 0, or -EINVAL
 * after one line of complaint that starts with `who` and names the column.
 */
int evset_parse(struct evset *set, const char *who, const struct option_list *lists,
		const char *fallback);

/*
 * evset_open() - every event on the workload, disabled until its first instruction; a weak group
 * that does not fit as groups of one. Returns how many are open.
 */
unsigned evset_open(struct evset *set);
void evset_close(struct evset *set);

/* evset_fits() - all open events can count at the same time. Else one line that names one which
 * cannot, and what holds the counters that it could use. */
bool evset_fits(const char *who);

/*
 * evset_complain() - one line for each event that was refused for a reason of its own (a machine
 * without PMU refuses all for one reason, which is told once).
 */
void evset_complain(const struct evset *set, const char *who);

#endif
