/* SPDX-License-Identifier: BSD-2-Clause */
/* page.h - control pages, which ring 3 reads: see page.c. */
#ifndef PMU_STATE_PAGE_H
#define PMU_STATE_PAGE_H

#include "pmu/state/state.h"

/*
 * pmu_pages_changed() - after whatever changed events that run here. pmu_pages_moved(): in
 * an NMI, which changes no times. pmu_pages_update() - those of a context that does not run here:
 * it is just leaving this CPU, or is active nowhere and locked.
 * pmu_page_list(), pmu_page_unlist() - `e` has a page, and a place in its context's list.
 */
void pmu_pages_changed(void);
void pmu_pages_moved(void);
void pmu_pages_update(const struct pmu_context *context);
void pmu_page_list(struct pmu_event *e);
void pmu_page_unlist(struct pmu_event *e);

/* pmu_page_set() - `page` (NULL: none) is the control page of `e` from now on. Paused, in its
 * context. */
void pmu_page_set(struct pmu_event *e, struct perf_event_mmap_page *page);

#endif
