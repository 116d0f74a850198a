/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * master.h - the master switch and the status of the counters. With most drivers each is one access
 * to a register, which is inline here: pmu.quick has the registers. Other drivers are called. There
 * is a driver. Paused, and NMI context.
 */
#ifndef PMU_CORE_MASTER_H
#define PMU_CORE_MASTER_H

#include "arch/x86/insn.h"
#include "pmu/state/state.h"

static inline void pmu_master_start(uint64_t counters)
{
	if (__builtin_expect(pmu.quick.master, 1))
		wrmsr(pmu.quick.master, counters | pmu_kept);
	else
		pmu.driver->start(counters);
}

static inline void pmu_master_stop(void)
{
	if (__builtin_expect(pmu.quick.master, 1))
		wrmsr(pmu.quick.master, pmu_kept);
	else
		pmu.driver->stop();
}

static inline uint64_t pmu_master_status(void)
{
	if (__builtin_expect(pmu.quick.master, 1))
		return rdmsr(pmu.quick.status);
	return pmu.driver->overflowed();
}

/* pmu_master_running() - the counters that the switch has on; all, where there is no switch. */
static inline uint64_t pmu_master_running(void)
{
	if (__builtin_expect(pmu.quick.master, 1))
		return rdmsr(pmu.quick.master);
	return pmu.driver->running ? pmu.driver->running() : UINT64_MAX;
}

#endif
