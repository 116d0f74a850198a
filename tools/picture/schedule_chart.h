/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schedule_chart.h - which event is on which counter in each slice of a plan, and after how many
 * slices that begins anew: what a picture of it shows.
 */
#ifndef TOOLS_PICTURE_SCHEDULE_CHART_H
#define TOOLS_PICTURE_SCHEDULE_CHART_H

#include <stdint.h>

#include "pmu/plan/planner.h"

/* One arrangement of events on counters. */
struct schedule_layout {
	uint8_t watchdog;                     /* its counter; PMU_NO_COUNTER */
	uint8_t counter[PMU_PLAN_EVENTS];     /* as in struct pmu_plan_config */
	const struct pmu_plan_config *config; /* NULL: the plan keeps no reasons of it */
};

struct schedule {
	struct pmu_plan_watch watch; /* for the request of planner_run() */
	struct schedule_layout *layout;
	size_t nlayouts;
	uint32_t *slice; /* the layout of each */
	size_t nslices;
	size_t hint;
	/* Behind the first `lead` slices each is as the one `period` before it, to the end; 0:
	 * nothing is said of the end twice. */
	size_t lead, period;
};

/* schedule_init() - before planner_run(), for its watch; schedule_settle() - behind it: lead and
 * period. */
void schedule_init(struct schedule *s);
void schedule_settle(struct schedule *s);
void schedule_free(struct schedule *s);

static inline const struct schedule_layout *schedule_at(const struct schedule *s, size_t slice)
{
	return &s->layout[s->slice[slice]];
}

#endif
