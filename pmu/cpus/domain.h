/* SPDX-License-Identifier: BSD-2-Clause */
/* domain.h - the CPUs that share units outside of the cores. */
#ifndef PMU_CPUS_DOMAIN_H
#define PMU_CPUS_DOMAIN_H

#include "pmu/state/state.h"

/*
 * The domains of each CPU for PMUs outside of the cores: CPUs with equal numbers share the unit.
 * pmu_domain_init() - detects those of this CPU, at start-up.
 */
struct pmu_domain {
	uint32_t package, l3;
};
extern struct pmu_domain *pmu_domains;
void pmu_domain_init(void);

#endif
