/* SPDX-License-Identifier: BSD-2-Clause */
/* debug_registers.h - the exits of MOV from and to DR6, which exit while vpmu steps. */
#ifndef VPMU_SVM_DEBUG_REGISTERS_H
#define VPMU_SVM_DEBUG_REGISTERS_H

struct vpmu_cpu;

void vpmu_emulate_dr6_read(struct vpmu_cpu *cpu);
void vpmu_emulate_dr6_write(struct vpmu_cpu *cpu);

#endif
