// SPDX-License-Identifier: BSD-2-Clause
/*
 * remote.c - how an operation comes to the CPU whose state it changes.
 *
 * Two things order what operations do. The one of them that holds the turn (pmu_operation_begin())
 * is alone in changing what is listed where: events in contexts, children, tasks; so it may walk
 * all lists. And whatever a context holds is changed where the context is active, with interrupts
 * off, or, where it is active nowhere, with its lock: switches of tasks take no turn, and go on
 * meanwhile. So an errand looks where the context is, goes there, and looks again: it may have
 * moved on, and then the errand follows it.
 *
 * A CPU that waits for the turn serves calls meanwhile, since the operation that has the turn may
 * call this CPU. A CPU that waits for a context's lock need not: the holder of the lock makes no
 * calls.
 */
#include "pmu/state/remote.h"

#include "arch/x86/insn.h"
#include "lib/panic.h"
#include "pmu/state/page.h"

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

/* On the CPU where the context was active a moment ago, interrupts off. */
static void run_there(void *arg)
{
	struct errand *errand = arg;

	if (!pmu_is_here(errand->context))
		return;
	errand->fn(errand->arg);
	errand->context->shape = 0;
	errand->done = true;
}

/* For a context that is active nowhere; its lock keeps it so until `fn` has returned. */
static void run_locked(struct errand *errand)
{
	uint64_t irq = irq_save();

	lock_take(&errand->context->lock);
	if (pmu_where(errand->context) < 0) {
		errand->fn(errand->arg);
		errand->context->shape = 0;
		errand->done = true;
		/* There is no pmu_resume() here that would bring the pages up to date. */
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
