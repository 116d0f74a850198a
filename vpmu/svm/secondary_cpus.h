/* SPDX-License-Identifier: BSD-2-Clause */
/* secondary_cpus.h - the CPUs other than the boot CPU. Each has a place, by its APIC id, from
 * launch on. */
#ifndef VPMU_SVM_SECONDARY_CPUS_H
#define VPMU_SVM_SECONDARY_CPUS_H

#include "include/perf0/vpmu.h"
#include "vpmu/svm/vcpu/asm_layout.h"

#include <stddef.h>
#include <stdint.h>

/* Memory of a CPU that may not run yet. start.S uses the layout. */
struct vpmu_place {
	uint32_t apic_id;
	unsigned tables; /* page tables in use */
	uint8_t *memory; /* vpmu_cpu_bytes(): the first stack, page tables, PERCPU variables */
	uint8_t vector;  /* vector of the guest's last SIPI to this CPU */
};
_Static_assert(offsetof(struct vpmu_place, apic_id) == PLACE_APIC_ID, "asm_layout.h disagrees");
_Static_assert(offsetof(struct vpmu_place, memory) == PLACE_MEMORY, "asm_layout.h disagrees");
_Static_assert(sizeof(struct vpmu_place) == PLACE_BYTES, "asm_layout.h disagrees");

extern struct vpmu_place vpmu_places[];
extern uint32_t vpmu_places_n;

/* vpmu_cpus_init() - called once, on the boot CPU. */
void vpmu_cpus_init(uint64_t host_cr3, const struct vpmu_config *config);

/*
 * vpmu_cpu_enlist() - builds the page tables of the CPU of `place`, with zeroed PERCPU variables,
 * and returns their CR3. start.S calls it on that CPU, on the boot CPU's page tables.
 */
uint64_t vpmu_cpu_enlist(struct vpmu_place *place);

/* vpmu_place_number() - host.number of that CPU; the boot CPU has no place. */
static inline unsigned vpmu_place_number(const struct vpmu_place *place)
{
	return (unsigned)(place - vpmu_places) + 1;
}

/* vpmu_apic_id() - the APIC id of the calling CPU: its x2APIC id if CPUID has leaf 0BH. */
uint32_t vpmu_apic_id(void);

#endif
