// SPDX-License-Identifier: BSD-2-Clause
/* record_aux.c - see record_aux.h. */
#include "pmu/record/record_aux.h"

#include "pmu/record/output.h"
#include "pmu/state/remote.h"

bool pmu_aux_begin(struct pmu_event *e, struct rb_aux_output *o)
{
	return e->out.rb && e->out.rb->aux && rb_aux_begin(o, e->out.rb->aux);
}

/*
 * The pending part is older and ends where the new part begins, unless data is missing in between.
 * In overwrite mode the new part covers everything.
 */
static void add_untold(struct pmu_aux_untold *untold, const struct rb_aux_part *part,
		       uint64_t flags)
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

void pmu_aux_tell_rest(struct pmu_event *e)
{
	struct pmu_aux_untold *untold = &e->out.aux_untold;

	if (untold->pending && pmu_output_aux(e, untold->offset, untold->size, untold->flags))
		untold->pending = false;
}

static void tell_rest(void *event)
{
	pmu_aux_tell_rest(event);
}

bool pmu_output_aux_rest(struct pmu_event *e)
{
	pmu_in_ring(e, tell_rest, e);
	return !e->out.aux_untold.pending;
}

/* A full area is reported once. */
static uint64_t untold_flags(struct pmu_event *opened, const struct rb_aux_part *part,
			     uint64_t flags)
{
	const bool was_told = opened->out.aux_truncated && !part->size;

	opened->out.aux_truncated = was_told || flags & PERF_AUX_FLAG_TRUNCATED;
	return was_told ? flags & ~(uint64_t)PERF_AUX_FLAG_TRUNCATED : flags;
}

void pmu_aux_end(struct pmu_event *e, struct rb_aux_output *o, uint64_t flags)
{
	const struct rb_aux_part part = rb_aux_end(o);
	struct pmu_event *opened =
		e->family.ancestor ? e->family.ancestor : e; /* it outlives `e` */

	flags = untold_flags(opened, &part, flags);
	if (part.size || flags)
		add_untold(&opened->out.aux_untold, &part, flags);
	pmu_aux_tell_rest(opened);
	if (part.wakeup)
		pmu_wakeup(e->out.rb);
}
