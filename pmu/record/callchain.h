/* SPDX-License-Identifier: BSD-2-Clause */
/* callchain.h - the call chain of interrupted code, for PERF_SAMPLE_CALLCHAIN. */
#ifndef PMU_RECORD_CALLCHAIN_H
#define PMU_RECORD_CALLCHAIN_H

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

#endif
