/* SPDX-License-Identifier: BSD-2-Clause */
/* self_check.h - checks that this machine counts as vpmu expects. It runs as the guest, right after
 * launch. */
#ifndef VPMU_SVM_SELF_CHECK_H
#define VPMU_SVM_SELF_CHECK_H

#include <stdbool.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_self_check() - returns whether every kind of exit counts exactly and the guest does not see
 * steps. Counts and stops that the plugin gets wrong are given up; they do not fail the check.
 * Called with interrupts off. */
bool vpmu_self_check(struct vpmu_cpu *cpu);

/* vpmu_tune_timer() - stops the guest by the timer until vpmu_timer_early() knows how early that
 * is. It takes a clock that counts instructions. */
void vpmu_tune_timer(struct vpmu_cpu *cpu);

/* vpmu_measure_overhead() - TSC ticks of a run in which the guest executes nothing: the median of
 * many runs. */
uint64_t vpmu_measure_overhead(const struct vpmu_cpu *cpu);

#endif
