/* SPDX-License-Identifier: BSD-2-Clause */
/* ipi.h - INIT and SIPI that the guest sends: the CPUs that it starts come under vpmu. */
#ifndef VPMU_SVM_IPI_H
#define VPMU_SVM_IPI_H

#include "include/perf0/vpmu.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * vpmu_ipi_init() - called once, on the boot CPU.
 * vpmu_ipi_watched() - returns whether CPUs that the guest starts come under vpmu.
 */
void vpmu_ipi_init(const struct vpmu_config *config, uint64_t host_cr3);
bool vpmu_ipi_watched(void);

/* vpmu_apic_written() - performs the guest's write of an xAPIC register, named by its offset. */
void vpmu_apic_written(uint32_t offset, uint32_t value);

/*
 * vpmu_ipi_has_msr() - returns whether `msr` is the x2APIC's ICR, and exits. The other functions
 * are for that MSR.
 * vpmu_ipi_msr_faults() - returns whether WRMSR of `v` raises #GP.
 * vpmu_ipi_rdmsr() - false: RDMSR raises #GP.
 */
bool vpmu_ipi_has_msr(uint32_t msr);
bool vpmu_ipi_msr_faults(uint64_t v);
void vpmu_ipi_wrmsr(uint64_t v);
bool vpmu_ipi_rdmsr(uint64_t *v);

#endif
