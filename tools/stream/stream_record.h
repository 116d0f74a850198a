/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stream_record.h - the perf records of one recording: found, looked into, and made, by the layouts
 * of perf_event_open(2). Records are never trusted: a field that does not lie inside of its record
 * reads as 0.
 */
#ifndef TOOLS_STREAM_STREAM_RECORD_H
#define TOOLS_STREAM_STREAM_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/util/buf.h"
#include "tools/stream/stream.h"

/* The events of a recording, as far as they say how records are laid out. */
struct record_format {
	const struct stream_event *events;
	size_t nevents;                       /* at least 1 */
	const struct stream_command *command; /* that has them; NULL: there is one only */
};

/* stream_format() - of a command's records. */
static inline struct record_format stream_format(const struct stream_command *command)
{
	return (struct record_format){command->events, command->nevents, command};
}

/* The task of a record; pid in the high half sorts by pid. */
static inline uint64_t record_task(uint32_t pid, uint32_t tid)
{
	return (uint64_t)pid << 32 | tid;
}

/* record_event() - the event of a record, by its IDENTIFIER; the first event if that is missing. */
const struct stream_event *record_event(const struct record_format *format,
					const struct perf_event_header *record);

/*
 * record_id() - the IDENTIFIER of a record: the id of its event. False: it has none, or there is no
 * event.
 */
bool record_id(const struct record_format *format, const struct perf_event_header *record,
	       uint64_t *id);

/*
 * record_time() - the time of a record; false: it has none. `record` is whole: the caller has
 * checked its size.
 */
bool record_time(const struct record_format *format, const struct perf_event_header *record,
		 uint64_t *ns);

/* record_sample_task() - whose sample, as record_task(); false: it does not say. */
bool record_sample_task(const struct record_format *format, const struct perf_event_header *record,
			uint64_t *task);

/* A MMAP2 record. */
struct record_map {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff; /* bytes */
	const uint8_t *build_id;   /* NULL: the record has none */
	size_t build_id_size;
	const char *path; /* NULL: the record has no terminated one */
};

/* record_map() - takes a MMAP2 record apart; false: it is too short. The strings are its own. */
bool record_map(const struct perf_event_header *record, struct record_map *map);

/* record_add_map(), record_add_comm() - append a record made by the tool, of time 0. */
void record_add_map(struct buf *out, const struct record_format *format,
		    const struct record_map *map);
void record_add_comm(struct buf *out, const struct record_format *format, uint64_t task,
		     const char *name);

/* record_add_lost() - appends a LOST_SAMPLES record of time `ns`, of the first event. */
void record_add_lost(struct buf *out, const struct record_format *format, uint64_t ns,
		     uint64_t lost);

/* record_add_renamed() - appends a MMAP2 record with another path, else unchanged. */
void record_add_renamed(struct buf *out, const struct record_format *format,
			const struct perf_event_header *record, const char *path);

/* record_close() - completes the header of the record that began at `start` of `out`. */
void record_close(struct buf *out, size_t start, uint32_t type, uint16_t misc);

#endif
