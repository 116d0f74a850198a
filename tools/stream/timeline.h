/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline.h - the records of a recording in order of time, whichever CPU they came from, with the
 * memory of a sorter.
 */
#ifndef TOOLS_STREAM_TIMELINE_H
#define TOOLS_STREAM_TIMELINE_H

#include "tools/stream/stream_record.h"
#include "tools/util/sorter.h"

struct timeline_entry {
	uint64_t time;  /* ns; of the record before it in the stream, when it has none */
	uint64_t order; /* in which it came */
	const struct perf_event_header *record;
};

struct timeline {
	struct sorter sorter;
	struct timeline_entry entry; /* that was given last */
};

/* timeline_make() - sorts the records. Records of equal time keep their order. */
void timeline_make(struct timeline *timeline, const struct stream_command *command,
		   const struct record_format *format);

/* timeline_next() - the next record, valid until the next call; NULL: there are no more. */
const struct timeline_entry *timeline_next(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

#endif
