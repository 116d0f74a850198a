/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * meter.h - events that an MSR counts which is never written, never interrupts, and counts in all
 * rings. It is read when the event begins, when it ends, and often enough in between that it cannot
 * wrap unseen.
 * Some of them count by themselves, others what their control register says.
 *
 * They need no counter of the core PMU, take no turns, and do not sample.
 */
#ifndef PMU_X86_METER_H
#define PMU_X86_METER_H

#include "pmu/state/state.h"

extern const struct pmu_class pmu_meter_class;

/*
 * pmu_meter_init() - makes `e` an event that `m` counts, or refuses what no meter can do; `pmu` is
 * the name of its PMU, for the reason. With m->control, e->config is what goes there. EINVAL. Task
 * context.
 */
int pmu_meter_init(struct pmu_event *e, const char *pmu, const struct pmu_meter *m,
		   struct reason *why);

/* pmu_meter_needs_cpu() - refuses a task as the target of `e`, whose PMU counts for more than a
 * CPU: EINVAL. Task context. */
int pmu_meter_needs_cpu(const struct pmu_event *e, struct reason *why);

/* pmu_tsc_moved() - the TSC was set `ticks` forward: what counts it does not count these. Any
 * context. */
void pmu_tsc_moved(int64_t ticks);

/* The PMUs of this kind: each sets the class of an event of its type, or refuses it with ENOENT,
 * EINVAL or EBUSY. Task context. */

#endif
