// SPDX-License-Identifier: BSD-2-Clause
/*
 * frames.c - one frame buffer, one sequence number per stream; the CPU that runs commands is the
 * only sender.
 */
#include "rt/wire/frames.h"

#include "lib/string.h"
#include "rt/wire/kept.h"
#include "rt/wire/carrier.h"

struct wire_state wire;

void wire_keep(enum wire_type type, uint8_t stream, const void *bytes, size_t length)
{
	if (kept_is_on())
		kept_frame(wire.frame, frame_encode(wire.frame, type, stream, kept_number(stream),
						    bytes, length));
}

/* A payload in the frame buffer stays there: both frames are built around it. */
void wire_send_from(enum wire_type type, uint8_t stream, const void *bytes, size_t length)
{
	wire_keep(type, stream, bytes, length);
	if (wire.enabled)
		line_write(wire.frame, frame_encode(wire.frame, type, stream, wire.seq[stream]++,
						    bytes, length));
}

void wire_send_payload(enum wire_type type, uint8_t stream, size_t length)
{
	wire_send_from(type, stream, wire_payload, length);
}

size_t wire_append(size_t length, const void *bytes, size_t n)
{
	size_t room = WIRE_MAX_PAYLOAD - length;

	n = n < room ? n : room;
	memcpy(wire_payload + length, bytes, n);
	return length + n;
}

size_t wire_append_string(size_t length, const char *s)
{
	static const char more[] = " ...";
	const size_t n = strlen(s) + 1;
	const bool fits = n <= WIRE_MAX_PAYLOAD - length;

	length = wire_append(length, s, n);
	if (!fits)
		memcpy(wire_payload + length - sizeof(more), more, sizeof(more));
	return length;
}

void wire_enable(bool on)
{
	wire.enabled = on;
}

bool wire_enabled(void)
{
	return wire.enabled || kept_is_on();
}
