/* SPDX-License-Identifier: BSD-2-Clause */
/* hold.h - disables breakpoints while ring 3's memory is read. */
#ifndef PMU_STATE_HOLD_H
#define PMU_STATE_HOLD_H

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/state/state.h"

/*
 * pmu_breakpoints_hold() - disables the breakpoints of this CPU until pmu_breakpoints_release().
 * Handlers that read ring 3's memory must not raise #DB, and events must not count their accesses.
 * Returns the argument for the release. Any context; nests.
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
