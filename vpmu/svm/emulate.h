/* SPDX-License-Identifier: BSD-2-Clause */
/* emulate.h - executes instructions in the guest's place: those that enter or leave a ring. */
#ifndef VPMU_SVM_EMULATE_H
#define VPMU_SVM_EMULATE_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/*
 * vpmu_retire() - completes the emulated instruction of `length` bytes at RIP: counts it, moves RIP
 * to the next instruction, and traps if TF is set.
 * vpmu_pass_over() - the same without the trap.
 */
void vpmu_retire(struct vpmu_cpu *cpu, unsigned length);
void vpmu_pass_over(struct vpmu_cpu *cpu, unsigned length);

/*
 * vpmu_emulate_syscall() - called for a #UD: emulates SYSCALL, SYSENTER, and their returns.
 * vpmu_emulate_sysenter() - called for a #GP: emulates a SYSENTER whose selector is hidden.
 * False: the guest gets the exception.
 */
bool vpmu_emulate_syscall(struct vpmu_cpu *cpu);
bool vpmu_emulate_sysenter(struct vpmu_cpu *cpu);

/*
 * vpmu_sysenter_hide() - hides IA32_SYSENTER_CS, or shows it again.
 * vpmu_sysenter_set() - called when the guest writes `v` there.
 */
void vpmu_sysenter_hide(struct vpmu_cpu *cpu, bool hide);
void vpmu_sysenter_set(struct vpmu_cpu *cpu, uint64_t v);

/* vpmu_emulate_intn() - handles the exit of INTn, INT3 or INTO. */
void vpmu_emulate_intn(struct vpmu_cpu *cpu);

#endif
