/* SPDX-License-Identifier: BSD-2-Clause */
/* occur.h - events that are counted where they happen: see occur.c. */
#ifndef PMU_CORE_OCCUR_H
#define PMU_CORE_OCCUR_H

#include "pmu/state/state.h"

/*
 * pmu_occur() - what `e` counts happened `n` times, at once: counts, and overflows
 * where a period is over, with `regs` and `data` for the samples. Any context; NMIs may come in
 * between with hits of their own.
 */
void pmu_occur(struct pmu_event *e, uint64_t n, const struct pmu_regs *regs,
	       const struct pmu_sample_data *data);

#endif
