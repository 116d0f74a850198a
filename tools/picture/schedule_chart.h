/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schedule_chart.h - records a plan for a picture: which event uses which counter in each slice,
 * and when the schedule repeats.
 */
#ifndef TOOLS_PICTURE_SCHEDULE_CHART_H
#define TOOLS_PICTURE_SCHEDULE_CHART_H

#include <stdint.h>

#include "pmu/plan/planner.h"

/* One assignment of events to counters. */
struct schedule_layout {
	uint8_t watchdog;                     /* counter of the NMI watchdog, or PMU_NO_COUNTER */
	uint8_t counter[PMU_PLAN_EVENTS];     /* as in struct pmu_plan_config */
	const struct pmu_plan_config *config; /* NULL: the plan has no reasons for it */
};

struct schedule {
	struct pmu_plan_watch watch; /* for the request to planner_run() */
	struct schedule_layout *layout;
	size_t nlayouts;
	uint32_t *slice; /* index of each slice's layout */
	size_t nslices;
	size_t hint;
	/* After the first `lead` slices, the schedule repeats every `period` slices, to the end;
	 * 0: nothing repeats at the end. */
	size_t lead, period;
};

/* schedule_init() - prepares `watch`, before planner_run(). schedule_settle() - computes lead
 * and period, after planner_run(). */
void schedule_init(struct schedule *s);
void schedule_settle(struct schedule *s);
void schedule_free(struct schedule *s);

static inline const struct schedule_layout *schedule_at(const struct schedule *s, size_t slice)
{
	return &s->layout[s->slice[slice]];
}

#endif
