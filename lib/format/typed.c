// SPDX-License-Identifier: BSD-2-Clause
/* typed.c - see typed.h. */
#include "lib/format/typed.h"

static bool is_control(uint8_t byte)
{
	return byte < WIRE_TYPED_CONTROL;
}

size_t typed_encode(void *out, const void *frame, size_t n)
{
	const uint8_t *from = frame;
	uint8_t *at = out;

	*at++ = WIRE_TYPED_FRAME;
	while (n--) {
		const uint8_t byte = (uint8_t)(*from++ + WIRE_TYPED_SHIFT);

		if (is_control(byte))
			*at++ = WIRE_TYPED_ESCAPE;
		*at++ = (uint8_t)(byte + (is_control(byte) ? WIRE_TYPED_LIFT : 0));
	}
	*at++ = WIRE_TYPED_END;
	return (size_t)(at - (uint8_t *)out);
}

static void begin_frame(struct typed_reader *reader)
{
	reader->damaged += reader->inside;
	reader->inside = true;
	reader->escaped = false;
	reader->have = 0;
}

static enum typed give_up_frame(struct typed_reader *reader, enum typed what)
{
	reader->inside = false;
	reader->damaged++;
	return what;
}

static enum typed end_frame(struct typed_reader *reader)
{
	if (!frame_decode(reader->bytes, reader->have, &reader->frame))
		return give_up_frame(reader, TYPED_TAKEN);
	reader->inside = false;
	return TYPED_FRAME;
}

static enum typed take_control(struct typed_reader *reader, uint8_t byte)
{
	if (byte == WIRE_TYPED_END)
		return end_frame(reader);
	if (byte != WIRE_TYPED_ESCAPE)
		return give_up_frame(reader, TYPED_KEY);
	if (reader->escaped)
		return give_up_frame(reader, TYPED_TAKEN);
	reader->escaped = true;
	return TYPED_TAKEN;
}

/* A typed ^A swallows the next character only if that can begin a frame. */
static enum typed take_byte(struct typed_reader *reader, uint8_t byte)
{
	const uint8_t shifted = (uint8_t)(byte - (reader->escaped ? WIRE_TYPED_LIFT : 0));
	const uint8_t value = (uint8_t)(shifted - WIRE_TYPED_SHIFT);

	if (reader->escaped != is_control(shifted) || reader->have == sizeof(reader->bytes))
		return give_up_frame(reader, TYPED_TAKEN);
	if (!reader->have && value != WIRE_MAGIC0)
		return give_up_frame(reader, TYPED_KEY);
	reader->escaped = false;
	reader->bytes[reader->have++] = value;
	return TYPED_TAKEN;
}

enum typed typed_byte(struct typed_reader *reader, uint8_t byte)
{
	if (byte == WIRE_TYPED_FRAME) {
		begin_frame(reader);
		return TYPED_TAKEN;
	}
	if (!reader->inside)
		return TYPED_KEY;
	return is_control(byte) ? take_control(reader, byte) : take_byte(reader, byte);
}
