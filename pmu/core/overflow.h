/* SPDX-License-Identifier: BSD-2-Clause */
/* overflow.h - the master switch, and the handling of overflows: see overflow.c. */
#ifndef PMU_CORE_OVERFLOW_H
#define PMU_CORE_OVERFLOW_H

#include "pmu/state/state.h"

/*
 * pmu_pause(), pmu_resume() - the master switch. Task and IRQ context; they pair and do not nest.
 * pmu_pause_at() - the same with `regs` for samples of pending overflows.
 */
void pmu_pause(void);
void pmu_pause_at(const struct pmu_regs *regs);
void pmu_resume(void);
/*
 * pmu_overflow() - called when `e` has completed its period: updates the balance of samples and the
 * limit, and writes the sample. `data` (NULL: none) has facts of this kind of event in addition to
 * `regs`. NMI, IRQ and paused task context.
 */
void pmu_overflow(struct pmu_event *e, const struct pmu_regs *regs,
		  const struct pmu_sample_data *data);

#endif
