/* SPDX-License-Identifier: BSD-2-Clause */
/* callchain.h - the callers of the interrupted code, as PERF_SAMPLE_CALLCHAIN has them. */
#ifndef PMU_RECORD_CALLCHAIN_H
#define PMU_RECORD_CALLCHAIN_H

#include "pmu/state/state.h"

#define PMU_MAX_STACK 127 /* frames of a chain, both parts together; Linux has the same default */
#define PMU_MAX_CHAIN (PMU_MAX_STACK + 2) /* with a marker in front of each part */

/*
 * pmu_callchain() - the chain of code that was interrupted at `regs`, kernel part first, each part
 * behind its PERF_CONTEXT_ marker, into `to`, of PMU_MAX_CHAIN words; returns their number. `was`:
 * the registers before the sample was attributed to ring 3; they are `regs` where it was not. Any
 * context; never faults, and no breakpoint sees it.
 */
unsigned pmu_callchain(const struct pmu_event *e, const struct pmu_regs *regs,
		       const struct pmu_regs *was, uint64_t *to);

#endif
