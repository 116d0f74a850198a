/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_idt.h - NMIs and interrupts that the host takes by its own IDT (host_idt.S). The host runs
 * with GIF clear, so they arrive in these three functions only.
 */
#ifndef VPMU_SVM_VCPU_HOST_IDT_H
#define VPMU_SVM_VCPU_HOST_IDT_H

#include "lib/percpu.h"
#include "vpmu/svm/vcpu/asm_layout.h"

#include <stdbool.h>
#include <stdint.h>

/* NMIs that this CPU's host has taken; never reset. */
extern PERCPU uint32_t vpmu_host_nmis;

/* The vector of the interrupt that the last vpmu_wait() or vpmu_take_interrupt() took; 0: none. */
extern PERCPU uint32_t vpmu_host_vector;

/* vpmu_drain_nmi() - takes and drops the NMI that is pending, if one is. */
void vpmu_drain_nmi(void);

/*
 * vpmu_wait() - halts until an NMI or, if `interrupts`, an interrupt arrives. The interrupt is
 * acknowledged at the APIC, and not ended: the guest's handler does that.
 * vpmu_take_interrupt() - takes an interrupt or NMI that is already pending, without waiting.
 */
void vpmu_wait(bool interrupts);
void vpmu_take_interrupt(void);

/* The entry points of the host's IDT: one gate of code for each vector. */
void vpmu_host_nmi(void);
extern const uint8_t vpmu_host_faults[HOST_FAULTS][HOST_GATE_SIZE];
extern const uint8_t vpmu_host_interrupts[HOST_VECTORS - HOST_FAULTS][HOST_GATE_SIZE];

#endif
