/* SPDX-License-Identifier: BSD-2-Clause */
/* record_rate.h - the rate of samples of a recording: -c and -F, and a report of the result. */
#ifndef APPS_MEASURE_RECORD_RATE_H
#define APPS_MEASURE_RECORD_RATE_H

#include "pmu/api/pmu.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define RATE_DEFAULT_PERIOD 100003 /* prime, so that it does not beat with loops */

/* The values of -c and -F; 0 and NULL: not given. */
struct rate {
	uint64_t period;
	const char *frequency;
};

/* rate_set() - sets the rate of an event that has none of its own. */
void rate_set(struct perf_event_attr *attr, const struct rate *rate);

/*
 * rate_note() - before the workload: says for `command` if `e`, called `name`, has another period
 * than it was to have. rate_tell_limit() - behind it: says if `e` could not have its frequency.
 */
void rate_note(const char *command, const struct pmu_event *e, const char *name);
void rate_tell_limit(const char *command, const struct pmu_event *e, const char *name);

/* The statistics of the event core and the tracepoints at some time. */
struct rate_mark {
	struct pmu_stats stats;
	uint64_t refused; /* hits of tracepoints */
};
struct rate_mark rate_mark(void);

/* rate_report() - reports the changes since `before`: events that were throttled, and with
 * `verbose` the interrupts. */
void rate_report(const char *command, const struct rate_mark *before, bool verbose);

#endif
