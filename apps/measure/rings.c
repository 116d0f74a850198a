// SPDX-License-Identifier: BSD-2-Clause
/* rings.c - see rings.h. */
#include "apps/measure/rings.h"

#include "apps/measure/record_fields.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/panic.h"
#include "rt/print/print.h"

#include <linux/errno.h>

#define SIDE_PAGES   16
#define MOST_PAGES   2048 /* of a ring whose size was not given: 8 MiB */
#define LEAST_PAGES  128  /* its least, when there are many rings */
#define MEMORY_SHARE 4    /* all rings then take at most one in so many pages */

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

static size_t ring_table_pages(unsigned nrings)
{
	return (nrings * sizeof(struct ring) + PAGE_SIZE - 1) / PAGE_SIZE;
}

static uint64_t suitable_pages(unsigned nrings)
{
	const uint64_t room = page_free_count() / MEMORY_SHARE;
	uint64_t pages = MOST_PAGES;

	while (pages > LEAST_PAGES && pages * nrings > room)
		pages /= 2;
	return pages;
}

static int alloc_on_node(struct rings *r, struct ring *ring, const char *command,
			 const struct evset *set)
{
	const bool overwrite = r->options.overwrite;
	int bad =
		alloc_ring(&ring->rb, r->options.pages, overwrite ? RB_BACKWARD | RB_OVERWRITE : 0);

	if (!bad && overwrite)
		bad = alloc_ring(&ring->side, SIDE_PAGES, 0);
	if (!bad)
		bad = wire_prepare(ring->cpu);
	if (bad) {
		err("%s: no memory for %u ring%s of %llu pages; try a smaller -m\n", command, r->n,
		    r->n > 1 ? "s" : "", (unsigned long long)r->options.pages);
		return bad;
	}
	return aux_area_open(&ring->area, command, set, &ring->rb, &r->options.aux);
}

/* A ring's memory comes from the node of the CPU that writes it. */
static int alloc_one(struct rings *r, struct ring *ring, const char *command,
		     const struct evset *set)
{
	int bad;

	page_set_here(smp_online(ring->cpu)->node);
	bad = alloc_on_node(r, ring, command, set);
	page_set_here(smp_online(smp_cpu())->node);
	return bad;
}

static void find_targets(struct rings *r, const struct evset *set)
{
	for (unsigned t = set->ntargets; t-- > 0;) {
		struct ring *ring = &r->ring[set->target[t].ring];

		ring->first = t;
		ring->cpu = evset_stream(set, t);
	}
}

int rings_alloc(struct rings *r, const char *command, const struct evset *set,
		const struct rings_options *options)
{
	*r = (struct rings){.n = set->nrings, .options = *options};
	/* The first event cannot carry the records where it is not on each CPU. */
	r->tracks = options->overwrite ||
		    (set->n && (set->entry[0].task_set || set->entry[0].spec.core));
	if (!r->options.pages)
		r->options.pages = suitable_pages(r->n);
	r->ring = page_alloc(ring_table_pages(r->n));
	if (!r->ring) {
		err("%s: no memory for %u rings\n", command, r->n);
		return -ENOMEM;
	}
	find_targets(r, set);
	for (unsigned i = 0; i < r->n; i++)
		if (alloc_one(r, &r->ring[i], command, set)) {
			rings_free(r);
			return -ENOMEM;
		}
	return 0;
}

void rings_free(struct rings *r)
{
	for (unsigned i = 0; i < r->n; i++) {
		free_ring(&r->ring[i].rb);
		free_ring(&r->ring[i].side);
		aux_area_close(&r->ring[i].area);
	}
	page_free(r->ring, ring_table_pages(r->n));
	r->ring = NULL;
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
		set->entry[i].spec.attr.write_backward = r->options.overwrite;
	if (!r->tracks)
		ask_for_side_band(&set->entry[0].spec.attr);
	aux_area_attrs(set);
}

/* The fields of samples that a trailer has, too: all records of a stream have the same trailer. */
#define TRACKING_FIELDS                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

static void open_tracking_event(struct ring *ring, const struct evset *set)
{
	const struct perf_event_attr *like = &set->entry[0].spec.attr;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = like->sample_type & TRACKING_FIELDS,
		.sample_id_all = like->sample_id_all,
		.inherit = set->targets.inherit,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	const struct targets_event *target = &set->target[ring->first];
	struct reason why;

	ask_for_side_band(&attr);
	if (pmu_event_open(&ring->tracking, &attr, target->task, target->cpu, NULL, 0, &why) ||
	    pmu_event_set_output(&ring->tracking, ring->side.page ? &ring->side : &ring->rb))
		panic("the event for side-band records: %s", why.text);
}

static struct wire_target wire_target_of(const struct pmu_event *e, const struct targets_event *t)
{
	return (struct wire_target){.id = e->id, .cpu = t->cpu};
}

static void announce_all(struct rings *r, const struct evset *set)
{
	static struct wire_target targets[TARGETS_MAX_CPUS];

	for (unsigned i = 0; i < set->n; i++) {
		const struct perf_event_attr *attr = NULL;
		unsigned n = 0;

		for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++) {
			const struct pmu_event *e = evset_event(set, i, t);

			if (!evset_is_at(set, i, t))
				continue;
			targets[n++] = wire_target_of(e, &set->target[t]);
			attr = attr ? attr : &e->attr;
		}
		if (attr)
			wire_event(attr, set->entry[i].spec.name, targets, n);
	}
	if (!r->tracks)
		return;
	for (unsigned i = 0; i < r->n; i++)
		targets[i] = wire_target_of(&r->ring[i].tracking, &set->target[r->ring[i].first]);
	wire_event(&r->ring[0].tracking.attr, "dummy:u", targets, r->n);
}

void rings_connect(struct rings *r, struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++)
		for (unsigned t = 0; set->entry[i].open && t < set->ntargets; t++)
			if (evset_is_at(set, i, t))
				pmu_event_set_output(evset_event(set, i, t),
						     &r->ring[set->target[t].ring].rb);
}

void rings_attach(struct rings *r, struct evset *set)
{
	rings_connect(r, set);
	for (unsigned i = 0; r->tracks && i < r->n; i++)
		open_tracking_event(&r->ring[i], set);
	announce_all(r, set);
}

void rings_detach(struct rings *r)
{
	for (unsigned i = 0; r->tracks && i < r->n; i++)
		pmu_event_close(&r->ring[i].tracking);
}

static const struct wire_trace *ring_trace(struct ring *ring, const struct evset *set)
{
	return aux_area_trace(&ring->area, set, ring->first);
}

int rings_go_live(struct rings *r, const struct evset *set)
{
	struct wire_ring *next = NULL;

	for (unsigned i = r->n; i-- > 0;) {
		struct ring *ring = &r->ring[i];

		ring->live = (struct wire_ring){
			.rb = &ring->rb,
			.cpu = ring->cpu,
			.trace = ring_trace(ring, set),
			.next = next,
		};
		next = &ring->live;
	}
	return wire_live_begin(next);
}

bool rings_take_snapshots(struct rings *r, const struct evset *set)
{
	bool any = false;

	for (unsigned i = 0; i < r->n; i++)
		if (r->ring[i].area.memory && r->options.aux.snapshot)
			any |= aux_area_take(&r->ring[i].area, set, r->ring[i].first);
	return any;
}

unsigned rings_missed(const struct rings *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->n; i++)
		n += r->ring[i].area.nmissed;
	return n;
}

/* Drains until the last record of AUX data and of losses has found room. */
static void drain_event(struct ring *ring, struct pmu_event *e)
{
	while (!pmu_output_aux_rest(e) || !pmu_output_lost(e))
		wire_drain(&ring->rb, ring->cpu);
}

static void drain_events(struct ring *ring, const struct evset *set, unsigned t)
{
	for (unsigned i = 0; i < set->n; i++)
		if (set->entry[i].open && evset_is_at(set, i, t))
			drain_event(ring, evset_event(set, i, t));
}

static void drain_ring(struct rings *r, struct ring *ring, const struct evset *set)
{
	if (r->options.overwrite) {
		rb_pause(&ring->rb, true);
		wire_drain(&ring->side, ring->cpu);
		wire_drain(&ring->rb, ring->cpu);
		return;
	}
	wire_drain(&ring->rb, ring->cpu);
	for (unsigned t = 0; t < set->ntargets; t++)
		if (&r->ring[set->target[t].ring] == ring)
			drain_events(ring, set, t);
	if (r->tracks)
		drain_event(ring, &ring->tracking);
	wire_drain(&ring->rb, ring->cpu);
}

void rings_drain(struct rings *r, struct evset *set)
{
	for (unsigned i = 0; i < r->n; i++)
		drain_ring(r, &r->ring[i], set);
	for (unsigned i = 0; i < r->n; i++)
		r->ring[i].sent_aux =
			aux_area_drain(&r->ring[i].area, ring_trace(&r->ring[i], set));
}

uint64_t rings_sent_samples(const struct rings *r)
{
	uint64_t samples = 0;

	for (unsigned i = 0; i < r->n; i++)
		samples += r->ring[i].rb.samples;
	return samples;
}

bool rings_trace(const struct rings *r, uint64_t *produced, uint64_t *sent)
{
	*produced = *sent = 0;
	for (unsigned i = 0; i < r->n; i++) {
		const struct ring *ring = &r->ring[i];

		*produced += ring->rb.aux ? ring->rb.aux->head : 0;
		*sent += ring->sent_aux;
	}
	return r->ring[0].rb.aux;
}
