/* SPDX-License-Identifier: BSD-2-Clause */
/* protobuf.h - writes messages of Protocol Buffers ("Encoding", protobuf.dev). */
#ifndef TOOLS_FORMS_PROTOBUF_H
#define TOOLS_FORMS_PROTOBUF_H

#include "tools/util/buf.h"

/* protobuf_number() - appends a field with a number; 0 is the default and is left out. */
void protobuf_number(struct buf *out, unsigned field, uint64_t value);

/* protobuf_bytes() - appends a field with text, a message, or packed numbers. */
void protobuf_bytes(struct buf *out, unsigned field, const void *bytes, size_t n);

/* protobuf_message() - appends a field with `message`, which is empty afterwards. */
void protobuf_message(struct buf *out, unsigned field, struct buf *message);

/* protobuf_varint() - appends a number alone, as packed fields have it. */
void protobuf_varint(struct buf *out, uint64_t value);

#endif
