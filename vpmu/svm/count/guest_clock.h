/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_clock.h - counts what the guest has executed, in instructions and TSC ticks. */
#ifndef VPMU_SVM_COUNT_GUEST_CLOCK_H
#define VPMU_SVM_COUNT_GUEST_CLOCK_H

#include "include/perf0/vpmu.h"

#include <stdint.h>

struct vpmu_cpu;

/*
 * vpmu_clock_own() - from now on the guest's TSC advances only by the guest's own instructions.
 * Requires clock.exact. Called on the CPU, between two runs.
 */
void vpmu_clock_own(struct vpmu_cpu *cpu);

/*
 * vpmu_clock_modelled() - the same, but the TSC advances by the modelled cycles of the guest, from
 * its first measurement on. vpmu_clock_measures() - a measurement begins.
 * vpmu_clock_cycles() - the core cycles of the CPU up to the exit: the modelled ones, or else those
 * of `instructions`, at the rate of the TSC.
 */
void vpmu_clock_modelled(struct vpmu_cpu *cpu);
void vpmu_clock_measures(struct vpmu_cpu *cpu);
uint64_t vpmu_clock_cycles(const struct vpmu_cpu *cpu, uint64_t instructions);

/* vpmu_clock_kind() - what the guest's time goes by. */
enum vpmu_clock vpmu_clock_kind(const struct vpmu_cpu *cpu);

/* vpmu_clock_then() - the machine's TSC at the exit, as the guest would see it with a TSC offset of
 * 0. */
uint64_t vpmu_clock_then(const struct vpmu_cpu *cpu);

/* vpmu_clock_slept() - called when a HLT of the guest has waited for `ticks` of the TSC. */
void vpmu_clock_slept(struct vpmu_cpu *cpu, uint64_t ticks);

/* vpmu_clock_start() - called right before a run. */
void vpmu_clock_start(struct vpmu_cpu *cpu);

/* vpmu_clock_account() - called right after a run: tells the model what the run has executed.
 * `included`: instructions that the TSC has counted, but that did not complete. */
void vpmu_clock_account(struct vpmu_cpu *cpu, uint64_t included);

/* vpmu_clock_one() - counts one emulated instruction, in the ring of the guest's CPL. */
void vpmu_clock_one(struct vpmu_cpu *cpu);

#endif
