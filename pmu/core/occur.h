/* SPDX-License-Identifier: BSD-2-Clause */
/* occur.h - events that are counted where they occur: see occur.c. */
#ifndef PMU_CORE_OCCUR_H
#define PMU_CORE_OCCUR_H

#include "pmu/state/state.h"

/*
 * pmu_occur() - counts `n` simultaneous occurrences for `e`, with overflows for completed periods;
 * `regs` and `data` are for the samples. Any context; NMIs with hits of their own may come in
 * between.
 */
void pmu_occur(struct pmu_event *e, uint64_t n, const struct pmu_regs *regs,
	       const struct pmu_sample_data *data);

#endif
