// SPDX-License-Identifier: BSD-2-Clause
/*
 * control_page.c - keeps control pages up to date, by which ring 3 reads events itself. Each
 * context has a list of its pages; only contexts that are active here are considered.
 *
 * Events move, and their values change, only between pmu_pause() and pmu_resume() or in the NMI
 * handler; pages are written at the end of both. A page's `lock` is odd meanwhile, for readers on
 * other CPUs; readers on this CPU see only finished pages. An NMI in between writes its pages
 * completely. The interrupted code notices that the event has moved, and writes again.
 *
 * The value is offset + the counter, as a signed number: a counter starts at minus the distance to
 * its overflow, and `offset` is the count minus that. It changes only when the counter is written.
 */
#include "pmu/state/control_page.h"

#include "lib/bits.h"
#include "pmu/state/event_times.h"

#include <stddef.h>

/* Sign-extends the value of a counter. */
static int64_t with_sign(uint64_t counter)
{
	const unsigned above = 64 - (unsigned)bits_count(pmu.counter_mask);

	return (int64_t)(counter << above) >> above;
}

static bool counts_now(const struct pmu_event *e)
{
	return e->state == PMU_STATE_ACTIVE && e->class->hardware &&
	       pmu.counters.used >> e->place->index & 1;
}

/*
 * A reader adds the time since the page was written to both times. cap_user_time allows this only
 * while it is right: not for disabled events, nor for events that run without a counter.
 */
static void write_times(struct pmu_event *e)
{
	struct perf_event_mmap_page *page = e->page;
	const bool goes_on =
		pmu_time_goes_on(e) && (e->state != PMU_STATE_ACTIVE || e->class->hardware);

	pmu_times_update(e, pmu_time());
	page->time_enabled = e->times.enabled;
	page->time_running = e->times.running;
	page->cap_user_time = goes_on && pmu.host->clock;
	if (pmu.host->clock)
		page->time_offset = pmu.host->clock->zero - (e->times.stamp + pmu.away);
}

static void write_value(struct pmu_event *e)
{
	struct perf_event_mmap_page *page = e->page;
	uint64_t count, prev;
	bool on_counter;

	do {
		on_counter = counts_now(e);
		count = local_load(&e->count);
		prev = local_load(&e->prev);
		page->index = on_counter ? e->place->rdpmc + 1 : 0;
		page->offset = (int64_t)count - (on_counter ? with_sign(prev) : 0);
		local_barrier();
	} while (local_load(&e->count) != count || local_load(&e->prev) != prev ||
		 counts_now(e) != on_counter);
}

/*
 * `lock` is odd while the page is written. An update in an NMI that interrupts another update of
 * the page leaves `lock` to that one.
 */
static void update_page(struct pmu_event *e, bool times)
{
	volatile __u32 *lock = &e->page->lock;
	const bool nested = *lock & 1;

	if (!nested)
		++*lock;
	local_barrier();
	if (times)
		write_times(e);
	write_value(e);
	local_barrier();
	if (!nested)
		++*lock;
}

static void update_all(const struct pmu_context *context, bool times)
{
	for (struct pmu_event *e = context->paged; e; e = e->next_paged)
		update_page(e, times);
}

void pmu_pages_update(const struct pmu_context *context)
{
	update_all(context, true);
}

static void update_running(bool times)
{
	update_all(pmu.cpu, times);
	if (pmu.task)
		update_all(&pmu.task->context, times);
}

void pmu_pages_changed(void)
{
	update_running(true);
}

void pmu_pages_moved(void)
{
	update_running(false);
}

/* Writes the fields that never change. */
static void describe_constants(const struct pmu_event *e, struct perf_event_mmap_page *page)
{
	const struct pmu_clock *clock = pmu.host->clock;

	page->version = 0;
	page->compat_version = 0;
	page->size = offsetof(struct perf_event_mmap_page, __reserved);
	page->capabilities = 0;
	page->cap_bit0_is_deprecated = 1;
	page->cap_user_rdpmc = e->class->hardware;
	page->pmc_width = (__u16)bits_count(pmu.counter_mask);
	if (!clock)
		return;
	page->cap_user_time_zero = !e->attr.use_clockid; /* time_zero is for times of records */
	page->time_shift = clock->shift;
	page->time_mult = clock->mult;
	page->time_zero = clock->zero;
}

void pmu_page_unlist(struct pmu_event *e)
{
	struct pmu_event **at = &e->context->paged;

	while (*at && *at != e)
		at = &(*at)->next_paged;
	if (*at)
		*at = e->next_paged;
	e->next_paged = NULL;
}

void pmu_page_list(struct pmu_event *e)
{
	e->next_paged = e->context->paged;
	e->context->paged = e;
}

/* Notes whether there are pages to keep up to date here. */
static void note_pages(void)
{
	pmu.paged = pmu.cpu->paged || (pmu.task && pmu.task->context.paged);
}

/* The event is closed: from now on no reader takes a value from this page. */
static void close_page(struct perf_event_mmap_page *page)
{
	page->lock++;
	local_barrier();
	page->index = 0;
	page->cap_user_rdpmc = 0;
	page->cap_user_time = 0;
	local_barrier();
	page->lock++;
}

void pmu_page_set(struct pmu_event *e, struct perf_event_mmap_page *page)
{
	if (e->page)
		close_page(e->page);
	pmu_page_unlist(e);
	e->page = page;
	if (e->page) {
		describe_constants(e, e->page);
		pmu_page_list(e);
		update_page(e, true);
	}
	note_pages();
}
