/* SPDX-License-Identifier: BSD-2-Clause */
/* control.h - changes of what is open: see control.c. */
#ifndef PMU_CORE_CONTROL_H
#define PMU_CORE_CONTROL_H

#include "pmu/state/state.h"

/*
 * Between these two nothing counts and nothing interrupts but NMIs that find nothing;
 * all that changes meanwhile changes at pmu.now.
 */
uint64_t pmu_begin_change(void);
void pmu_end_change(uint64_t irq);
void pmu_set_enabled(struct pmu_event *e); /* does not schedule. Paused */

/* pmu_enable_within(), pmu_disable_within() - pmu_event_enable(), pmu_event_disable(), within an
 * operation. */
void pmu_enable_within(struct pmu_event *e);
void pmu_disable_within(struct pmu_event *e);

/* pmu_change() - where its context is active, between pmu_begin_change() and pmu_end_change(), `fn`
 * for one event, and then a new decision where it `schedules`. Task and IRQ context, not paused. */
void pmu_change(struct pmu_event *e, void (*fn)(struct pmu_event *e), bool schedules);

#endif
