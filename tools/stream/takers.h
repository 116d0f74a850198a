/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * takers.h - the functions that take frames, one for each type: in stream_describe.c for machine
 * and commands, in stream_records.c for records and traces. Only stream*.c include this header.
 */
#ifndef TOOLS_STREAM_TAKERS_H
#define TOOLS_STREAM_TAKERS_H

#include "tools/stream/payload.h"
#include "tools/stream/stream.h"

/*
 * Each function takes one frame with its payload `c`. Returns 0, -ENOENT: a frame to which it
 * refers is missing, or -EBADMSG: the frame is malformed. `why` is set if there are details.
 */
int stream_take_hello(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why);
int stream_take_cpus(struct stream *stream, const struct frame *frame, struct payload *c,
		     struct reason *why);
int stream_take_nodes(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why);
int stream_take_begin(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why);
int stream_take_event(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why);
int stream_take_format(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why);
int stream_take_count(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why);
int stream_take_noise(struct stream *stream, const struct frame *frame, struct payload *c,
		      struct reason *why);
int stream_take_report(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why);
int stream_take_data(struct stream *stream, const struct frame *frame, struct payload *c,
		     struct reason *why);
int stream_take_packed(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why);
int stream_take_aux(struct stream *stream, const struct frame *frame, struct payload *c,
		    struct reason *why);
int stream_take_result(struct stream *stream, const struct frame *frame, struct payload *c,
		       struct reason *why);
int stream_take_bye(struct stream *stream, const struct frame *frame, struct payload *c,
		    struct reason *why);

/* stream_command_of() - returns the command of that number. stream_running() - the same, unless
 * it has ended. NULL: there is none. */
struct stream_command *stream_command_of(struct stream *stream, uint32_t number);
struct stream_command *stream_running(struct stream *stream, uint32_t number);

/* stream_note_time() - keeps the time of the last record that has one. */
void stream_note_time(struct stream_command *command, const struct perf_event_header *record);

/* stream_add_lost() - appends a record about `lost` missing samples, as soon as their event is
 * known. */
void stream_add_lost(struct stream_command *command, uint32_t cpu, uint64_t lost);

/* stream_unpacker() - returns the unpacker of `cpu`, which it makes on first use.
 * stream_add_unpacked() - appends a record to the struct buf `ctx`. */
struct unpacker *stream_unpacker(struct unpacker **unpackers, unsigned cpu);
void stream_add_unpacked(void *ctx, const struct perf_event_header *record);

#endif
