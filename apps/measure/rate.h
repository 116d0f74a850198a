/* SPDX-License-Identifier: BSD-2-Clause */
/* rate.h - how often a recording samples: -c and -F, and what came of it. */
#ifndef APPS_MEASURE_RATE_H
#define APPS_MEASURE_RATE_H

#include "pmu/api/pmu.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define RATE_DEFAULT_PERIOD 100003 /* prime, so that it does not beat with loops */

/* -c and -F as they were given; 0 and NULL: they were not. */
struct rate {
	uint64_t period;
	const char *frequency;
};

/* rate_set() - the rate of an event that does not bring its own. */
void rate_set(struct perf_event_attr *attr, const struct rate *rate);

/* rate_note() - says for `command` where `e`, called `name`, cannot sample as often as it is to. */
void rate_note(const char *command, const struct pmu_event *e, const char *name);

/* The statistics of the event core and the tracepoints at some time. */
struct rate_mark {
	struct pmu_stats stats;
	uint64_t refused; /* hits of tracepoints */
};
struct rate_mark rate_mark(void);

/*
 * rate_report() - what they did since `before`: says for `command` when events were held, and with
 * `verbose` what interrupts there were.
 */
void rate_report(const char *command, const struct rate_mark *before, bool verbose);

#endif
