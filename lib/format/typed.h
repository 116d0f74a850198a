/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typed.h - frames among keys that are typed at a machine. Their envelope is free of control
 * characters; enum wire_typed in include/perf0/wire_frames.h describes it. Both ends use this one
 * file.
 */
#ifndef LIB_FORMAT_TYPED_H
#define LIB_FORMAT_TYPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/format/frame.h"

#define TYPED_MAX_SIZE (2 + 2 * FRAME_MAX_SIZE)

/*
 * typed_encode() - puts the frame of `n` bytes into its envelope at `out`, which has room for 2 * n
 * + 2 bytes. Returns the number of bytes. Any context.
 */
size_t typed_encode(void *out, const void *frame, size_t n);

/* A reader that is all zeros is ready for the first byte. */
struct typed_reader {
	struct frame frame; /* the frame that TYPED_FRAME reported, valid until the next byte */
	uint64_t damaged;   /* damaged frames */
	bool inside, escaped;
	size_t have;
	uint32_t align; /* aligns the payload to 8 bytes */
	uint8_t bytes[FRAME_MAX_SIZE];
};
_Static_assert((offsetof(struct typed_reader, bytes) + sizeof(struct wire_header)) % 8 == 0,
	       "payloads are aligned");

enum typed {
	TYPED_KEY,   /* the byte is in no frame */
	TYPED_TAKEN, /* the byte is in a frame, or left over from a damaged one */
	TYPED_FRAME, /* the byte completes a frame */
};

/* typed_byte() - classifies the next byte. Any context, one call at a time. */
enum typed typed_byte(struct typed_reader *reader, uint8_t byte);

#endif
