/* SPDX-License-Identifier: BSD-2-Clause */
/* control_page.h - control pages, which ring 3 reads: see control_page.c. */
#ifndef PMU_STATE_CONTROL_PAGE_H
#define PMU_STATE_CONTROL_PAGE_H

#include "pmu/state/state.h"

/*
 * pmu_pages_changed() - called after changes of events that run here.
 * pmu_pages_moved() - the same in an NMI, which changes no times.
 * pmu_pages_update() - for a context that does not run here: it is leaving this CPU, or is locked
 * and active nowhere.
 * pmu_page_list(), pmu_page_unlist() - add `e`, which has a page, to its context's list; remove it.
 */
void pmu_pages_changed(void);
void pmu_pages_moved(void);
void pmu_pages_update(const struct pmu_context *context);
void pmu_page_list(struct pmu_event *e);
void pmu_page_unlist(struct pmu_event *e);

/* pmu_page_set() - sets the control page of `e`; NULL: none. Paused, in its context. */
void pmu_page_set(struct pmu_event *e, struct perf_event_mmap_page *page);

#endif
