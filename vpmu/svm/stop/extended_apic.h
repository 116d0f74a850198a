/* SPDX-License-Identifier: BSD-2-Clause */
/* extended_apic.h - AMD's extended interrupt registers of the local APIC, which QEMU lacks. */
#ifndef VPMU_SVM_STOP_EXTENDED_APIC_H
#define VPMU_SVM_STOP_EXTENDED_APIC_H

#include <stdint.h>

struct vpmu_cpu;

/* vpmu_eilvt_of() - the index of the register at `offset` of the APIC's page; VPMU_EILVTS: none. */
unsigned vpmu_eilvt_of(uint64_t offset);

/* vpmu_extended_apic_expect() - the guest has read `msr`. */
void vpmu_extended_apic_expect(struct vpmu_cpu *cpu, uint32_t msr);

/* Called around a step: before it, with cpu->decoder filled; after it, if it has completed. */
void vpmu_extended_apic_before(struct vpmu_cpu *cpu);
void vpmu_extended_apic_after(struct vpmu_cpu *cpu);

#endif
