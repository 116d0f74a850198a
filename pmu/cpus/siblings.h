/* SPDX-License-Identifier: BSD-2-Clause */
/* siblings.h - what the hyper-threads of a core cannot both have: see siblings.c. */
#ifndef PMU_CPUS_SIBLINGS_H
#define PMU_CPUS_SIBLINGS_H

#include "pmu/state/state.h"

/*
 * pmu_siblings_init() - at start-up, once pmu.hyper_threading is known. The others
 * where pmu.shares is set: pmu_siblings_tick() - pmu_tick(), beside what the siblings have.
 * pmu_siblings_stopped(): some that counted do not any more. Paused, both.
 */
void pmu_siblings_init(void);
void pmu_siblings_tick(struct pmu_tick *t);
void pmu_siblings_stopped(void);

#endif
