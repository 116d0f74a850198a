/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rings.h - the rings of one recording, one for each CPU or task that its events are for:
 * allocated, given to them, sent, and freed. Where an event traces, each ring has an AUX area
 * beside it.
 *
 * In an overwritable ring the records that say what was mapped would be the first to go. So there
 * they come by an event of their own, which counts nothing, into a small ring that is not
 * overwritten. Task context; static storage.
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
	unsigned first; /* target that writes here */
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

/*
 * rings_alloc() - for the targets of `set`. -ENOMEM, after one line of complaint that starts with
 * `command`. rings_free() gives all of it back.
 */
int rings_alloc(struct rings *r, const char *command, const struct evset *set,
		const struct rings_options *options);
void rings_free(struct rings *r);

/*
 * rings_attrs() - what the events' attributes have to say about their rings, and which of them
 * carries the side-band records. Before the events are opened.
 */
void rings_attrs(const struct rings *r, struct evset *set);

/*
 * rings_connect() - sends the open events' records into the rings. rings_attach() - the same, and
 * announces the events on the wire. rings_detach() - closes what rings_attach() has opened.
 */
void rings_connect(struct rings *r, struct evset *set);
void rings_attach(struct rings *r, struct evset *set);
void rings_detach(struct rings *r);

/* rings_go_live() - what comes is sent at once, until wire_live_end(). -ENOMEM. */
int rings_go_live(struct rings *r, const struct evset *set);

/*
 * rings_take_snapshots() - of each AUX area that is overwritten, for rings_drain() to send. While
 * the workload runs, where it may make system calls. False: none had anything new.
 * rings_missed() - how many were not to be had, for want of memory or of room in a ring.
 */
bool rings_take_snapshots(struct rings *r, const struct evset *set);
unsigned rings_missed(const struct rings *r);

/* rings_drain() - sends what stands there, after the workload: as the last of its command. */
void rings_drain(struct rings *r, struct evset *set);

/* rings_sent_samples() - how many samples rings_drain() found; what an overwritable ring was given
 * beyond that is overwritten. */
uint64_t rings_sent_samples(const struct rings *r);

/* rings_trace() - bytes of trace that were written in all, and of these those that were sent.
 * False: nothing traces. */
bool rings_trace(const struct rings *r, uint64_t *produced, uint64_t *sent);

#endif
