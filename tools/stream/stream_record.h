/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_record.h - reads and makes the perf records of a recording, in the layouts of
 * perf_event_open(2). No value in a record is trusted: a field that does not lie inside of its
 * record reads as 0.
 */
#ifndef TOOLS_STREAM_STREAM_RECORD_H
#define TOOLS_STREAM_STREAM_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"
#include "tools/stream/stream.h"

/* The events of a recording, which determine the layout of its records. */
struct record_format {
	const struct stream_event *events;
	size_t nevents;                       /* at least 1 */
	const struct stream_command *command; /* has the events; NULL: there is only one event */
};

/* stream_format() - returns the format of a command's records. */
static inline struct record_format stream_format(const struct stream_command *command)
{
	return (struct record_format){command->events, command->nevents, command};
}

/*
 * record_task() - returns a task as one number. The pid is in the upper half, so that tasks sort by
 * pid.
 */
static inline uint64_t record_task(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

/*
 * record_event() - returns the event of a record, by its IDENTIFIER; the first event if that is
 * missing.
 */
const struct stream_event *record_event(const struct record_format *format,
					const struct perf_event_header *record);

/*
 * record_id() - stores the IDENTIFIER of a record, which is the id of its event. Returns false if
 * it has none, or if there is no event.
 */
bool record_id(const struct record_format *format, const struct perf_event_header *record,
	       uint64_t *id);

/*
 * record_time() - stores the time of a record. Returns false if it has none. `record` is complete:
 * the caller has checked its size.
 */
bool record_time(const struct record_format *format, const struct perf_event_header *record,
		 uint64_t *ns);

/*
 * record_sample_task() - stores the task of a sample, as record_task() returns it. Returns false if
 * the sample has no task.
 */
bool record_sample_task(const struct record_format *format, const struct perf_event_header *record,
			uint64_t *task);

/* The fields of a MMAP2 record. */
struct record_map {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff; /* bytes */
	const uint8_t *build_id;   /* NULL: the record has none */
	size_t build_id_size;
	const char *path; /* NULL: the record has no terminated path */
};

/*
 * record_map() - parses a MMAP2 record. Returns false if it is too short. The strings point into
 * it.
 */
bool record_map(const struct perf_event_header *record, struct record_map *map);

/* record_add_map(), record_add_comm() - append a record of the tool's own, with time 0. */
void record_add_map(struct buf *out, const struct record_format *format,
		    const struct record_map *map);
void record_add_comm(struct buf *out, const struct record_format *format, uint64_t task,
		     const char *name);

/* record_add_lost() - appends a LOST_SAMPLES record of the first event, with time `ns`. */
void record_add_lost(struct buf *out, const struct record_format *format, uint64_t ns,
		     uint64_t lost);

/* record_add_renamed() - appends a copy of a MMAP2 record with another path. */
void record_add_renamed(struct buf *out, const struct record_format *format,
			const struct perf_event_header *record, const char *path);

/* record_close() - completes the header of the record that began at `start` of `out`. */
void record_close(struct buf *out, size_t start, uint32_t type, uint16_t misc);

#endif
