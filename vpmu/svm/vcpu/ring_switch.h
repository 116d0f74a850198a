/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring_switch.h - recognises SYSCALL, SYSRET, SYSENTER and SYSEXIT at the guest's RIP. emulate.c
 * executes them.
 */
#ifndef VPMU_SVM_VCPU_RING_SWITCH_H
#define VPMU_SVM_VCPU_RING_SWITCH_H

#include "vpmu/svm/vcpu/vcpu.h"

#include <stdbool.h>
#include <stdint.h>

#define SELECTOR_RPL 3u

/* Refused instructions raise #GP. */
enum vpmu_ring_switch {
	SWITCH_NONE,
	SWITCH_SYSCALL,
	SWITCH_SYSRET32,
	SWITCH_SYSRET64,
	SWITCH_SYSRET_REFUSED,
	SWITCH_SYSENTER,
	SWITCH_SYSEXIT32,
	SWITCH_SYSEXIT64,
	SWITCH_SYSENTER_REFUSED,
};

/* vpmu_ring_switch_at_rip() - the kind of the instruction at RIP, by the guest's EFER, CPL and
 * selector; SWITCH_NONE outside of long mode. */
enum vpmu_ring_switch vpmu_ring_switch_at_rip(const struct vpmu_cpu *cpu);

/* vpmu_sysenter_cs() - the selector that SYSENTER and SYSEXIT use; 0: both raise #GP. */
static inline uint16_t vpmu_sysenter_cs(const struct vpmu_cpu *cpu)
{
	return cpu->switches.sysenter_cs & ~SELECTOR_RPL;
}

/* vpmu_is_syscall() - whether RIP is at a SYSCALL or SYSRET, refused or not. */
bool vpmu_is_syscall(const struct vpmu_cpu *cpu);

/* vpmu_is_hidden_sysenter() - whether the exit is the #GP of a SYSENTER whose selector vpmu has
 * hidden. */
bool vpmu_is_hidden_sysenter(const struct vpmu_cpu *cpu);

/* vpmu_completes() - whether vpmu completes the instruction of this exit by emulating it: INTn, or
 * a ring switch that is not refused. */
bool vpmu_completes(const struct vpmu_cpu *cpu);

#endif
