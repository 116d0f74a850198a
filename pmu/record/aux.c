// SPDX-License-Identifier: BSD-2-Clause
/* aux.c - see aux.h. */
#include "pmu/record/aux.h"

#include "pmu/record/output.h"

bool pmu_aux_begin(struct pmu_event *e, struct rb_aux_output *o)
{
	return e->rb && e->rb->aux && rb_aux_begin(o, e->rb->aux);
}

/* What waits is older, and ends where the new part begins, unless something is missing in between;
 * in overwrite mode the new part is all. */
static void add(struct pmu_aux_untold *untold, const struct rb_aux_part *part, uint64_t flags)
{
	flags |= part->flags;
	if (!untold->pending || flags & PERF_AUX_FLAG_OVERWRITE) {
		*untold = (struct pmu_aux_untold){true, part->offset, part->size, flags};
		return;
	}
	if (untold->flags & PERF_AUX_FLAG_TRUNCATED && part->size)
		flags |= PERF_AUX_FLAG_PARTIAL;
	untold->size += part->size;
	untold->flags |= flags;
}

static void tell_rest(void *arg)
{
	struct pmu_event *e = arg;
	struct pmu_aux_untold *untold = &e->aux_untold;

	if (untold->pending && pmu_output_aux(e, untold->offset, untold->size, untold->flags))
		untold->pending = false;
}

bool pmu_output_aux_rest(struct pmu_event *e)
{
	pmu_in_ring(e, tell_rest, e);
	return !e->aux_untold.pending;
}

/* An area that stays full is told of once. */
static uint64_t news(struct pmu_event *opened, const struct rb_aux_part *part, uint64_t flags)
{
	const bool was_told = opened->aux_truncated && !part->size;

	opened->aux_truncated = was_told || flags & PERF_AUX_FLAG_TRUNCATED;
	return was_told ? flags & ~(uint64_t)PERF_AUX_FLAG_TRUNCATED : flags;
}

void pmu_aux_end(struct pmu_event *e, struct rb_aux_output *o, uint64_t flags)
{
	const struct rb_aux_part part = rb_aux_end(o);
	struct pmu_event *opened = e->ancestor ? e->ancestor : e; /* who stays */

	flags = news(opened, &part, flags);
	if (part.size || flags)
		add(&opened->aux_untold, &part, flags);
	tell_rest(opened);
	if (part.wakeup && pmu.host->wakeup)
		pmu.host->wakeup(e->rb);
}

struct between {
	struct pmu_event *opened;
	void (*fn)(void *arg);
	void *arg;
	bool done;
};

/* Of the family, the one that counts on this CPU. NULL: none does now. */
static struct pmu_event *find_writer(struct pmu_event *opened)
{
	struct pmu_event *e = opened;

	while (e && !(e->state == PMU_STATE_ACTIVE && pmu_is_here(e->context)))
		e = e == opened ? opened->children : e->next_child;
	return e;
}

/* Where the ring is written. */
static void call_between(void *arg)
{
	struct between *b = arg;
	const uint64_t irq = pmu_begin_change();
	struct pmu_event *writer = find_writer(b->opened);

	if (writer)
		writer->class->stop(writer);
	tell_rest(b->opened);
	b->done = !b->opened->aux_untold.pending;
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
	if (e->rb && e->rb->aux)
		pmu_in_ring(e, call_between, &b);
	pmu_operation_end();
	return b.done;
}
