/* SPDX-License-Identifier: BSD-2-Clause */
/* open.h - opening and closing of events, for other files of the core. */
#ifndef PMU_CORE_OPEN_H
#define PMU_CORE_OPEN_H

#include "pmu/state/state.h"

/*
 * pmu_event_link() - adds the complete event `e` at the end of the lists. Paused, in its context.
 * pmu_event_unlink() - removes it. Paused, in its context.
 * pmu_context_has_room() - true where one more event fits.
 */
void pmu_event_link(struct pmu_event *e, struct pmu_event *leader);
void pmu_event_unlink(struct pmu_event *e);
bool pmu_context_has_room(const struct pmu_context *context);
/* pmu_open_within(), ... - pmu_event_open(), ..., within an operation. */
int pmu_open_within(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		    struct pmu_event *group_leader, unsigned long flags, struct reason *why);
void pmu_close_within(struct pmu_event *e);
/*
 * pmu_open_beside() - the number of events of `class` that may count at the same time and on the
 * same CPU as the new event `e`, whichever task runs; `e` has its target. For resources that are
 * not shared by turns. Task context.
 */
unsigned pmu_open_beside(const struct pmu_event *e, const struct pmu_class *class);
void pmu_group_move(struct pmu_event *leader, struct pmu_context *to); /* the group does not run */

#endif
