/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event_inject.h - the event that the next VMRUN delivers (EVENT_INJ). A later call replaces it.
 * APM vol. 2, "Event Injection".
 */
#ifndef VPMU_SVM_VCPU_EVENT_INJECT_H
#define VPMU_SVM_VCPU_EVENT_INJECT_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

bool vpmu_event_set(void);

/*
 * vpmu_inject() - sets an exception.
 * vpmu_inject_error() - sets an exception with an error code.
 * vpmu_inject_software() - sets a software interrupt, as by INTn.
 */
void vpmu_inject(uint8_t vector);
void vpmu_inject_error(uint8_t vector, uint32_t error);
void vpmu_inject_software(uint8_t vector);

/* vpmu_takes_interrupts() - whether RFLAGS.IF is set and no interrupt shadow is active. */
bool vpmu_takes_interrupts(void);

/* vpmu_interrupt_due() - whether the guest will take the interrupt that the host holds for it
 * before its next instruction. */
bool vpmu_interrupt_due(const struct vpmu_cpu *cpu);

#endif
