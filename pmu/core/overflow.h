/* SPDX-License-Identifier: BSD-2-Clause */
/* overflow.h - the master switch, and what happens when a counter wraps: see overflow.c. */
#ifndef PMU_CORE_OVERFLOW_H
#define PMU_CORE_OVERFLOW_H

#include "pmu/state/state.h"

/* The master switch. Task and IRQ context; pairs, does not nest. pmu_pause_at():
 * `regs` for samples whose overflow is found on the way. */
void pmu_pause(void);
void pmu_pause_at(const struct pmu_regs *regs);
void pmu_resume(void);
/* pmu_overflow() - `e` reached its period: books, limit, sample. `data` (NULL: nothing) is what the
 * event's kind knows of it beside `regs`. NMI, IRQ and paused task context.
 */
void pmu_overflow(struct pmu_event *e, const struct pmu_regs *regs,
		  const struct pmu_sample_data *data);

#endif
