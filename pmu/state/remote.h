/* SPDX-License-Identifier: BSD-2-Clause */
/* remote.h - how an operation comes to the CPU whose state it changes: see remote.c. */
#ifndef PMU_STATE_REMOTE_H
#define PMU_STATE_REMOTE_H

#include "pmu/state/state.h"

/*
 * pmu_operation_begin(), pmu_operation_end() - the turn of one operation, on
 * all CPUs. Task context; pairs, does not nest, and whatever is called within takes no other.
 * pmu_call() - fn(arg) on that CPU, interrupts off; has returned when it does. Not paused.
 * pmu_on_each_cpu() - the same on all CPUs, one after the other.
 * pmu_in_context() - fn(arg) where the context is active, interrupts off, or here with its lock
 * when it is active nowhere. Task and IRQ context, not paused.
 */
void pmu_operation_begin(void);
void pmu_operation_end(void);
unsigned pmu_ncpus(void);
void pmu_call(unsigned cpu, void (*fn)(void *arg), void *arg);
void pmu_on_each_cpu(void (*fn)(void *arg), void *arg);
void pmu_in_context(struct pmu_context *context, void (*fn)(void *arg), void *arg);

/* pmu_in_ring() - fn(arg) where records of the event are written, as of now; interrupts off. The
 * same contexts. */
void pmu_in_ring(struct pmu_event *e, void (*fn)(void *arg), void *arg);

/* pmu_where() - the CPU on which it is active now; -1: nowhere. Any context. */
static inline int pmu_where(const struct pmu_context *context)
{
	return __atomic_load_n(&context->cpu, __ATOMIC_ACQUIRE);
}

/* pmu_is_here() - it is active on this CPU, and with interrupts off it stays so. Any context. */
static inline bool pmu_is_here(const struct pmu_context *context)
{
	return pmu_where(context) == (int)pmu.number;
}

#endif
