/* SPDX-License-Identifier: BSD-2-Clause */
/* paging.h - assigns control pages to events: see paging.c. */
#ifndef PMU_CORE_PAGING_H
#define PMU_CORE_PAGING_H

#include "pmu/state/state.h"

/* pmu_unpage_within() - pmu_event_set_page() with NULL, within an operation. */
void pmu_unpage_within(struct pmu_event *e);

#endif
