/* SPDX-License-Identifier: BSD-2-Clause */
/* remote.h - brings an operation to the CPU whose state it changes: see remote.c. */
#ifndef PMU_STATE_REMOTE_H
#define PMU_STATE_REMOTE_H

#include "pmu/state/state.h"

/*
 * pmu_operation_begin(), pmu_operation_end() - take and return the turn, one operation at a time on
 * all CPUs. Task context; they pair and do not nest.
 * pmu_ncpus() - the number of CPUs that have called pmu_init().
 * pmu_call() - calls fn(arg) on that CPU, interrupts off, and returns when it has finished. Not
 * paused.
 * pmu_on_each_cpu() - the same on all CPUs, one after the other.
 * pmu_in_context() - calls fn(arg) where the context is active, interrupts off, or here under its
 * lock if it is active nowhere. Task and IRQ context, not paused.
 */
void pmu_operation_begin(void);
void pmu_operation_end(void);
unsigned pmu_ncpus(void);
void pmu_call(unsigned cpu, void (*fn)(void *arg), void *arg);
void pmu_on_each_cpu(void (*fn)(void *arg), void *arg);
void pmu_in_context(struct pmu_context *context, void (*fn)(void *arg), void *arg);

/*
 * pmu_in_ring() - calls fn(arg) where records of the event are written now; interrupts off. The
 * same contexts.
 */
void pmu_in_ring(struct pmu_event *e, void (*fn)(void *arg), void *arg);

/* pmu_where() - the CPU on which the context is active now; -1: none. Any context. */
static inline int pmu_where(const struct pmu_context *context)
{
	return __atomic_load_n(&context->cpu, __ATOMIC_ACQUIRE);
}

/*
 * pmu_is_here() - true where it is active on this CPU; with interrupts off it stays so. Any
 * context.
 */
static inline bool pmu_is_here(const struct pmu_context *context)
{
	return pmu_where(context) == (int)pmu.number;
}

#endif
