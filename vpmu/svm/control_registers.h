/* SPDX-License-Identifier: BSD-2-Clause */
/* control_registers.h - the exits of MOV to CR0, CR3 and CR4. */
#ifndef VPMU_SVM_CONTROL_REGISTERS_H
#define VPMU_SVM_CONTROL_REGISTERS_H

#include <stdint.h>

struct vpmu_cpu;

/* vpmu_control_intercepts() - the value of vmcb.intercept_cr for the next run. */
uint32_t vpmu_control_intercepts(const struct vpmu_cpu *cpu);

/*
 * vpmu_check_control_write() - handles the exit of a write to CR0 or CR4.
 * vpmu_emulate_cr3_write() - handles the exit of a write to CR3.
 */
void vpmu_check_control_write(struct vpmu_cpu *cpu);
void vpmu_emulate_cr3_write(struct vpmu_cpu *cpu);

/* vpmu_on_invalid() - handles VMEXIT_INVALID: TCG has found reserved bits in a write. A VMRUN that
 * fails has the same code, and ends the machine. */
void vpmu_on_invalid(struct vpmu_cpu *cpu);

#endif
