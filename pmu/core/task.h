/* SPDX-License-Identifier: BSD-2-Clause */
/* task.h - tasks, as other files of the core see them. */
#ifndef PMU_CORE_TASK_H
#define PMU_CORE_TASK_H

#include "pmu/state/state.h"

/* pmu_is_asleep() - the group counts with other tasks, or on other CPUs. In its context.
 * pmu_event_disown() - an inherited event goes, what it counted is its ancestor's. Within an
 * operation. */
bool pmu_is_asleep(const struct pmu_event *leader);
void pmu_event_disown(struct pmu_event *e);

#endif
