/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rings.h - the rings of one recording: allocated, given to its events, sent, and freed.
 *
 * In an overwritable ring the records that say what was mapped would be the first to go. So there
 * they come by an event of their own, which counts nothing, into a small ring that is not
 * overwritten. Task context; static storage.
 */
#ifndef APPS_RINGS_H
#define APPS_RINGS_H

#include "apps/evset.h"
#include "rb/rb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RINGS_MAX_PAGES 16384

struct rings {
	struct rb rb;
	struct rb side; /* with `overwrite` */
	struct pmu_event tracking;
	size_t pages;
	bool overwrite;
};

/*
 * rings_alloc() - `pages`, a power of two. -ENOMEM, after one line of complaint that starts with
 * `who`. rings_free() gives all of it back.
 */
int rings_alloc(struct rings *r, const char *who, size_t pages, bool overwrite);
void rings_free(struct rings *r);

/*
 * rings_attrs() - what the events' attributes have to say about their rings, and which of them
 * carries the side-band records. Before the events are opened.
 */
void rings_attrs(const struct rings *r, struct evset *set);

/*
 * rings_attach() - sends the open events' records into the rings, and announces the events on the
 * wire. rings_detach() - closes what rings_attach() has opened.
 */
void rings_attach(struct rings *r, struct evset *set);
void rings_detach(struct rings *r);

/* rings_drain() - sends what stands there, after the workload. */
void rings_drain(struct rings *r, struct evset *set);

/* rings_sent_samples() - how many samples rings_drain() found; what an overwritable ring was given
 * beyond that is overwritten. */
static inline uint64_t rings_sent_samples(const struct rings *r)
{
	return r->rb.samples;
}

#endif
