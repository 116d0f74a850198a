/* SPDX-License-Identifier: BSD-2-Clause */
/* event_pages.h - assigns control pages to events: see event_pages.c. */
#ifndef PMU_CORE_EVENT_PAGES_H
#define PMU_CORE_EVENT_PAGES_H

#include "pmu/state/state.h"

/* pmu_unpage_within() - pmu_event_set_page() with NULL, within an operation. */
void pmu_unpage_within(struct pmu_event *e);

#endif
