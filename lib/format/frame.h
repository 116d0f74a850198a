/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.h - the wire codec. It encodes payloads into frames of include/perf0/wire_frames.h, and
 * finds the frames in a byte stream that a serial line may have damaged. Both ends use this one
 * file.
 *
 * The reader never allocates, holds at most one frame, and takes the bytes in pieces of any size.
 * Every byte belongs to exactly one of these: an intact frame, text, or debris, which are the bytes
 * of damaged frames. An intact frame is always found, whatever stands before it: after damage the
 * search continues at the very next byte, not after the length that the header claimed.
 */
#ifndef LIB_FORMAT_FRAME_H
#define LIB_FORMAT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/wire_frames.h"

#define FRAME_CRC_SIZE 4 /* bytes after the payload */
#define FRAME_OVERHEAD (sizeof(struct wire_header) + FRAME_CRC_SIZE)
#define FRAME_MAX_SIZE (FRAME_OVERHEAD + WIRE_MAX_PAYLOAD)

/*
 * frame_encode() - writes one frame to `out`, which has room for `length` + FRAME_OVERHEAD bytes
 * and may be unaligned. `payload` is `length` bytes, at most WIRE_MAX_PAYLOAD. A payload that
 * already stands in its place, at `out` + sizeof(struct wire_header), is not copied. The caller
 * counts `seq` per stream from 0. Returns the size of the frame in bytes, 0 when `length` is too
 * large. Any context.
 */
size_t frame_encode(void *out, uint8_t type, uint8_t stream, uint32_t seq, const void *payload,
		    size_t length);

/* One intact frame. The payload is aligned to 8 bytes and lives until the callback returns. */
struct frame {
	uint8_t type;   /* enum wire_type, or a type of a later version */
	uint8_t stream; /* CPU number, or WIRE_STREAM_MAIN */
	uint16_t length;
	uint32_t seq;
	const void *payload;
};

/*
 * frame_decode() - true where the `n` bytes are exactly one intact frame, which it describes in
 * `*frame`; the payload lies within the bytes. Any context.
 */
bool frame_decode(const void *bytes, size_t n, struct frame *frame);

/* The callbacks of a reader, called in the order of the stream. No callback may feed the reader. */
struct frame_sink {
	void (*frame)(void *ctx, const struct frame *frame);
	void (*text)(void *ctx, const void *bytes, size_t n);
	void (*debris)(void *ctx, const void *bytes, size_t n);
	void *ctx;
};

struct frame_stats {
	uint64_t frames;      /* intact */
	uint64_t text;        /* bytes outside of frames */
	uint64_t bad_headers; /* magic without a valid header */
	uint64_t bad_crcs;    /* valid header, but damaged or truncated after it */
	uint64_t missing;     /* gaps in the sequence numbers of a stream */
	uint64_t late;        /* frames with an earlier number: repeated or out of order */
	uint64_t skipped;     /* bytes of debris */
};

#define FRAME_STREAMS 256

struct frame_reader {
	struct frame_sink sink;
	struct frame_stats stats;
	uint32_t next_seq[FRAME_STREAMS];
	uint8_t joining[FRAME_STREAMS]; /* the first frame of the stream sets `next_seq` */
	size_t have;                    /* bytes of `bytes` in use: one incomplete frame */
	size_t suspect; /* number of next bytes that are debris unless they are in frames */
	uint32_t align; /* aligns the payload to 8 bytes */
	uint8_t bytes[FRAME_MAX_SIZE];
};
_Static_assert((offsetof(struct frame_reader, bytes) + sizeof(struct wire_header)) % 8 == 0,
	       "payloads are aligned");

/* frame_reader_init() - prepares for the first byte of a stream. */
void frame_reader_init(struct frame_reader *reader, const struct frame_sink *sink);

/*
 * frame_reader_join() - for streams that may have begun before. Numbers below the first frame of
 * each stream from now on count neither as missing nor as late.
 */
void frame_reader_join(struct frame_reader *reader);

/*
 * frame_reader_feed() - takes the next `n` bytes and calls the sink for everything that is
 * complete.
 */
void frame_reader_feed(struct frame_reader *reader, const void *bytes, size_t n);

/*
 * frame_reader_end() - ends the stream. An incomplete frame counts as one with a bad CRC, or with a
 * bad header if its header is incomplete. Frames inside of it are found.
 */
void frame_reader_end(struct frame_reader *reader);

#endif
