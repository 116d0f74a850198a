// SPDX-License-Identifier: BSD-2-Clause
/*
 * remote.c - brings an operation to the CPU whose state it changes.
 *
 * Two rules order operations. First, only the operation that holds the turn (pmu_operation_begin())
 * changes lists: events in contexts, children, tasks. So it may walk all lists. Second, a context's
 * content changes only where the context is active, with interrupts off, or, if it is active
 * nowhere, under its lock. Task switches take no turn and continue meanwhile. So an errand looks up
 * the context's CPU, goes there, and checks again: if the context has moved on, the errand follows
 * it.
 *
 * A CPU that waits for the turn serves calls meanwhile, because the operation with the turn may
 * call this CPU. A CPU that waits for a context's lock need not: the holder of the lock makes no
 * calls.
 */
#include "pmu/state/remote.h"

#include "arch/x86/insn.h"
#include "lib/panic.h"
#include "pmu/state/control_page.h"

void pmu_operation_begin(void)
{
	lock_take_relaxed(&pmu_shared.turn, pmu.host->relax);
}

void pmu_operation_end(void)
{
	lock_release(&pmu_shared.turn);
}

unsigned pmu_ncpus(void)
{
	return __atomic_load_n(&pmu_shared.ncpus, __ATOMIC_ACQUIRE);
}

void pmu_call(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	uint64_t irq;

	if (cpu != pmu.number) {
		if (!pmu.host->call || pmu.host->call(cpu, fn, arg))
			panic("CPU %u does not take calls of the event core", cpu);
		return;
	}
	irq = irq_save();
	fn(arg);
	irq_restore(irq);
}

void pmu_on_each_cpu(void (*fn)(void *arg), void *arg)
{
	for (unsigned cpu = 0; cpu < pmu_ncpus(); cpu++)
		pmu_call(cpu, fn, arg);
}

struct errand {
	struct pmu_context *context;
	void (*fn)(void *arg);
	void *arg;
	bool done;
};

/* Runs on the CPU where the context was active a moment ago, interrupts off. */
static void run_there(void *arg)
{
	struct errand *errand = arg;

	if (!pmu_is_here(errand->context))
		return;
	errand->fn(errand->arg);
	errand->context->shape = 0;
	errand->done = true;
}

/* Runs for a context that is active nowhere; its lock keeps it so until `fn` has returned. */
static void run_locked(struct errand *errand)
{
	uint64_t irq = irq_save();

	lock_take(&errand->context->lock);
	if (pmu_where(errand->context) < 0) {
		errand->fn(errand->arg);
		errand->context->shape = 0;
		errand->done = true;
		/* No pmu_resume() follows that would update the pages. */
		if (errand->context->paged)
			pmu_pages_update(errand->context);
	}
	lock_release(&errand->context->lock);
	irq_restore(irq);
}

void pmu_in_context(struct pmu_context *context, void (*fn)(void *arg), void *arg)
{
	struct errand errand = {.context = context, .fn = fn, .arg = arg};

	while (!errand.done) {
		int cpu = pmu_where(context);

		if (cpu < 0)
			run_locked(&errand);
		else
			pmu_call((unsigned)cpu, run_there, &errand);
	}
}

void pmu_in_ring(struct pmu_event *e, void (*fn)(void *arg), void *arg)
{
	if (e->cpu >= 0)
		pmu_call((unsigned)e->cpu, fn, arg);
	else if (e->context)
		pmu_in_context(e->context, fn, arg);
	else
		pmu_call(pmu.number, fn, arg);
}
