/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exit_costs.h - what vpmu executes for an access of the guest's to the PMU, where the machine's
 * time goes by instructions: the TSC shows those of guest and host, a counter those of the guest.
 */
#ifndef APPS_EXIT_COSTS_H
#define APPS_EXIT_COSTS_H

#include <stdbool.h>
#include <stdint.h>

/* The kinds of access that are measured. Writes spare general counters that count something. */
enum exit_access {
	EXIT_RDMSR_COUNTER, /* the counter of pmu/core/self.h, which counts */
	EXIT_RDPMC,         /* that one */
	EXIT_WRMSR_COUNTER, /* the last general counter, which is off */
	EXIT_CPUID,
	EXIT_ACCESSES,
};

/* exit_costs_can() - vpmu plays the PMU here, and time goes by instructions. Any CPU. */
bool exit_costs_can(void);

/*
 * exit_costs_measure() - instructions of vpmu for each of `n` accesses, one after another, as the
 * TSC shows them: none, where that is a clock of the guest's own. Task context, while
 * pmu_self_start() holds.
 */
void exit_costs_measure(enum exit_access access, uint64_t *costs, unsigned n);

#endif
