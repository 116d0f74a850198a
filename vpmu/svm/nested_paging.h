/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nested_paging.h - nested paging, by which vpmu sees the guest's writes to its local APIC. APM
 * vol. 2, "Nested Paging".
 */
#ifndef VPMU_SVM_NESTED_PAGING_H
#define VPMU_SVM_NESTED_PAGING_H

#include <stdbool.h>

struct vpmu_cpu;

/* vpmu_nested_init() - on each CPU, before its first run. */
void vpmu_nested_init(void);

/* vpmu_nested_fault() - the exit. */
void vpmu_nested_fault(struct vpmu_cpu *cpu);

/* vpmu_nested_expect() - before a run. vpmu_nested_end(): behind it; `completed`: it was a step,
 * and its instruction has completed. */
void vpmu_nested_expect(struct vpmu_cpu *cpu);
void vpmu_nested_end(struct vpmu_cpu *cpu, bool completed);

#endif
