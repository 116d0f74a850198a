// SPDX-License-Identifier: BSD-2-Clause
/*
 * domain.c - finds the CPUs that share units outside of the cores: a package, an L3. SDM vol. 3,
 * "Detecting Hardware Multi-threading Support and Topology"; APM vol. 3, "Cache Topology
 * Information".
 */
#include "pmu/state/state.h"
#include "pmu/names/dynamic.h"
#include "pmu/cpus/domain.h"
#include "lib/bits.h"

#define L3_THREADS CPUID_FACT(0x8000001d, 3, EAX, 14, 25) /* minus one */
#define ZEN_FAMILY 0x17

BY_CPU(struct pmu_domain, pmu_domains);

void pmu_domain_init(void)
{
	const bool amd = pmu.caps->vendor == CPU_VENDOR_AMD && pmu.caps->family >= ZEN_FAMILY;
	struct pmu_domain *d = &pmu_domains[pmu.host->current->cpu];
	struct cpu_place place;

	cpuid_place(&place);
	*d = (struct pmu_domain){.package = place.package, .l3 = place.package};
	if (amd)
		d->l3 = place.apic_id >> bits_to_number(cpuid_fact(L3_THREADS) + 1);
}

bool pmu_cpus_share(uint32_t type, unsigned a, unsigned b)
{
	const struct pmu_domain *x = &pmu_domains[a], *y = &pmu_domains[b];
	const struct dynamic_pmu *p = dynamic_pmu_of(type);

	switch (p ? p->scope : DYNAMIC_CPU) {
	case DYNAMIC_PACKAGE:
		return x->package == y->package;
	case DYNAMIC_L3:
		return x->package == y->package && x->l3 == y->l3;
	default:
		return a == b;
	}
}
