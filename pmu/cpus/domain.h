/* SPDX-License-Identifier: BSD-2-Clause */
/* domain.h - which CPUs share what lies outside of the cores. */
#ifndef PMU_CPUS_DOMAIN_H
#define PMU_CPUS_DOMAIN_H

#include "pmu/state/state.h"

/*
 * Where each CPU is, by number, as far as PMUs outside of the cores go: CPUs share what
 * has the same number. pmu_domain_init() - of this one: at start-up.
 */
struct pmu_domain {
	uint32_t package, l3;
};
extern struct pmu_domain *pmu_domains;
void pmu_domain_init(void);

#endif
