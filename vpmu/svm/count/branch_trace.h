/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch_trace.h - branches that are traced into the guest's memory: BTS and Intel PT
 * (vpmu/model/model_trace.h).
 */
#ifndef VPMU_SVM_COUNT_BRANCH_TRACE_H
#define VPMU_SVM_COUNT_BRANCH_TRACE_H

#include "include/perf0/events_page.h"

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_trace_control() - begins or ends the trace; called after an exit, once all registers are
 * final. */
void vpmu_trace_control(struct vpmu_cpu *cpu);

/*
 * vpmu_trace_wants_cr3() - returns whether each MOV to CR3 must exit.
 * vpmu_trace_cr3() - called after such a MOV.
 */
bool vpmu_trace_wants_cr3(const struct vpmu_cpu *cpu);
void vpmu_trace_cr3(struct vpmu_cpu *cpu);

/* last_branches.c calls these from its functions of like names. */
void vpmu_trace_expect(struct vpmu_cpu *cpu);
void vpmu_trace_take(struct vpmu_cpu *cpu);
void vpmu_trace_emulated(struct vpmu_cpu *cpu, uint64_t from);

/* vpmu_trace_target() - adds the target that stops the guest before the log is full, as target `n`.
 * Returns the new number of targets. */
unsigned vpmu_trace_target(const struct vpmu_cpu *cpu, struct events_target *targets, unsigned n);

#endif
