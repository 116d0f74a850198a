/* SPDX-License-Identifier: BSD-2-Clause */
/* hold.h - ring 3's memory is read without hitting breakpoints. */
#ifndef PMU_STATE_HOLD_H
#define PMU_STATE_HOLD_H

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/state/state.h"

/*
 * pmu_breakpoints_hold() - until pmu_breakpoints_release() no breakpoint is hit on this CPU: for
 * handlers that read ring 3's memory, which neither may raise #DB nor is what events count. Returns
 * what goes back. Any context; nests.
 */
static inline uint64_t pmu_breakpoints_hold(void)
{
	uint64_t dr7;

	if (!pmu.soft.watching)
		return 0;
	dr7 = read_dr7();
	write_dr7(DR7_FIXED);
	return dr7;
}

static inline void pmu_breakpoints_release(uint64_t held)
{
	if (held)
		write_dr7(held);
}

#endif
