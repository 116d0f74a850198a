/* SPDX-License-Identifier: BSD-2-Clause */
/* tfa.h - counters that transactions use: see tfa.c. */
#ifndef PMU_CORE_TFA_H
#define PMU_CORE_TFA_H

/* pmu_tfa_init() - called at start-up. */
void pmu_tfa_init(void);

#endif
