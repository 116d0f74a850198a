/* SPDX-License-Identifier: BSD-2-Clause */
/* msr_exit.h - MSRs that exit, and RDPMC. APM vol. 2, "MSR Intercepts". */
#ifndef VPMU_SVM_MSR_EXIT_H
#define VPMU_SVM_MSR_EXIT_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/*
 * vpmu_msrpm_init() - called on the boot CPU, once it has its model.
 * vpmu_msrpm_base() - the value for the VMCB.
 */
void vpmu_msrpm_init(struct vpmu_cpu *cpu);
uint64_t vpmu_msrpm_base(void);

/* vpmu_emulate_msr() - handles the exit of RDMSR or WRMSR. */
void vpmu_emulate_msr(struct vpmu_cpu *cpu);

/* vpmu_read_counter() - the counter that RDPMC reads with `ecx`; false: #GP. */
bool vpmu_read_counter(struct vpmu_cpu *cpu, uint32_t ecx, uint64_t *v);

#endif
