/* SPDX-License-Identifier: BSD-2-Clause */
/* mux.h - time slices: see mux.c. */
#ifndef PMU_CORE_MUX_H
#define PMU_CORE_MUX_H

#include "pmu/state/state.h"

/* pmu_mux_update() - sets the timer to the slice that ends first, or cancels it. Paused. */
void pmu_mux_update(void);
void pmu_mux_suspend(struct pmu_context *task); /* keeps the rest of its slice for later */

#endif
