/* SPDX-License-Identifier: BSD-2-Clause */
/* event_tasks.h - tasks, for other files of the core. */
#ifndef PMU_CORE_EVENT_TASKS_H
#define PMU_CORE_EVENT_TASKS_H

#include "pmu/state/state.h"

/*
 * pmu_is_asleep() - true where the group counts for other tasks or on other CPUs. In its context.
 * pmu_event_disown() - removes an inherited event; its count goes to its ancestor. Within an
 * operation.
 */
bool pmu_is_asleep(const struct pmu_event *leader);
void pmu_event_disown(struct pmu_event *e);

#endif
