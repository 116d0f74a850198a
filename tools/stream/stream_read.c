// SPDX-License-Identifier: BSD-2-Clause
/*
 * stream_read.c - returns the records of a command one by one. Chunks are unpacked on demand, so
 * that a stream takes no more memory than its packed bytes.
 */
#include "tools/stream/takers.h"

#include <stdlib.h>

#include "tools/util/memory.h"

struct unpacker *stream_unpacker(struct unpacker **unpackers, unsigned cpu)
{
	struct unpacker **u = &unpackers[cpu];

	if (!*u) {
		*u = memory_checked(malloc(sizeof(**u)));
		unpacker_init(*u);
	}
	return *u;
}

void stream_add_unpacked(void *ctx, const struct perf_event_header *record)
{
	buf_add(ctx, record, record->size);
}

/* A cursor's state for unpacking: the templates of each CPU, and the records of one chunk. */
struct stream_unpacked {
	struct unpacker *unpackers[FRAME_STREAMS]; /* NULL: no packed frame came from that CPU */
	struct buf records;
};

/*
 * Unpacks a chunk. Chunks are in the order of their arrival, so each unpacks to the same records as
 * then.
 */
static void open_chunk(struct stream_cursor *cursor, const struct stream_chunk *chunk)
{
	struct stream_unpacked *unpacked = cursor->unpacked;
	uint32_t lost;

	cursor->is_open = true;
	if (chunk->kind == STREAM_PLAIN)
		return;
	if (!unpacked)
		unpacked = cursor->unpacked = memory_checked(calloc(1, sizeof(*unpacked)));
	unpacked->records.size = 0;
	unpacker_frame(stream_unpacker(unpacked->unpackers, chunk->cpu),
		       chunk->kind == STREAM_KEY ? WIRE_KEY : WIRE_PACKED, chunk + 1, chunk->size,
		       &lost, stream_add_unpacked, &unpacked->records);
}

const struct perf_event_header *stream_next_record(const struct stream_command *command,
						   struct stream_cursor *cursor)
{
	while (cursor->chunk < command->chunks.size) {
		const struct stream_chunk *chunk =
			(const void *)(command->chunks.data + cursor->chunk);
		const bool is_plain = chunk->kind == STREAM_PLAIN;
		const struct perf_event_header *record;
		const uint8_t *bytes;
		size_t n;

		if (!cursor->is_open)
			open_chunk(cursor, chunk);
		bytes = is_plain ? (const void *)(chunk + 1) : cursor->unpacked->records.data;
		n = is_plain ? chunk->size : cursor->unpacked->records.size;
		if (cursor->offset < n) {
			record = (const void *)(bytes + cursor->offset);
			cursor->offset += record->size;
			return record;
		}
		cursor->chunk += sizeof(*chunk) + (chunk->size + STREAM_CHUNK_ALIGN - 1) /
							  STREAM_CHUNK_ALIGN * STREAM_CHUNK_ALIGN;
		cursor->offset = 0;
		cursor->is_open = false;
	}
	return NULL;
}

void stream_cursor_free(struct stream_cursor *cursor)
{
	struct stream_unpacked *unpacked = cursor->unpacked;

	for (unsigned cpu = 0; unpacked && cpu < FRAME_STREAMS; cpu++)
		free(unpacked->unpackers[cpu]);
	if (unpacked)
		buf_free(&unpacked->records);
	free(unpacked);
	*cursor = (struct stream_cursor){0};
}

uint32_t stream_record_cpu(const struct stream_command *command, const struct stream_cursor *cursor)
{
	const struct stream_chunk *chunk = (const void *)(command->chunks.data + cursor->chunk);

	return chunk->cpu;
}
