/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exit_costs.h - the instructions of vpmu for an access of the guest's to the PMU, where the
 * machine's time goes by instructions: the TSC counts those of guest and host, a counter those of
 * the guest.
 */
#ifndef APPS_EXIT_COSTS_H
#define APPS_EXIT_COSTS_H

#include <stdbool.h>
#include <stdint.h>

/* The kinds of access that are measured. Writes spare general counters that count something. */
enum exit_access {
	EXIT_RDMSR_COUNTER, /* the counter of pmu/own/self.h, which counts */
	EXIT_RDPMC,         /* the same counter */
	EXIT_WRMSR_COUNTER, /* the last general counter, which is off */
	EXIT_CPUID,
	EXIT_ACCESSES,
};

/* exit_costs_can() - whether vpmu emulates the PMU, and time goes by instructions. Any CPU. */
bool exit_costs_can(void);

/*
 * exit_costs_measure() - the instructions of vpmu for each of `n` accesses, one after another, by
 * the TSC; 0 where the TSC is a clock of the guest's own. Task context, while pmu_self_start()
 * holds.
 */
void exit_costs_measure(enum exit_access access, uint64_t *costs, unsigned n);

#endif
