/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_host.h - connects the event core to the machine. The NMI calls its overflow handler, hrtimer
 * its timers. Clock, scheduler and smp answer its questions about time, task and CPU.
 */
#ifndef LINUX_PERF_PMU_HOST_H
#define LINUX_PERF_PMU_HOST_H

#include "arch/x86/portable/cpuid.h"

/*
 * pmu_host_init() - starts the event core; pmu_problem() says what it lacks. `caps` stays the
 * caller's, and unchanged. Once on each CPU, the boot CPU first. Interrupts off; APIC, clocks and
 * timers work.
 */
void pmu_host_init(const struct pmu_caps *caps);

#endif
