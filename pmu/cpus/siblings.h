/* SPDX-License-Identifier: BSD-2-Clause */
/* siblings.h - resources that the hyper-threads of a core cannot both use: see siblings.c. */
#ifndef PMU_CPUS_SIBLINGS_H
#define PMU_CPUS_SIBLINGS_H

#include "pmu/state/state.h"

/*
 * pmu_siblings_init() - called at start-up, once pmu.sibling.hyper_threading is known.
 * pmu_siblings_tick() - pmu_tick() with regard to the siblings. Where pmu.sibling.shares is set;
 * paused.
 * pmu_siblings_stopped() - some events have stopped. Where pmu.sibling.shares is set; paused.
 */
void pmu_siblings_init(void);
void pmu_siblings_tick(struct pmu_tick *t);
void pmu_siblings_stopped(void);

#endif
