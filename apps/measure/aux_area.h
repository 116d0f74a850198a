/* SPDX-License-Identifier: BSD-2-Clause */
/* aux_area.h - the AUX area of a recording's ring, for events that write a trace instead of
 * samples; one at most. Task context, unless said otherwise. */
#ifndef APPS_MEASURE_AUX_AREA_H
#define APPS_MEASURE_AUX_AREA_H

#include "apps/measure/evset.h"
#include "rb/aux.h"
#include "rt/wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

struct aux_area_options {
	uint64_t pages; /* 0: not given */
	bool snapshot;
};

struct aux_snapshot;

struct aux_area {
	struct rb_aux aux;
	void *memory; /* NULL: there is no area */
	uint64_t pages;
	struct wire_trace trace;           /* see aux_area_trace() */
	struct aux_snapshot *first, *last; /* the snapshots; NULL: none */
	unsigned nmissed;                  /* snapshots without memory, or without room in the
					    * ring */
	uint64_t taken;                    /* the end of the last snapshot, counted as aux.head */
};

/* aux_area_wanted() - whether the event writes to an AUX area. */
bool aux_area_wanted(const struct perf_event_attr *attr);

/*
 * mmap_pages_read() - an operand of -m that option_check() took: N or N,M or ,M, for the ring and
 * the AUX area; numbers that `text` (NULL: nothing) does not give stay what they are.
 */
void mmap_pages_read(const char *text, uint64_t *pages, uint64_t *aux_pages);

/* aux_area_attrs() - completes the attributes of the event that traces: where a trace is a CPU's,
 * and has times, it records from when on which task had the CPU. Before the events are opened. */
void aux_area_attrs(struct evset *set);

/*
 * aux_area_open() - gives `rb` an area if an event of `set` wants one. -ENOMEM after one line of
 * complaint. aux_area_close() - `rb` is not used any more.
 */
int aux_area_open(struct aux_area *a, const char *command, const struct evset *set, struct rb *rb,
		  const struct aux_area_options *options);
void aux_area_close(struct aux_area *a);

/*
 * aux_area_trace() - the part of the area that is to be sent, with the event that writes it for
 * target `t` of `set`; once the events are open. NULL: there is no area. aux_area_drain() - sends
 * the rest, as the last of its command. Returns the number of bytes sent in all.
 */
const struct wire_trace *aux_area_trace(struct aux_area *a, const struct evset *set, unsigned t);

/*
 * aux_area_take() - takes a snapshot: keeps the trace since the last snapshot, as far back as an
 * overwritten area reaches, for aux_area_drain() to send. The event is the one of aux_area_trace().
 * False: nothing is new, or there is no memory for it, or no room in the ring to tell of it
 * (`nmissed`). While the workload runs, where it may make system calls.
 */
bool aux_area_take(struct aux_area *a, const struct evset *set, unsigned t);

uint64_t aux_area_drain(struct aux_area *a, const struct wire_trace *trace);

#endif
