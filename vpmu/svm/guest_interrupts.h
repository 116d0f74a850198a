/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_interrupts.h - the guest's NMIs and their blocking, its PMIs, its interrupts, and its HLT.
 */
#ifndef VPMU_SVM_GUEST_INTERRUPTS_H
#define VPMU_SVM_GUEST_INTERRUPTS_H

#include <stdbool.h>

struct vpmu_cpu;

/*
 * vpmu_pmi() - delivers a PMI as the APIC's LVTPC says.
 * vpmu_ibs_interrupt() - likewise for IBS, by AMD's extended LVT.
 */
void vpmu_pmi(struct vpmu_cpu *cpu);
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu);

/* vpmu_nmi_echo() - makes the delayed NMI of an injected fault pending, once it is due. */
void vpmu_nmi_echo(struct vpmu_cpu *cpu);

/* vpmu_nmi_arrived() - called when an NMI was taken: the fence's, the timer's, the plugin's, or the
 * guest's. */
void vpmu_nmi_arrived(struct vpmu_cpu *cpu);

/* vpmu_nmi_inject() - injects the pending NMI, unless NMIs are blocked or an event is set. */
void vpmu_nmi_inject(struct vpmu_cpu *cpu);

/* vpmu_halt() - waits once for an interrupt or NMI that may end the guest's HLT. */
void vpmu_halt(struct vpmu_cpu *cpu);

/* vpmu_interrupt_take() - takes a pending interrupt and sets it as the event, if the guest can take
 * it. False: no interrupt and no NMI has come. */
bool vpmu_interrupt_take(struct vpmu_cpu *cpu);

/*
 * vpmu_interrupt_offer() - the next run takes the waiting interrupt when it can.
 * vpmu_interrupt_taken() - called after that run: notes whether it did.
 */
void vpmu_interrupt_offer(const struct vpmu_cpu *cpu);
void vpmu_interrupt_taken(struct vpmu_cpu *cpu);

/* vpmu_fence() - makes the guest exit right after the delivery of the event that is set. */
void vpmu_fence(struct vpmu_cpu *cpu);

#endif
