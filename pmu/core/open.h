/* SPDX-License-Identifier: BSD-2-Clause */
/* open.h - opening and closing, as other files of the core see it. */
#ifndef PMU_CORE_OPEN_H
#define PMU_CORE_OPEN_H

#include "pmu/state/state.h"

/*
 * `e` is ready but for its place in the lists: puts it there, behind what is there. It
 * takes it out again. Paused, in its context. pmu_context_has_room(): for one more.
 */
void pmu_event_link(struct pmu_event *e, struct pmu_event *leader);
void pmu_event_unlink(struct pmu_event *e);
bool pmu_context_has_room(const struct pmu_context *context);
/* pmu_open_within(), ... - pmu_event_open(), ..., within an operation. */
int pmu_open_within(struct pmu_event *e, const struct perf_event_attr *attr, int task, int cpu,
		    struct pmu_event *group_leader, unsigned long flags, struct reason *why);
void pmu_close_within(struct pmu_event *e);
/* pmu_open_beside() - how many events of `class` the new event `e`, whose target is known, finds
 * beside it that may count at the same time and on the same CPU, whichever task runs: for what
 * takes no turns. Task context. */
unsigned pmu_open_beside(const struct pmu_event *e, const struct pmu_class *class);
void pmu_group_move(struct pmu_event *leader, struct pmu_context *to); /* it does not run */

#endif
