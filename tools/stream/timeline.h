/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timeline.h - returns the records of all CPUs of a recording in the order of time, in the memory
 * of a sorter.
 */
#ifndef TOOLS_STREAM_TIMELINE_H
#define TOOLS_STREAM_TIMELINE_H

#include "tools/stream/stream_record.h"
#include "tools/util/sorter.h"

struct timeline_entry {
	uint64_t time;  /* ns; a record without a time has that of the record before it */
	uint64_t order; /* position in the stream */
	const struct perf_event_header *record;
};

struct timeline {
	struct sorter sorter;
	struct timeline_entry entry; /* the entry that was returned last */
};

/* timeline_make() - sorts the records. Records of equal time keep their order. */
void timeline_make(struct timeline *timeline, const struct stream_command *command,
		   const struct record_format *format);

/* timeline_next() - returns the next record, valid until the next call; NULL: no more records. */
const struct timeline_entry *timeline_next(struct timeline *timeline);

void timeline_free(struct timeline *timeline);

#endif
