/* SPDX-License-Identifier: BSD-2-Clause */
/* cpu_shared.h - the only state that CPUs share: sums, the loss of the plugin, and the packages. */
#ifndef VPMU_SVM_COUNT_CPU_SHARED_H
#define VPMU_SVM_COUNT_CPU_SHARED_H

#include "vpmu/model/platform.h"

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

extern struct vpmu_faults vpmu_faults; /* of the machine; set before any CPU is launched */

/* vpmu_shared_join() - called once the CPU has its model, and again when it was reset. */
void vpmu_shared_join(struct vpmu_cpu *cpu);

/* vpmu_shared_executed() - the CPU has executed `n` more instructions. */
void vpmu_shared_executed(const struct vpmu_cpu *cpu, uint64_t n);

/*
 * vpmu_shared_met_late() - sets the CPU's new maximum of instructions between an overflow and its
 * exit.
 * vpmu_shared_skid() - returns the maximum over all CPUs.
 */
void vpmu_shared_met_late(const struct vpmu_cpu *cpu, uint64_t instructions);
uint64_t vpmu_shared_skid(void);

/* vpmu_shared_lose() - notes that the counts of QEMU's plugin are lost, for all CPUs. */
void vpmu_shared_lose(void);
bool vpmu_shared_is_lost(void);

/*
 * vpmu_shared_lock() - takes the CPU's package, and fills `platform` as of now. Spins while another
 * CPU holds it. Up to vpmu_shared_unlock() no other CPU uses the package.
 */
void vpmu_shared_lock(struct vpmu_cpu *cpu, struct vpmu_platform *platform);
void vpmu_shared_unlock(const struct vpmu_cpu *cpu);

#endif
