/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * payload.h - takes the payload of a frame apart, member by member, and never beyond its end. So a
 * function for a type of frame checks only once, at the end, whether the payload was long enough.
 */
#ifndef TOOLS_STREAM_PAYLOAD_H
#define TOOLS_STREAM_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The rest of a payload. After a member that did not fit, `bad` stays set, and no further bytes are
 * returned.
 */
struct payload {
	const uint8_t *at;
	size_t left;
	bool bad;
};

/* payload_take() - returns the next `n` bytes, without copying them; NULL: fewer are left.
 * payload_take_struct() - copies the next `n` bytes to `out`, which stays unchanged if fewer are
 * left. */
const void *payload_take(struct payload *c, size_t n);
void payload_take_struct(struct payload *c, void *out, size_t n);

/* payload_take_string() - returns a terminated string, without copying it; "" if there is none. */
const char *payload_take_string(struct payload *c);

#endif
