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

#define WIRE_AGAIN_ROOM 32768 /* bytes of announcements that are repeated */

struct wire_state {
	bool enabled; /* frames go over the line */
	bool said_hello;
	const struct handoff *handoff;
	uint32_t seq[WIRE_STREAM_MAIN + 1];
	uint32_t command;
	bool began; /* BEGIN was sent, and RESULT will follow */
	struct wire_books books, total;
	uint8_t frame[FRAME_MAX_SIZE] __attribute__((aligned(8)));
};
extern struct wire_state wire;

/* The payload is built at its final place in the frame. */
#define wire_payload (wire.frame + sizeof(struct wire_header))

/* The state of sending records of one CPU's ring. */
struct wire_records {
	struct packer packer;
	uint8_t stream;
	bool is_fresh;           /* no record of this command was sent yet */
	size_t at, staged_bytes; /* in `staged`: bytes that left the ring and are not packed yet */
	uint8_t staged[PACK_RECORD_MAX] __attribute__((aligned(8)));
};

/* wire_send_from() - sends one frame, whose payload lies at `bytes`, to the line, and keeps it
 * (kept.h). wire_keep() - only keeps it. wire_send_payload() - sends the payload in
 * wire_payload. */
void wire_keep(enum wire_type type, uint8_t stream, const void *bytes, size_t length);
void wire_send_from(enum wire_type type, uint8_t stream, const void *bytes, size_t length);
void wire_send_payload(enum wire_type type, uint8_t stream, size_t length);

/* wire_append() - appends up to `n` bytes to a payload of `length` bytes, as far as there is room;
 * returns the new length. wire_append_string() - appends a string, always terminated; one that is
 * too long for the frame ends in " ...". */
size_t wire_append(size_t length, const void *bytes, size_t n);
size_t wire_append_string(size_t length, const char *s);

/* wire_announce_again() - repeats everything that a listener must know to understand records.
 * Returns its bytes on the line. wire_announced() - the bytes that it repeats. */
uint64_t wire_announce_again(void);
size_t wire_announced(void);

/* wire_restart_records() - a command begins: records sent before belong to no recording. */
void wire_restart_records(void);

/* wire_records_of() - the state for the ring of `cpu`, prepared. wire_next_record() - the next
 * record of the ring, in its order; NULL: there is none. wire_pack_record() - packs and sends
 * it. */
struct wire_records *wire_records_of(unsigned cpu);
const struct perf_event_header *wire_next_record(struct wire_records *r, struct rb *rb);
void wire_pack_record(struct wire_records *r, const struct perf_event_header *record);

/* wire_send_trace() - sends the next frame of a trace. At its end it sends none, or with `last` the
 * final one. Returns the bytes of trace in the frame. */
size_t wire_send_trace(const struct wire_trace *trace, uint64_t *at, bool last, unsigned flags);

/* wire_hold_drain() - holds back live drains while a frame is built: no interrupt may use the
 * buffer then. */
void wire_hold_drain(bool hold);

#endif
