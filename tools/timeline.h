/* SPDX-License-Identifier: BSD-2-Clause */
/* timeline.h - the records of a recording in order of time, whichever CPU they came from. */
#ifndef TOOLS_TIMELINE_H
#define TOOLS_TIMELINE_H

#include "tools/record.h"

struct timeline_entry {
	uint64_t time; /* ns; of the record before it on its CPU, when it has none */
	size_t order;  /* in which it came */
	const struct perf_event_header *record;
};

/* `entries` lie in `sorted`, which timeline_free() gives back; records stay the stream's. */
struct timeline {
	struct buf sorted;
	const struct timeline_entry *entries;
	size_t n;
};

/* timeline_make() - sorts. Records of equal time stay as they came. */
void timeline_make(struct timeline *timeline, const struct stream_command *command,
		   const struct record_format *format);
void timeline_free(struct timeline *timeline);

#endif
