/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * quick_exit.h - exits that are completed at once, without accounting and without preparing the
 * next run. Their instructions are owed: the next slow exit adds them to the counters.
 */
#ifndef VPMU_SVM_COUNT_QUICK_EXIT_H
#define VPMU_SVM_COUNT_QUICK_EXIT_H

#include "vpmu/svm/vcpu/vcpu.h"

#include <stdbool.h>
#include <stdint.h>

/* Entry points of vmrun.S, which run the guest. vpmu_run_guest_by_clock is for a guest whose TSC
 * has stood still since the last exit. */
extern const uint8_t vpmu_run_guest[], vpmu_run_guest_by_clock[];

/* vpmu_quick_init() - called once the CPU has its model. */
void vpmu_quick_init(struct vpmu_cpu *cpu);

/* vpmu_quick_forget() - forgets the pages of quick instructions, so that from here on the same code
 * takes the same time. */
void vpmu_quick_forget(struct vpmu_cpu *cpu);

/* vpmu_quick_add() - allows quick exits for `msr`, which exits. */
void vpmu_quick_add(struct vpmu_cpu *cpu, uint32_t msr);

/* vpmu_quick_expect() - called at the end of vpmu_prepare(): decides how many instructions quick
 * exits of the next run may owe. */
void vpmu_quick_expect(struct vpmu_cpu *cpu);

/* vpmu_quick_can() - returns whether the exit can be quick, unless the instruction's own effect
 * needs a slow one. An instruction with prefixes cannot be quick. */
bool vpmu_quick_can(const struct vpmu_cpu *cpu, enum vpmu_quick_code kind);

/* vpmu_quick_wrmsr() - writes the MSR; false: the write cannot be quick, and nothing is written. */
bool vpmu_quick_wrmsr(struct vpmu_cpu *cpu);

/* vpmu_quick_end() - completes the instruction; returns the label at which run.S continues. */
const uint8_t *vpmu_quick_end(struct vpmu_cpu *cpu);

/* vpmu_quick_learn() - after a slow exit: remembers its page of code, so that the next exit there
 * may be quick. */
void vpmu_quick_learn(struct vpmu_cpu *cpu);

/*
 * vpmu_quick_owed() - returns the number of owed instructions.
 * vpmu_quick_settle() - returns that number and resets it; the caller accounts for them.
 */
uint64_t vpmu_quick_owed(const struct vpmu_cpu *cpu);
uint64_t vpmu_quick_settle(struct vpmu_cpu *cpu);

#endif
