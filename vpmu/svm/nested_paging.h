/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nested_paging.h - nested paging, by which vpmu notices the guest's writes to its local APIC. APM
 * vol. 2, "Nested Paging".
 */
#ifndef VPMU_SVM_NESTED_PAGING_H
#define VPMU_SVM_NESTED_PAGING_H

#include <stdbool.h>

struct vpmu_cpu;

/* vpmu_nested_init() - called on each CPU, before its first run. */
void vpmu_nested_init(void);

/* vpmu_nested_fault() - handles the exit of a nested page fault. */
void vpmu_nested_fault(struct vpmu_cpu *cpu);

/*
 * vpmu_nested_expect() - called before a run.
 * vpmu_nested_end() - called after it; `completed`: the run was a step, and its instruction has
 * completed.
 */
void vpmu_nested_expect(struct vpmu_cpu *cpu);
void vpmu_nested_end(struct vpmu_cpu *cpu, bool completed);

#endif
