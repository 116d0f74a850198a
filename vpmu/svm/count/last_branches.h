/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * last_branches.h - last branch records. QEMU's plugin adds the branches that the guest executes,
 * vpmu those that it emulates.
 */
#ifndef VPMU_SVM_COUNT_LAST_BRANCHES_H
#define VPMU_SVM_COUNT_LAST_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_branches_on() - whether branches are recorded or traced, and the plugin reports them. */
bool vpmu_branches_on(const struct vpmu_cpu *cpu);

/*
 * vpmu_branches_expect() - called before a run, right before the timer is set.
 * vpmu_branches_stop() - called after the run, before the bell. Requires events.own.
 * vpmu_branches_take() - takes the run's branches; called after the bell. Requires events.own.
 */
void vpmu_branches_expect(struct vpmu_cpu *cpu);
void vpmu_branches_stop(struct vpmu_cpu *cpu);
void vpmu_branches_take(struct vpmu_cpu *cpu);

/* vpmu_branch_emulated() - records an emulated far branch from the linear address `from` to RIP. */
void vpmu_branch_emulated(struct vpmu_cpu *cpu, uint64_t from);

#endif
