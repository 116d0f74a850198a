// SPDX-License-Identifier: BSD-2-Clause
/* between_aux.c - interrupts the writing to an AUX area, for a snapshot of it. */
#include "pmu/core/control.h"
#include "pmu/names/dynamic.h"
#include "pmu/record/record_aux.h"
#include "pmu/state/remote.h"

struct between {
	struct pmu_event *opened;
	void (*fn)(void *arg);
	void *arg;
	bool done;
};

/* The event of the family that counts on this CPU; NULL: none does. */
static struct pmu_event *find_writer(struct pmu_event *opened)
{
	struct pmu_event *e = opened;

	while (e && !(e->state == PMU_STATE_ACTIVE && pmu_is_here(e->context)))
		e = e == opened ? opened->family.children : e->family.next_child;
	return e;
}

/* Runs on the CPU that writes the ring. */
static void call_between(void *arg)
{
	struct between *b = arg;
	const uint64_t irq = pmu_begin_change();
	struct pmu_event *writer = find_writer(b->opened);

	if (writer)
		writer->class->stop(writer);
	pmu_aux_tell_rest(b->opened);
	b->done = !b->opened->out.aux_untold.pending;
	if (b->done)
		b->fn(b->arg);
	if (writer)
		writer->class->start(writer);
	pmu_end_change(irq);
}

bool pmu_event_between_aux(struct pmu_event *e, void (*fn)(void *arg), void *arg)
{
	struct between b = {.opened = e, .fn = fn, .arg = arg};

	pmu_operation_begin();
	if (e->out.rb && e->out.rb->aux)
		pmu_in_ring(e, call_between, &b);
	pmu_operation_end();
	return b.done;
}

bool pmu_event_has_aux(const struct pmu_event *e)
{
	return e->attr.type == PMU_TYPE_STEP_TRACE;
}

/* Drops the AUX area, with the bytes that no record covers yet. */
static void drop_aux(void *arg)
{
	struct pmu_event *opened = arg;
	const uint64_t irq = pmu_begin_change();
	struct pmu_event *writer = find_writer(opened);

	if (writer)
		writer->class->stop(writer);
	opened->out.aux_untold.pending = false;
	opened->out.rb->aux = NULL;
	if (writer)
		writer->class->start(writer);
	pmu_end_change(irq);
}

void pmu_event_drop_aux(struct pmu_event *e)
{
	pmu_operation_begin();
	if (e->out.rb && e->out.rb->aux)
		pmu_in_ring(e, drop_aux, e);
	pmu_operation_end();
}
