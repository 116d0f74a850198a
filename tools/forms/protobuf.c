// SPDX-License-Identifier: BSD-2-Clause
/* protobuf.c - see protobuf.h. */
#include "tools/forms/protobuf.h"

enum protobuf_type { PROTOBUF_VARINT = 0, PROTOBUF_BYTES = 2 };

/* Seven bits a byte, the lowest first; the highest bit tells that more follow. */
void protobuf_varint(struct buf *out, uint64_t value)
{
	uint8_t byte;

	do {
		byte = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
		buf_add(out, &byte, 1);
		value >>= 7;
	} while (value);
}

void protobuf_number(struct buf *out, unsigned field, uint64_t value)
{
	if (!value)
		return;
	protobuf_varint(out, field << 3 | PROTOBUF_VARINT);
	protobuf_varint(out, value);
}

void protobuf_bytes(struct buf *out, unsigned field, const void *bytes, size_t n)
{
	protobuf_varint(out, field << 3 | PROTOBUF_BYTES);
	protobuf_varint(out, n);
	buf_add(out, bytes, n);
}

void protobuf_message(struct buf *out, unsigned field, struct buf *message)
{
	protobuf_bytes(out, field, message->data, message->size);
	message->size = 0;
}
