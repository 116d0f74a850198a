/* SPDX-License-Identifier: BSD-2-Clause */
/* callchain.h - the call chain of interrupted code, for PERF_SAMPLE_CALLCHAIN. */
#ifndef PMU_RECORD_CALLCHAIN_H
#define PMU_RECORD_CALLCHAIN_H

#include "arch/x86/cpu/trap_frame.h"
#include "pmu/state/hold.h"
#include "pmu/state/state.h"

#define PMU_MAX_STACK 127 /* frames of a chain, both parts together; Linux's default */
#define PMU_MAX_CHAIN (PMU_MAX_STACK + 2) /* with a marker in front of each part */

/*
 * pmu_callchain() - writes the chain of code that was interrupted at `regs` to `to`, of
 * PMU_MAX_CHAIN words, and returns the number of words. The kernel part comes first, each part
 * behind its PERF_CONTEXT_ marker. `was`: the registers before the sample was attributed to ring 3;
 * equal to `regs` if it was not. Any context; never faults, and triggers no breakpoint.
 */
unsigned pmu_callchain(const struct pmu_event *e, const struct pmu_regs *regs,
		       const struct pmu_regs *was, uint64_t *to);

/* pmu_callchain_user() - the same for ring 3 alone, which was interrupted at `regs`. */
static inline unsigned pmu_callchain_user(const struct pmu_event *e, const struct pmu_regs *regs,
					  uint64_t *to)
{
	const unsigned most = e->attr.sample_max_stack ? e->attr.sample_max_stack : PMU_MAX_STACK;
	uint64_t held;
	unsigned n;

	to[0] = PERF_CONTEXT_USER;
	to[1] = regs->ip;
	held = pmu_breakpoints_hold();
	n = pmu.host->chain_user(regs->frame ? regs->frame->rbp : 0, to + 2, most - 1);
	pmu_breakpoints_release(held);
	return 2 + n;
}

#endif
