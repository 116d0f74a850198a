/* SPDX-License-Identifier: BSD-2-Clause */
/* control.h - changes of open events: see control.c. */
#ifndef PMU_CORE_CONTROL_H
#define PMU_CORE_CONTROL_H

#include "pmu/state/state.h"

/*
 * Between these two calls no event counts, and only NMIs interrupt, which find nothing to serve.
 * All changes in between happen at the time pmu.now.
 */
uint64_t pmu_begin_change(void);
void pmu_end_change(uint64_t irq);
void pmu_set_enabled(struct pmu_event *e); /* enables it, without scheduling. Paused */

/*
 * pmu_enable_within(), pmu_disable_within() - pmu_event_enable() and pmu_event_disable() within an
 * operation.
 */
void pmu_enable_within(struct pmu_event *e);
void pmu_disable_within(struct pmu_event *e);

/*
 * pmu_change() - calls `fn` for the event on the CPU where its context is active, between
 * pmu_begin_change() and pmu_end_change(); `schedules`: then schedules. Task and IRQ context, not
 * paused.
 */
void pmu_change(struct pmu_event *e, void (*fn)(struct pmu_event *e), bool schedules);

#endif
