/* SPDX-License-Identifier: BSD-2-Clause */
/* mux.h - time slices: see mux.c. */
#ifndef PMU_CORE_MUX_H
#define PMU_CORE_MUX_H

#include "pmu/state/state.h"

/* pmu_mux_update() - arms the timer for the slice that ends first, and calls it off when none does.
 * Paused. */
void pmu_mux_update(void);
void pmu_mux_suspend(struct pmu_context *task); /* the rest of its slice is for later */

#endif
