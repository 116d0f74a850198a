// SPDX-License-Identifier: BSD-2-Clause
/*
 * siblings.c - resources that the hyper-threads of a core cannot both use. By the HT erratum, a
 * counter is disturbed by a corrupting event on the sibling's counter. A shared register beside the
 * counters has only one value.
 *
 * Each thread publishes what it uses, and decides under the core's lock by what the others publish.
 * It withdraws a resource after it has stopped using it, so what it publishes is never less than
 * what counts. The other threads are not notified: a thread on which an event waits for a counter
 * decides again at the end of its time slice.
 */
#include "pmu/state/state.h"

#include "lib/bits.h"
#include "pmu/cpus/siblings.h"

static struct pmu_thread *thread_of(unsigned cpu)
{
	return &pmu_threads[cpu];
}

static struct lock *lock_of(const struct pmu_thread *thread)
{
	return &thread_of(thread->first)->lock;
}

static unsigned next_sibling(const struct pmu_thread *thread)
{
	return __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE);
}

static bool has_exclusive(void)
{
	for (size_t i = 0; i < pmu.uarch->nerrata; i++)
		if (pmu.uarch->errata[i].trouble == UARCH_HT_EXCLUSIVE)
			return true;
	return false;
}

static bool are_siblings(const struct cpu_place *a, const struct cpu_place *b)
{
	return cpu_siblings(a, b) && a->thread != b->thread;
}

/* Joins the ring of the core's first thread that is already there. */
static void join_sibling(struct pmu_thread *thread)
{
	for (unsigned cpu = 0; cpu < pmu.number; cpu++) {
		struct pmu_thread *other = thread_of(cpu);

		if (!are_siblings(&other->place, &thread->place))
			continue;
		thread->first = other->first;
		thread->next = other->next;
		__atomic_store_n(&other->next, pmu.number, __ATOMIC_RELEASE);
		return;
	}
}

void pmu_siblings_init(void)
{
	struct pmu_thread *thread = thread_of(pmu.number);

	*thread = (struct pmu_thread){.first = pmu.number, .next = pmu.number};
	pmu.sibling.shared_registers = uarch_shared_registers(pmu.uarch);
	pmu.sibling.shares =
		pmu.sibling.hyper_threading && (pmu.sibling.shared_registers || has_exclusive());
	if (!pmu.sibling.shares)
		return;
	cpuid_place(&thread->place);
	join_sibling(thread);
}

static void hold_shared(struct pmu_extras *to, const struct pmu_extras *from)
{
	for (unsigned left = from->held & pmu.sibling.shared_registers; left; left &= left - 1)
		pmu_extras_hold(to, bits_first(left), from->value[bits_first(left)]);
}

static void look_at_siblings(struct pmu_tick *t, const struct pmu_thread *me)
{
	t->sibling_busy = t->sibling_corrupting = 0;
	t->others = (struct pmu_extras){.held = 0};
	for (unsigned cpu = next_sibling(me); cpu != pmu.number;
	     cpu = next_sibling(thread_of(cpu))) {
		const struct pmu_thread *other = thread_of(cpu);

		t->sibling_busy |= other->used;
		t->sibling_corrupting |= other->corrupted;
		hold_shared(&t->others, &other->extras);
	}
}

void pmu_siblings_tick(struct pmu_tick *t)
{
	struct pmu_thread *me = thread_of(pmu.number);

	lock_take(lock_of(me));
	look_at_siblings(t, me);
	pmu_tick(t);
	me->used = t->used & PMU_GENERAL_MASK;
	me->corrupted = t->corrupted;
	me->extras.held = 0;
	hold_shared(&me->extras, &t->extras);
	lock_release(lock_of(me));
}

void pmu_siblings_stopped(void)
{
	struct pmu_thread *me = thread_of(pmu.number);
	struct pmu_extras extras = {.held = 0};
	uint64_t corrupted = 0;

	for (uint64_t used = pmu.counters.used; used; used &= used - 1) {
		const struct pmu_tick_event *e = &pmu.counters.on[bits_first(used)]->tick;

		corrupted |= e->corrupting ? 1ull << bits_first(used) : 0;
		if (e->extra.registers)
			pmu_extras_hold(&extras, e->extra.reg, e->extra.value);
		if (e->branches.registers)
			pmu_extras_hold(&extras, e->branches.reg, e->branches.value);
	}
	lock_take(lock_of(me));
	me->used = pmu.counters.used & PMU_GENERAL_MASK;
	me->corrupted = corrupted;
	me->extras.held = 0;
	hold_shared(&me->extras, &extras);
	lock_release(lock_of(me));
}
