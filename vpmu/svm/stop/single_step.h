/* SPDX-License-Identifier: BSD-2-Clause */
/* single_step.h - lets the guest execute exactly one instruction, without its notice. */
#ifndef VPMU_SVM_STOP_SINGLE_STEP_H
#define VPMU_SVM_STOP_SINGLE_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;
struct vpmu_step;

/*
 * vpmu_step_wanted() - returns whether the next run is a step.
 * vpmu_step_from() - returns the number of instructions until stepping should begin.
 */
bool vpmu_step_wanted(const struct vpmu_cpu *cpu);
uint64_t vpmu_step_from(const struct vpmu_cpu *cpu);

/* vpmu_step_look() - looks at the next instruction and notes whether it can be stepped. */
void vpmu_step_look(struct vpmu_cpu *cpu);

/*
 * vpmu_step_begin() - prepares the step.
 * vpmu_step_end() - called after the step; true: the exit was the step's own #DB, and is handled.
 */
void vpmu_step_begin(struct vpmu_cpu *cpu);
bool vpmu_step_end(struct vpmu_cpu *cpu);

/*
 * On machines where the guest stops late, each overflow has a budget of steps.
 * vpmu_step_count() - takes a step from the budget; called after each run.
 * vpmu_step_refill() - restores the budget; called when an overflow was met.
 */
void vpmu_step_count(struct vpmu_cpu *cpu);
void vpmu_step_refill(struct vpmu_cpu *cpu);

#endif
