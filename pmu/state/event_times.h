/* SPDX-License-Identifier: BSD-2-Clause */
/* event_times.h - time_enabled and time_running: see event_times.c. */
#ifndef PMU_STATE_EVENT_TIMES_H
#define PMU_STATE_EVENT_TIMES_H

#include "pmu/state/state.h"

bool pmu_time_goes_on(const struct pmu_event *e); /* true where time_enabled advances */

/* pmu_times_at() - the times at `now`, without changing anything. Any context. */
struct pmu_times {
	uint64_t enabled, running; /* ns */
};
struct pmu_times pmu_times_at(const struct pmu_event *e, uint64_t now);
void pmu_times_update(struct pmu_event *e, uint64_t now);
void pmu_group_times_update(struct pmu_event *leader); /* to pmu.now */
void pmu_context_start_time(struct pmu_context *context, uint64_t now);
void pmu_context_update_time(struct pmu_context *context, uint64_t now);

#endif
