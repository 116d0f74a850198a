// SPDX-License-Identifier: BSD-2-Clause
/* rings.c - see rings.h. */
#include "apps/rings.h"

#include "apps/fields.h"
#include "arch/x86/paging.h"
#include "lib/panic.h"
#include "rt/print.h"
#include "rt/task.h"
#include "rt/wire.h"

#include <linux/errno.h>

#define SIDE_PAGES 16

static int alloc_ring(struct rb *rb, size_t pages, unsigned mode)
{
	void *memory = page_alloc(1 + pages);

	if (!memory)
		return -ENOMEM;
	rb_init(rb, memory, pages);
	if (mode)
		rb_set_mode(rb, mode);
	return 0;
}

static void free_ring(struct rb *rb)
{
	if (rb->page)
		page_free(rb->page, 1 + (rb->mask + 1) / RB_PAGE_SIZE);
	rb->page = NULL;
}

int rings_alloc(struct rings *r, const char *who, size_t pages, bool overwrite)
{
	int bad;

	*r = (struct rings){.pages = pages, .overwrite = overwrite};
	bad = alloc_ring(&r->rb, pages, overwrite ? RB_BACKWARD | RB_OVERWRITE : 0);
	if (!bad && overwrite)
		bad = alloc_ring(&r->side, SIDE_PAGES, 0);
	if (!bad)
		return 0;
	err("%s: no memory for a ring of %zu pages; try a smaller -m\n", who, pages);
	rings_free(r);
	return bad;
}

void rings_free(struct rings *r)
{
	free_ring(&r->rb);
	free_ring(&r->side);
}

static void ask_for_side_band(struct perf_event_attr *attr)
{
	attr->comm = 1;
	attr->comm_exec = 1;
	attr->mmap = 1;
	attr->mmap2 = 1;
	attr->build_id = 1;
	fields_side_band(attr);
}

void rings_attrs(const struct rings *r, struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++)
		set->entry[i].spec.attr.write_backward = r->overwrite;
	if (!r->overwrite)
		ask_for_side_band(&set->entry[0].spec.attr);
}

/* Of samples, what a trailer has, too: records of one stream all have the same. */
#define TRACKING_FIELDS                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static void track(struct rings *r, const struct perf_event_attr *like)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = like->sample_type & TRACKING_FIELDS,
		.sample_id_all = like->sample_id_all,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	struct pmu_reason why;

	ask_for_side_band(&attr);
	if (pmu_event_open(&r->tracking, &attr, TASK_PID, -1, NULL, 0, &why) ||
	    pmu_event_set_output(&r->tracking, &r->side))
		panic("the event for side-band records: %s", why.text);
	wire_event(&r->tracking.attr, "dummy:u", &r->tracking.id, 1);
}

void rings_attach(struct rings *r, struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++) {
		struct evset_entry *e = &set->entry[i];

		if (e->error)
			continue;
		pmu_event_set_output(&e->event, &r->rb);
		wire_event(&e->event.attr, e->spec.name, &e->event.id, 1);
	}
	if (r->overwrite)
		track(r, &set->entry[0].spec.attr);
}

void rings_detach(struct rings *r)
{
	if (r->overwrite)
		pmu_event_close(&r->tracking);
}

/* What was lost is told last, when there is room again. */
static void drain_all(struct rings *r, struct evset *set)
{
	wire_drain(&r->rb, 0);
	for (unsigned i = 0; i < set->n; i++) {
		struct pmu_event *e = &set->entry[i].event;

		if (set->entry[i].error)
			continue;
		while (!pmu_output_aux_rest(e) || !pmu_output_lost(e))
			wire_drain(&r->rb, 0);
	}
	wire_drain(&r->rb, 0);
}

void rings_drain(struct rings *r, struct evset *set)
{
	if (!r->overwrite) {
		drain_all(r, set);
		return;
	}
	rb_pause(&r->rb, true);
	wire_drain(&r->side, 0);
	wire_drain(&r->rb, 0);
}
