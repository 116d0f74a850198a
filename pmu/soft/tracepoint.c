// SPDX-License-Identifier: BSD-2-Clause
/*
 * tracepoint.c - events on tracepoints (lib/trace.h): counted where they are hit, by the weight of
 * the hit, with its entry as the raw data of samples.
 *
 * A tracepoint knows the events that count now, and all that are open: of the latter those of the
 * task that a hit is about are told, too, while it does not run. Both lists change by one store
 * each, with interrupts off; an NMI that hits meanwhile sees them before it or after it.
 */
#include "pmu/soft/soft.h"

#include "arch/x86/trap_frame.h"
#include "lib/trace.h"
#include "pmu/filter.h"
#include "pmu/reason.h"

#include <linux/errno.h>

static struct pmu_event **active_of(const struct pmu_event *e)
{
	return (struct pmu_event **)&e->tracepoint->state->active;
}

static struct pmu_event **opened_of(const struct pmu_event *e)
{
	return (struct pmu_event **)&e->tracepoint->state->opened;
}

static void store(struct pmu_event **at, struct pmu_event *e)
{
	local_barrier();
	*(struct pmu_event *volatile *)at = e;
}

static void start(struct pmu_event *e)
{
	e->next_active = *active_of(e);
	store(active_of(e), e);
}

static void stop(struct pmu_event *e)
{
	struct pmu_event **at = active_of(e);

	while (*at != e)
		at = &(*at)->next_active;
	store(at, e->next_active);
}

static void update(struct pmu_event *e)
{
	(void)e; /* counted as it happens */
}

static void opened(struct pmu_event *e)
{
	e->next_opened = *opened_of(e);
	store(opened_of(e), e);
	trace_listen(e->tracepoint, true);
}

static void closed(struct pmu_event *e)
{
	struct pmu_event **at = opened_of(e);

	while (*at != e)
		at = &(*at)->next_opened;
	store(at, e->next_opened);
	trace_listen(e->tracepoint, false);
}

static const struct pmu_class tracepoint_class = {
	.fields = PERF_SAMPLE_RAW | PERF_SAMPLE_ADDR,
	.start = start,
	.stop = stop,
	.update = update,
	.opened = opened,
	.closed = closed,
};

static void count(struct pmu_event *e, const struct trace_hit *hit)
{
	/* Of who hit it: enough to walk the stack from there. */
	const struct trap_frame frame = {.rip = hit->ip, .rbp = hit->bp, .rsp = hit->sp};
	const struct pmu_regs regs = {
		.ip = hit->ip, .user = hit->user, .frame = hit->user ? NULL : &frame};
	const struct pmu_raw raw = {hit->entry, hit->size};
	const struct pmu_sample_data data = {
		.fields = PERF_SAMPLE_RAW | PERF_SAMPLE_ADDR,
		.addr = hit->addr,
		.raw = &raw,
	};

	if (hit->user ? e->attr.exclude_user : e->attr.exclude_kernel)
		return;
	if (e->filter && !pmu_filter_match(e->filter, hit->entry, hit->size))
		return;
	pmu_soft_occur(e, hit->count, &regs, &data);
}

/* It would count now if its task ran. */
static bool waits_for_task(const struct pmu_event *e, const struct pmu_task *task)
{
	return e->context == &task->context && e->state == PMU_STATE_INACTIVE &&
	       e->leader->state >= PMU_STATE_INACTIVE;
}

void pmu_trace_hit(const struct trace_hit *hit)
{
	const struct trace_state *state = hit->event->state;

	for (struct pmu_event *e = state->active; e; e = e->next_active)
		count(e, hit);
	if (!hit->task || hit->task == pmu.task)
		return;
	for (struct pmu_event *e = state->opened; e; e = e->next_opened)
		if (waits_for_task(e, hit->task))
			count(e, hit);
}

int pmu_tracepoint_init(struct pmu_event *e, struct pmu_reason *why)
{
	e->tracepoint = trace_by_id(e->attr.config);
	if (!e->tracepoint)
		return pmu_refuse(why, ENOENT, "there is no tracepoint %llu",
				  (unsigned long long)e->attr.config);
	e->class = &tracepoint_class;
	return 0;
}

int pmu_event_set_filter(struct pmu_event *e, const struct pmu_filter *filter,
			 struct pmu_reason *why)
{
	if (e->class != &tracepoint_class)
		return pmu_refuse(why, EINVAL, "only tracepoints have fields to filter by");
	if (filter && filter->event != e->tracepoint)
		return pmu_refuse(why, EINVAL, "the filter is for another tracepoint");
	for (struct pmu_event *child = e->children; child; child = child->next_child)
		child->filter = filter;
	e->filter = filter;
	return 0;
}
