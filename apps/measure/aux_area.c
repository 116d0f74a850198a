// SPDX-License-Identifier: BSD-2-Clause
/* aux_area.c - see aux_area.h. */
#include "apps/measure/aux_area.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/names/dynamic.h"
#include "pmu/names/step_trace.h"
#include "lib/words/number.h"
#include "rt/print/print.h"

#include <linux/errno.h>

#define DEFAULT_PAGES 1024 /* 4 MiB */

bool aux_area_wanted(const struct perf_event_attr *attr)
{
	return attr->type == PMU_TYPE_STEP_TRACE;
}

/* The first event that writes to an AUX area; set->n: none. */
static unsigned find_aux_event(const struct evset *set)
{
	unsigned i = 0;

	while (i < set->n && !aux_area_wanted(&set->entry[i].spec.attr))
		i++;
	return i;
}

void mmap_pages_read(const char *text, uint64_t *pages, uint64_t *aux_pages)
{
	char first[24];
	const char *comma = text ? strchr(text, ',') : NULL;
	const size_t n = comma ? (size_t)(comma - text) : text ? strlen(text) : 0;

	if (n) {
		fmt_print(first, sizeof(first), "%.*s", (int)n, text);
		number_pages(first, pages);
	}
	if (comma)
		number_pages(comma + 1, aux_pages);
}

/* A CPU's trace gets times: a decoder needs them to find the task of each part. */
void aux_area_attrs(struct evset *set)
{
	const unsigned i = find_aux_event(set);
	struct perf_event_attr *attr;

	if (i == set->n || !evset_has_cpus(set))
		return;
	attr = &set->entry[i].spec.attr;
	attr->context_switch |= attr->config >> STEP_TRACE_TSC_BIT & 1;
}

int aux_area_open(struct aux_area *a, const char *command, const struct evset *set, struct rb *rb,
		  const struct aux_area_options *options)
{
	const uint64_t pages = options->pages ? options->pages : DEFAULT_PAGES;

	*a = (struct aux_area){.memory = NULL};
	if (find_aux_event(set) == set->n)
		return 0;
	a->memory = page_alloc(pages);
	if (!a->memory) {
		err("%s: no memory for an AUX area of %llu pages; try a smaller -m ,PAGES\n",
		    command, (unsigned long long)pages);
		return -ENOMEM;
	}
	a->pages = pages;
	return rb_aux_init(&a->aux, rb, a->memory, pages, 0, options->snapshot);
}

/* A snapshot has pages of its own. */
struct aux_snapshot {
	struct aux_snapshot *next;
	size_t pages;
	struct wire_snapshot what; /* `bytes` follow it */
	uint8_t bytes[];
};

static void forget_snapshots(struct aux_area *a)
{
	struct aux_snapshot *next;

	for (struct aux_snapshot *s = a->first; s; s = next) {
		next = s->next;
		page_free(s, s->pages);
	}
	a->first = a->last = NULL;
}

void aux_area_close(struct aux_area *a)
{
	forget_snapshots(a);
	if (a->memory)
		page_free(a->memory, a->pages);
}

const struct wire_trace *aux_area_trace(struct aux_area *a, const struct evset *set, unsigned t)
{
	const struct pmu_event *e;

	if (!a->memory)
		return NULL;
	e = evset_event(set, find_aux_event(set), t);
	a->trace = (struct wire_trace){
		.aux = &a->aux,
		.cpu = evset_stream(set, t),
		.id = e->id,
		.tid = evset_has_cpus(set) ? 0 : e->context->task->tid,
		.from = a->taken,
	};
	return &a->trace;
}

static size_t snapshot_pages(uint64_t bytes)
{
	return (sizeof(struct aux_snapshot) + bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* The number of new bytes is known only once the trace has stopped: there is room for the whole
 * area. NULL: there is no memory. */
static struct aux_snapshot *new_snapshot(const struct rb_aux *aux)
{
	const size_t pages = snapshot_pages(aux->mask + 1);
	struct aux_snapshot *s = page_alloc(pages);

	if (s)
		s->pages = pages;
	return s;
}

struct taking {
	const struct aux_area *area;
	struct aux_snapshot *to;
};

/* Runs where the area is written, so that nothing is written meanwhile. */
static void copy_aux_area(void *arg)
{
	const struct taking *t = arg;
	const struct rb_aux *aux = &t->area->aux;
	const uint64_t oldest = rb_aux_oldest(aux), taken = t->area->taken;
	const uint64_t from = taken > oldest ? taken : oldest;

	t->to->what = (struct wire_snapshot){
		.bytes = t->to->bytes,
		.offset = from,
		.size = rb_aux_peek(aux, from, t->to->bytes, aux->mask + 1),
		.tsc = rdtsc(),
	};
}

/* Keeps the snapshot, and frees the pages that it does not need. */
static void keep_snapshot(struct aux_area *a, struct aux_snapshot *s)
{
	const size_t pages = snapshot_pages(s->what.size);

	page_free((uint8_t *)s + pages * PAGE_SIZE, s->pages - pages);
	s->pages = pages;
	*(a->last ? &a->last->next : &a->first) = s;
	a->last = s;
	a->taken = s->what.offset + s->what.size;
}

bool aux_area_take(struct aux_area *a, const struct evset *set, unsigned t)
{
	struct taking taking = {a, new_snapshot(&a->aux)};
	struct pmu_event *e = evset_event(set, find_aux_event(set), t);
	bool was_told = taking.to && pmu_event_between_aux(e, copy_aux_area, &taking);

	if (was_told && taking.to->what.size) {
		keep_snapshot(a, taking.to);
		return true;
	}
	a->nmissed += !was_told;
	if (taking.to)
		page_free(taking.to, taking.to->pages);
	return false;
}

uint64_t aux_area_drain(struct aux_area *a, const struct wire_trace *trace)
{
	uint64_t sent = 0;

	if (!trace)
		return 0;
	for (const struct aux_snapshot *s = a->first; s; s = s->next) {
		wire_send_snapshot(trace, &s->what);
		sent += s->what.size;
	}
	sent += wire_drain_trace(trace);
	return a->aux.overwrite ? sent : a->aux.page->aux_tail;
}
