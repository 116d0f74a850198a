/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program_cpuid.h - the CPU that programs of ring 3 find in CPUID where a level of x86-64 was asked
 * for. It is the same below each personality, and whatever is counted, so libraries choose the same
 * code everywhere. It has the features of its level and no others, one logical CPU, and the caches
 * of a Nehalem. Ring 0 finds the personality.
 */
#ifndef VPMU_SVM_PROGRAM_CPUID_H
#define VPMU_SVM_PROGRAM_CPUID_H

#include "arch/x86/insn.h"

#include <stdbool.h>
#include <stdint.h>

/* program_cpuid() - turns the answer in `r`, which ring 0 would get, into that of a CPU of `level`
 * (1 to PROGRAM_LEVELS). Ids of the CPU and widths of addresses stay. Any context. */
#define PROGRAM_LEVELS 3
void program_cpuid(unsigned level, uint32_t leaf, uint32_t subleaf, struct cpuid_regs *r);

/* program_level_runs() - whether the machine below has all features of `level`. `ask` executes
 * CPUID there. */
bool program_level_runs(unsigned level, struct cpuid_regs (*ask)(uint32_t leaf, uint32_t subleaf));

#endif
