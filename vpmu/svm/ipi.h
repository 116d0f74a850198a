/* SPDX-License-Identifier: BSD-2-Clause */
/* ipi.h - INIT and SIPI that the guest sends: the CPUs that it starts come under vpmu. */
#ifndef VPMU_SVM_IPI_H
#define VPMU_SVM_IPI_H

#include "include/perf0/vpmu.h"

#include <stdbool.h>
#include <stdint.h>

/* vpmu_ipi_init() - on the boot CPU, once. vpmu_ipi_watched(): CPUs that the guest starts come
 * under vpmu. */
void vpmu_ipi_init(const struct vpmu_config *config, uint64_t host_cr3);
bool vpmu_ipi_watched(void);

/* vpmu_apic_written() - does the guest's write of an xAPIC register, by its offset in the page. */
void vpmu_apic_written(uint32_t offset, uint32_t value);

/* vpmu_ipi_has_msr() - `msr` is the x2APIC's ICR, and exits. The others are for that MSR:
 * vpmu_ipi_msr_faults() - WRMSR of `v` raises #GP; vpmu_ipi_rdmsr(): false if RDMSR does. */
bool vpmu_ipi_has_msr(uint32_t msr);
bool vpmu_ipi_msr_faults(uint64_t v);
void vpmu_ipi_wrmsr(uint64_t v);
bool vpmu_ipi_rdmsr(uint64_t *v);

#endif
