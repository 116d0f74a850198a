// SPDX-License-Identifier: BSD-2-Clause
/*
 * wakeup.c - decides when the reader of a ring is woken: at a watermark of bytes, after a number of
 * samples, or when an event reaches its limit. The host decides which task is woken, and how. It
 * may only note it, because all of this also happens in NMIs.
 *
 * A watermark belongs to the ring, so a reader that waits for the ring waits for all of its events.
 * In rings that are written backward, where the head goes down, only samples and limits count.
 */
#include "pmu/record/output.h"

/* A head that is never reached, in any comparison. */
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

/* perf_event_open(2), wakeup_watermark: the default is half of the ring. */
static uint64_t watermark_of(const struct pmu_event *e, const struct rb *rb)
{
	const uint64_t bytes = rb->mask + 1;
	const uint64_t wanted = e->attr.watermark ? e->attr.wakeup_watermark : 0;

	return !wanted || wanted > bytes ? bytes / 2 : wanted;
}

/* With several events on a ring, the smallest watermark applies. */
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
