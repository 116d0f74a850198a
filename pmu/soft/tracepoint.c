// SPDX-License-Identifier: BSD-2-Clause
/*
 * tracepoint.c - events on tracepoints (lib/trace.h). Each hit is counted where it happens, by its
 * weight; its entry is the raw data of the samples.
 *
 * Each CPU lists its active events by tracepoint. A list changes by one store, with interrupts off:
 * an NMI that hits the tracepoint meanwhile sees the list before or after the change. A hit that
 * concerns a task also counts for that task's events while the task does not run, under its
 * context's lock.
 */

#include "arch/x86/cpu/trap_frame.h"
#include "arch/x86/insn.h"
#include "lib/trace.h"
#include "pmu/names/filter.h"
#include "lib/reason.h"
#include "pmu/state/remote.h"
#include "pmu/core/occur.h"
#include "pmu/soft/active.h"

#include <linux/errno.h>

static PERCPU struct pmu_event *active[TRACE_MOST + 1];

static struct pmu_event **active_of(const struct pmu_event *e)
{
	return &active[e->tracepoint->state->id];
}

static void start_tracepoint(struct pmu_event *e)
{
	active_add(active_of(e), e);
}

static void stop_tracepoint(struct pmu_event *e)
{
	active_remove(active_of(e), e);
}

static void update_tracepoint(struct pmu_event *e)
{
	(void)e; /* each hit is counted when it happens */
}

static void tracepoint_opened(struct pmu_event *e)
{
	trace_listen(e->tracepoint, true);
}

static void tracepoint_closed(struct pmu_event *e)
{
	trace_listen(e->tracepoint, false);
}

static const struct pmu_class tracepoint_class = {
	.fields = PERF_SAMPLE_RAW | PERF_SAMPLE_ADDR,
	.start = start_tracepoint,
	.stop = stop_tracepoint,
	.update = update_tracepoint,
	.opened = tracepoint_opened,
	.closed = tracepoint_closed,
};

static bool lets_through(const struct pmu_filter *filter, const struct trace_hit *hit)
{
	const struct pmu_filter_hit of = {
		.entry = hit->entry,
		.size = hit->size,
		.cpu = pmu.number,
		.comm = pmu.host->comm ? pmu.host->comm() : "",
	};

	return pmu_filter_match(filter, &of);
}

/* An event that may overflow, or is filtered, needs to know the place of the hit. */
static __attribute__((noinline)) void take_hit(struct pmu_event *e, const struct trace_hit *hit)
{
	/*
	 * The registers of the code that hit the tracepoint: enough to walk the stack from there.
	 */
	const struct trap_frame frame = {.rip = hit->ip, .rbp = hit->bp, .rsp = hit->sp};
	const struct pmu_regs regs = {
		.ip = hit->ip, .user = hit->user, .frame = hit->user ? NULL : &frame};
	const struct pmu_raw raw = {hit->entry, hit->size};
	const struct pmu_sample_data data = {
		.fields = PERF_SAMPLE_RAW | PERF_SAMPLE_ADDR,
		.addr = hit->addr,
		.raw = &raw,
	};

	if (e->filter && !lets_through(e->filter, hit))
		return;
	pmu_occur(e, hit->count, &regs, &data);
}

static void count_hit(struct pmu_event *e, const struct trace_hit *hit)
{
	if (hit->user ? e->attr.exclude_user : e->attr.exclude_kernel)
		return;
	if (e->filter || e->period)
		take_hit(e, hit);
	else
		pmu_occur(e, hit->count, NULL, NULL);
}

/* True: the event would count now if its task ran here. */
static bool waits_for_task(const struct pmu_event *e)
{
	return e->class == &tracepoint_class && e->state == PMU_STATE_INACTIVE &&
	       e->leader->state >= PMU_STATE_INACTIVE && (e->cpu < 0 || e->cpu == (int)pmu.number);
}

/*
 * As in Linux, an event of a task that does not run, such as its wake-up, is counted on the CPU
 * where it happens. A task that runs on another CPU is skipped: it counts there itself.
 */
static void count_for(struct pmu_task *task, const struct trace_hit *hit)
{
	struct pmu_context *context = &task->context;
	uint64_t irq = irq_save();

	lock_take(&context->lock);
	if (pmu_where(context) < 0)
		for (struct pmu_event *l = context->leaders; l; l = l->next_leader)
			pmu_for_each (e, l)
				if (waits_for_task(e) && e->tracepoint == hit->event)
					count_hit(e, hit);
	lock_release(&context->lock);
	irq_restore(irq);
}

void pmu_trace_hit(const struct trace_hit *hit)
{
	for (struct pmu_event *e = active[hit->event->state->id]; e; e = e->next_active)
		count_hit(e, hit);
	if (hit->task && hit->task != pmu.task && hit->context != TRACE_NMI)
		count_for((struct pmu_task *)hit->task, hit);
}

static int make_tracepoint_event(struct pmu_event *e, struct reason *why)
{
	e->tracepoint = trace_by_id(e->attr.config);
	if (!e->tracepoint)
		return refuse(why, ENOENT, "there is no tracepoint %llu",
			      (unsigned long long)e->attr.config);
	e->class = &tracepoint_class;
	return 0;
}

struct filtering {
	struct pmu_event *e;
	const struct pmu_filter *filter;
};

/* Runs in the event's context. */
static void set_filter(void *arg)
{
	const struct filtering *f = arg;

	f->e->filter = f->filter;
}

int pmu_event_set_filter(struct pmu_event *e, const struct pmu_filter *filter, struct reason *why)
{
	struct filtering f = {e, filter};

	if (e->class != &tracepoint_class)
		return refuse(why, EINVAL, "only tracepoints have fields to filter by");
	if (filter && filter->event != e->tracepoint)
		return refuse(why, EINVAL, "the filter is for another tracepoint");
	pmu_operation_begin();
	pmu_in_context(e->context, set_filter, &f);
	for (f.e = e->family.children; f.e; f.e = f.e->family.next_child)
		pmu_in_context(f.e->context, set_filter, &f);
	pmu_operation_end();
	return 0;
}

static const struct pmu_kind tracepoint_kind = {
	.first = PERF_TYPE_TRACEPOINT,
	.last = PERF_TYPE_TRACEPOINT,
	.init = make_tracepoint_event,
	.exact = true,
};

PMU_KIND(tracepoint_kind);
