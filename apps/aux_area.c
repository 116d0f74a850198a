// SPDX-License-Identifier: BSD-2-Clause
/* aux_area.c - see aux_area.h. */
#include "apps/aux_area.h"

#include "arch/x86/paging.h"
#include "lib/string.h"
#include "pmu/dynamic.h"
#include "pmu/soft/step_trace.h"
#include "rt/number.h"
#include "rt/print.h"

#include <linux/errno.h>

#define DEFAULT_PAGES 1024 /* 4 MiB */
#define MAX_PAGES     16384

bool aux_area_wanted(const struct perf_event_attr *attr)
{
	return attr->type == PMU_TYPE_STEP_TRACE;
}

/* The first event that does; set->n: none. */
static unsigned find(const struct evset *set)
{
	unsigned i = 0;

	while (i < set->n && !aux_area_wanted(&set->entry[i].spec.attr))
		i++;
	return i;
}

static int parse_pages(const char *who, const char *text, size_t n, uint64_t *pages)
{
	char number[24];
	uint64_t v;

	if (n < sizeof(number)) {
		memcpy(number, text, n);
		number[n] = '\0';
		if (!number_pages(number, &v) && v <= MAX_PAGES) {
			*pages = v;
			return 0;
		}
	}
	err("%s: --mmap-pages: '%.*s' is neither a number of pages, 1 to %d, nor a size with B, K, "
	    "M "
	    "or G\n",
	    who, (int)n, text, MAX_PAGES);
	return -EINVAL;
}

int mmap_pages_parse(const char *who, const char *text, uint64_t *pages, uint64_t *aux_pages)
{
	const char *comma;
	int bad = 0;

	if (!text)
		return 0;
	comma = strchr(text, ',');
	if (comma != text)
		bad = parse_pages(who, text, comma ? (size_t)(comma - text) : strlen(text), pages);
	if (!bad && comma)
		bad = parse_pages(who, comma + 1, strlen(comma + 1), aux_pages);
	return bad;
}

int aux_area_check(const char *who, const struct evset *set, const struct aux_area_options *options)
{
	if (find(set) < set->n || (!options->pages && !options->snapshot))
		return 0;
	err("%s: %s is for an event that traces (step_trace//), and there is none\n", who,
	    options->snapshot ? "--snapshot" : "the second number of --mmap-pages");
	return -EINVAL;
}

/* By its time a decoder finds out which task's a part of a CPU's trace is. */
void aux_area_attrs(struct evset *set)
{
	const unsigned i = find(set);
	struct perf_event_attr *attr;

	if (i == set->n || !evset_has_cpus(set))
		return;
	attr = &set->entry[i].spec.attr;
	attr->context_switch |= attr->config >> STEP_TRACE_TSC_BIT & 1;
}

int aux_area_open(struct aux_area *a, const char *who, const struct evset *set, struct rb *rb,
		  const struct aux_area_options *options)
{
	const uint64_t pages = options->pages ? options->pages : DEFAULT_PAGES;

	*a = (struct aux_area){.memory = NULL};
	if (find(set) == set->n)
		return 0;
	a->memory = page_alloc(pages);
	if (!a->memory) {
		err("%s: no memory for an AUX area of %llu pages; try a smaller -m ,PAGES\n", who,
		    (unsigned long long)pages);
		return -ENOMEM;
	}
	a->pages = pages;
	return rb_aux_init(&a->aux, rb, a->memory, pages, 0, options->snapshot);
}

void aux_area_close(struct aux_area *a)
{
	if (a->memory)
		page_free(a->memory, a->pages);
}

const struct wire_trace *aux_area_trace(struct aux_area *a, const struct evset *set, unsigned t)
{
	const struct pmu_event *e;

	if (!a->memory)
		return NULL;
	e = evset_event(set, find(set), t);
	a->trace = (struct wire_trace){
		.aux = &a->aux,
		.cpu = evset_stream(set, t),
		.id = e->id,
		.tid = evset_has_cpus(set) ? 0 : e->context->task->tid,
	};
	return &a->trace;
}

uint64_t aux_area_drain(struct aux_area *a, const struct wire_trace *trace)
{
	uint64_t sent;

	if (!trace)
		return 0;
	sent = wire_drain_trace(trace);
	return a->aux.overwrite ? sent : a->aux.page->aux_tail;
}
