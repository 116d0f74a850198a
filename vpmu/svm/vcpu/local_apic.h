/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * local_apic.h - the machine's local APIC, in xAPIC and x2APIC mode. A register is named by its
 * offset in the xAPIC page, in bytes. SDM vol. 3, "Local APIC Registers".
 */
#ifndef VPMU_SVM_VCPU_LOCAL_APIC_H
#define VPMU_SVM_VCPU_LOCAL_APIC_H

#include <stdbool.h>
#include <stdint.h>

#define X2APIC_SHIFT 4 /* an MSR for each 16 bytes of the page */

/* vpmu_is_x2apic() - whether the APIC is in x2APIC mode, by the value `base` of IA32_APIC_BASE. */
bool vpmu_is_x2apic(uint64_t base);

/* vpmu_apic_page() - the physical address of the registers where IA32_APIC_BASE has `base`. */
uint64_t vpmu_apic_page(uint64_t base);

uint32_t vpmu_apic_read(uint32_t offset);
void vpmu_apic_write(uint32_t offset, uint32_t value);

#endif
