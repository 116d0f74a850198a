// SPDX-License-Identifier: BSD-2-Clause
/*
 * wakeup.c - when the reader of a ring is told that there is something to read: after as many bytes
 * as a watermark says, or after so many samples, or when an event came to its limit. The host
 * decides which task is told, and how; it can do no more than note it, for all of this happens in
 * NMIs too.
 *
 * A watermark belongs to the ring, so a reader that waits for the ring waits for all the events on
 * it. In rings that are written backward, where the head goes down, only samples and limits count.
 */
#include "pmu/record/output.h"

/* A head that is never reached, whatever it is compared with. */
#define NEVER (1ull << 62)

void pmu_wakeup(struct rb *rb)
{
	pmu.stats.wakeups++;
	if (rb->wakeup)
		rb->wakeup(rb);
	else if (pmu.host->wakeup)
		pmu.host->wakeup(rb);
}

void pmu_wakeup_due(struct rb *rb)
{
	rb->wakeup_at = local_load(&rb->head) + rb->watermark;
	pmu_wakeup(rb);
}

void pmu_wakeup_count(const struct pmu_event *e)
{
	struct rb *rb = e->out.rb;

	if (++rb->events < e->out.wakeup_events)
		return;
	rb->events = 0;
	pmu_wakeup(rb);
}

/* perf_event_open(2), wakeup_watermark: what is not given is half of the ring. */
static uint64_t watermark_of(const struct pmu_event *e, const struct rb *rb)
{
	const uint64_t bytes = rb->mask + 1;
	const uint64_t wanted = e->attr.watermark ? e->attr.wakeup_watermark : 0;

	return !wanted || wanted > bytes ? bytes / 2 : wanted;
}

/* Of several events on a ring the smallest watermark holds. */
void pmu_wakeup_init(const struct pmu_event *e)
{
	struct rb *rb = e->out.rb;
	uint64_t watermark;

	if (!rb)
		return;
	watermark = watermark_of(e, rb);
	if (!rb->watermark || watermark < rb->watermark)
		rb->watermark = watermark;
	rb->wakeup_at = rb->mode & RB_BACKWARD ? NEVER : rb->head + rb->watermark;
}
