/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typed.h - frames among what is typed at a machine: in an envelope that is free of control
 * characters, which include/perf0/wire.h describes at enum wire_typed. Both ends use this one file.
 */
#ifndef LIB_TYPED_H
#define LIB_TYPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/frame.h"

#define TYPED_MAX_SIZE (2 + 2 * FRAME_MAX_SIZE)

/*
 * typed_encode() - puts the frame of `n` bytes into its envelope at `out`, which has room for 2 * n
 * + 2 bytes. Returns the bytes. Any context.
 */
size_t typed_encode(void *out, const void *frame, size_t n);

/* A zeroed one is ready. */
struct typed_reader {
	struct frame frame; /* the one that TYPED_FRAME told of; until the next byte */
	uint64_t damaged;   /* frames that came, but not whole */
	bool inside, escaped;
	size_t have;
	uint32_t align; /* puts the payload on a multiple of 8 */
	uint8_t bytes[FRAME_MAX_SIZE];
};
_Static_assert((offsetof(struct typed_reader, bytes) + sizeof(struct wire_header)) % 8 == 0,
	       "payloads are aligned");

enum typed {
	TYPED_KEY,   /* the byte is in no frame */
	TYPED_TAKEN, /* it is, or is left over from one that was damaged */
	TYPED_FRAME, /* with it a frame is whole */
};

/* typed_byte() - what the next byte is. Any context, one at a time. */
enum typed typed_byte(struct typed_reader *reader, uint8_t byte);

#endif
