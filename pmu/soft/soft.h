/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * soft.h - software events: clocks, and what the runtime counts. They need no PMU.
 */
#ifndef PMU_SOFT_SOFT_H
#define PMU_SOFT_SOFT_H

#include "arch/x86/insn.h"
#include "pmu/core/core.h"

/* pmu_soft_init() - sets the class of a PERF_TYPE_SOFTWARE event, or refuses it. Task context. */
int pmu_soft_init(struct pmu_event *e, struct reason *why);

/*
 * breakpoint.c: pmu_breakpoint_init() - the same for PERF_TYPE_BREAKPOINT. pmu_breakpoint_check() -
 * whether the debug registers can do what `attr` wants; EINVAL or EOPNOTSUPP. Task context.
 */
int pmu_breakpoint_init(struct pmu_event *e, struct reason *why);
int pmu_breakpoint_check(const struct perf_event_attr *attr, struct reason *why);

/*
 * pmu_breakpoints_hold() - until pmu_breakpoints_release() no breakpoint is hit on this CPU: for
 * who reads ring 3's memory in a handler, which neither may raise #DB nor is what events count.
 * Returns what goes back. Any context; nests.
 */
uint64_t pmu_breakpoints_hold_all(void);

static inline uint64_t pmu_breakpoints_hold(void)
{
	return pmu.watching ? pmu_breakpoints_hold_all() : 0;
}

static inline void pmu_breakpoints_release(uint64_t held)
{
	if (held)
		write_dr7(held);
}
/* step_trace.c: the same for PMU_TYPE_STEP_TRACE; EBUSY: there can be one. */
int pmu_step_trace_init(struct pmu_event *e, struct reason *why);

/* tracepoint.c: pmu_tracepoint_init() - the same for PERF_TYPE_TRACEPOINT. Task context. */
int pmu_tracepoint_init(struct pmu_event *e, struct reason *why);

/*
 * occur.c: pmu_soft_occur() - what `e` counts happened `n` times, at once: counts, and overflows
 * where a period is over, with `regs` and `data` for the samples. Any context; NMIs may come in
 * between with hits of their own.
 */
void pmu_soft_occur(struct pmu_event *e, uint64_t n, const struct pmu_regs *regs,
		    const struct pmu_sample_data *data);

/* clock.c: cpu-clock and task-clock, in ns; with a sample period by pmu_timer(). */
extern const struct pmu_class pmu_clock_class;

#endif
