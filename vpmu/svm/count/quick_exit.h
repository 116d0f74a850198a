/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quick_exit.h - exits that are completed at once: no accounting, no new preparation. Their
 * instructions are owed until the next slow exit.
 */
#ifndef VPMU_SVM_COUNT_QUICK_EXIT_H
#define VPMU_SVM_COUNT_QUICK_EXIT_H

#include "vpmu/svm/vcpu/vcpu.h"

#include <stdbool.h>
#include <stdint.h>

/* Entry points of vmrun.S: the guest runs. vpmu_run_guest_by_clock: after the guest's TSC has stood
 * still since the last exit. */
extern const uint8_t vpmu_run_guest[], vpmu_run_guest_by_clock[];

/* vpmu_quick_init() - once the CPU has its model. */
void vpmu_quick_init(struct vpmu_cpu *cpu);

/* vpmu_quick_forget() - forgets where quick instructions lie: from here on the same code takes the
 * same time. */
void vpmu_quick_forget(struct vpmu_cpu *cpu);

/* vpmu_quick_add() - `msr`, which exits, may be quick. */
void vpmu_quick_add(struct vpmu_cpu *cpu, uint32_t msr);

/* vpmu_quick_expect() - at the end of vpmu_prepare(): decides how quick the coming run may be. */
void vpmu_quick_expect(struct vpmu_cpu *cpu);

/* vpmu_quick_can() - whether the instruction has no prefixes, so that only its own effect can still
 * make the exit slow. */
bool vpmu_quick_can(const struct vpmu_cpu *cpu, enum vpmu_quick_code kind);

/* vpmu_quick_wrmsr() - writes the MSR, if that can be quick; false: it cannot, nothing is written.
 */
bool vpmu_quick_wrmsr(struct vpmu_cpu *cpu);

/* vpmu_quick_end() - completes the instruction; returns the label that run.S goes on at. */
const uint8_t *vpmu_quick_end(struct vpmu_cpu *cpu);

/* vpmu_quick_learn() - after a slow exit: remembers its page of code, so that the next exit there
 * may be quick. */
void vpmu_quick_learn(struct vpmu_cpu *cpu);

/* vpmu_quick_owed() - instructions of quick exits that are not accounted for yet.
 * vpmu_quick_settle(): the same; the caller accounts for them. */
uint64_t vpmu_quick_owed(const struct vpmu_cpu *cpu);
uint64_t vpmu_quick_settle(struct vpmu_cpu *cpu);

#endif
