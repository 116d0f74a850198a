/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * payload.h - takes the payload of a frame apart, member after member, and never more than there
 * is: so the functions for the types of frames ask once, at the end, whether all of it was there.
 */
#ifndef TOOLS_STREAM_PAYLOAD_H
#define TOOLS_STREAM_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rest of a payload. Once something did not fit, `bad` stays set and nothing more comes. */
struct payload {
	const uint8_t *at;
	size_t left;
	bool bad;
};

/* payload_take() - the next `n` bytes, where they stand; NULL: there are fewer.
 * payload_take_struct() - copied to `out`, which stays as it is where there are fewer. */
const void *payload_take(struct payload *c, size_t n);
void payload_take_struct(struct payload *c, void *out, size_t n);

/* payload_take_string() - a terminated string, where it stands; "" where there is none. */
const char *payload_take_string(struct payload *c);

#endif
