/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * meter.h - events that count by an MSR which is never written, never interrupts, and counts in all
 * rings. The MSR is read when the event begins, when it ends, and often enough in between that it
 * cannot wrap unseen. Some of these MSRs always count; the others count what their control register
 * selects.
 *
 * They need no counter of the core PMU, are not multiplexed, and do not sample.
 */
#ifndef PMU_X86_METER_H
#define PMU_X86_METER_H

#include "pmu/state/state.h"

extern const struct pmu_class pmu_meter_class;

/*
 * pmu_meter_init() - makes `e` an event that `m` counts, or refuses an attr that no meter supports
 * with EINVAL. `pmu` is the name of its PMU, for the reason. With m->control, e->config is the
 * value of the control register. Task context.
 */
int pmu_meter_init(struct pmu_event *e, const char *pmu, const struct pmu_meter *m,
		   struct reason *why);

/*
 * pmu_meter_needs_cpu() - refuses a task as the target of `e`, whose PMU counts for more than a
 * CPU: EINVAL. Task context.
 */
int pmu_meter_needs_cpu(const struct pmu_event *e, struct reason *why);

/*
 * pmu_tsc_moved() - the TSC was set `ticks` forward: events that count the TSC leave these out. Any
 * context.
 */
void pmu_tsc_moved(int64_t ticks);

#endif
