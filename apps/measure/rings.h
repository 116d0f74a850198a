/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rings.h - the rings of one recording, one for each CPU or task that its events are for:
 * allocated, given to the events, sent, and freed. Where an event traces, each ring has an AUX area
 * beside it.
 *
 * In an overwritable ring the records of mappings would be overwritten first. So an event of its
 * own, which counts nothing, writes them into a small ring that is not overwritten. Task context;
 * static storage.
 */
#ifndef APPS_MEASURE_RINGS_H
#define APPS_MEASURE_RINGS_H

#include "apps/measure/aux_area.h"
#include "apps/measure/evset.h"
#include "rb/rb.h"
#include "rt/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RINGS_MAX_PAGES 16384

/* The options of each ring. */
struct rings_options {
	uint64_t pages; /* a power of two; 0: as many as suit the machine */
	bool overwrite;
	struct aux_area_options aux;
};

struct ring {
	struct rb rb;
	struct rb side; /* with `overwrite` */
	struct pmu_event tracking;
	struct aux_area area;
	unsigned first; /* the target that writes here */
	unsigned cpu;   /* evset_stream() of it */
	struct wire_ring live;
	uint64_t sent_aux; /* bytes of trace */
};

struct rings {
	struct ring *ring;
	unsigned n;
	bool tracks; /* an event of its own carries the side-band records of each ring: others
		      * cannot where they are overwritten, or of some tasks only */
	struct rings_options options; /* `pages` are final */
};

/* rings_alloc() - allocates the rings for the targets of `set`. -ENOMEM, after one line of
 * complaint that starts with `command`. rings_free() - frees them. */
int rings_alloc(struct rings *r, const char *command, const struct evset *set,
		const struct rings_options *options);
void rings_free(struct rings *r);

/* rings_attrs() - completes the events' attributes for their rings, and chooses the event that
 * carries the side-band records. Before the events are opened. */
void rings_attrs(const struct rings *r, struct evset *set);

/*
 * rings_connect() - sends the open events' records into the rings. rings_attach() - the same, and
 * announces the events on the wire. rings_detach() - closes the events that rings_attach() opened.
 */
void rings_connect(struct rings *r, struct evset *set);
void rings_attach(struct rings *r, struct evset *set);
void rings_detach(struct rings *r);

/* rings_go_live() - sends records as they come, until wire_live_end(). -ENOMEM. */
int rings_go_live(struct rings *r, const struct evset *set);

/*
 * rings_take_snapshots() - takes a snapshot of each overwritten AUX area, for rings_drain() to
 * send. While the workload runs, where it may make system calls. False: none had new data.
 * rings_missed() - snapshots that failed for want of memory or of room in a ring.
 */
bool rings_take_snapshots(struct rings *r, const struct evset *set);
unsigned rings_missed(const struct rings *r);

/*
 * rings_drain() - sends the contents of the rings after the workload. The command sends nothing
 * else behind that.
 */
void rings_drain(struct rings *r, struct evset *set);

/* rings_sent_samples() - the number of samples that rings_drain() found; an overwritable ring has
 * lost its other samples. */
uint64_t rings_sent_samples(const struct rings *r);

/* rings_trace() - the bytes of trace that were written in all, and those of them that were sent.
 * False: nothing traces. */
bool rings_trace(const struct rings *r, uint64_t *produced, uint64_t *sent);

#endif
