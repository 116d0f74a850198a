/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames.h - the frame buffer, in which payloads are built, and its sender, shared by the parts
 * of wire.h. A payload begins with wire_append() at length 0. Only rt/wire/ includes it;
 * contexts as in wire.h.
 */
#ifndef RT_WIRE_FRAMES_H
#define RT_WIRE_FRAMES_H

#include "lib/format/frame.h"
#include "lib/format/pack.h"
#include "rt/wire/wire.h"

#define WIRE_AGAIN_ROOM 32768 /* bytes of announcements that are said again */

struct wire_state {
	bool enabled; /* frames go over the line */
	bool said_hello;
	const struct handoff *handoff;
	uint32_t seq[WIRE_STREAM_MAIN + 1];
	uint32_t command;
	bool began; /* BEGIN was sent, and RESULT is to follow */
	struct wire_books books, total;
	uint8_t frame[FRAME_MAX_SIZE] __attribute__((aligned(8)));
};
extern struct wire_state wire;

/* The payload is built at its final place in the frame. */
#define wire_payload (wire.frame + sizeof(struct wire_header))

/* The records of one CPU's ring that are sent. */
struct wire_records {
	struct packer packer;
	uint8_t stream;
	bool is_fresh;           /* nothing of this command's was sent yet */
	size_t at, staged_bytes; /* of `staged`: taken from the ring, and not yet packed */
	uint8_t staged[PACK_RECORD_MAX] __attribute__((aligned(8)));
};

/* wire_send_from() - one frame, whose payload lies at `bytes`, to the line, and to be kept
 * (kept.h); wire_keep(): to be kept only. wire_send_payload() - in wire_payload. */
void wire_keep(enum wire_type type, uint8_t stream, const void *bytes, size_t length);
void wire_send_from(enum wire_type type, uint8_t stream, const void *bytes, size_t length);
void wire_send_payload(enum wire_type type, uint8_t stream, size_t length);

/* wire_append() - `n` bytes behind the `length` that the payload has, as far as there is room;
 * returns the new length. wire_append_string() - a string too long for the frame ends in " ...",
 * and is always terminated. */
size_t wire_append(size_t length, const void *bytes, size_t n);
size_t wire_append_string(size_t length, const char *s);

/* wire_announce_again() - all that a listener must know to make sense of records. Returns the bytes
 * on the line. wire_announced(): those of what it says. */
uint64_t wire_announce_again(void);
size_t wire_announced(void);

/* wire_restart_records() - a command begins: records sent before belong to no recording. */
void wire_restart_records(void);

/* wire_records_of() - what is sent of the ring of `cpu`, prepared. wire_next_record() - the next
 * record of the ring, in the order of the ring; NULL: there is none. wire_pack_record() - sends it.
 */
struct wire_records *wire_records_of(unsigned cpu);
const struct perf_event_header *wire_next_record(struct wire_records *r, struct rb *rb);
void wire_pack_record(struct wire_records *r, const struct perf_event_header *record);

/* wire_send_trace() - the next frame of a trace; at its end none, or the last one. Returns its
 * bytes of trace. */
size_t wire_send_trace(const struct wire_trace *trace, uint64_t *at, bool last, unsigned flags);

/* wire_hold_drain() - holds back live drains while a frame is built: no interrupt may use the
 * buffer then. */
void wire_hold_drain(bool hold);

#endif
