/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_host.h - ties the event core to the machine: its PMI to the NMI, its timers to hrtimer, its
 * questions (time, task, CPU) to clock, scheduler and smp.
 */
#ifndef LINUX_PERF_PMU_HOST_H
#define LINUX_PERF_PMU_HOST_H

#include "arch/x86/portable/cpuid.h"

/*
 * pmu_host_init() - starts the event core; what it lacks it says by pmu_problem(). `caps` must
 * stay. Once on each CPU, the first one first; interrupts off; APIC, clocks and timers are up.
 */
void pmu_host_init(const struct pmu_caps *caps);

#endif
