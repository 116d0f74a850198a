// SPDX-License-Identifier: BSD-2-Clause
/* shared_ring.c - see shared_ring.h. */
#include "lib/format/shared_ring.h"

#include "lib/string.h"

/* The bytes of the ring in an area of `bytes`; 0: the area has no room for a ring. */
static uint32_t ring_size(uint32_t bytes)
{
	const uint32_t size = bytes - SHARED_PAGE;

	return bytes > SHARED_PAGE && !(size & (size - 1)) ? size : 0;
}

bool shared_ring_writer_init(struct shared_ring_writer *writer, void *area, uint32_t bytes)
{
	const uint32_t size = ring_size(bytes);

	*writer = (struct shared_ring_writer){
		.ring = size ? area : NULL,
		.bytes = (uint8_t *)area + SHARED_PAGE,
		.size = size,
		.limit = size,
	};
	return size;
}

/* Copies in up to two pieces. */
static void copy_in(struct shared_ring_writer *writer, const uint8_t *from, size_t n)
{
	const size_t at = writer->head & (writer->size - 1), left = writer->size - at;
	const size_t first = n < left ? n : left;

	memcpy(writer->bytes + at, from, first);
	memcpy(writer->bytes, from + first, n - first);
}

void shared_ring_put(struct shared_ring_writer *writer, const void *bytes, size_t n)
{
	copy_in(writer, bytes, n);
	writer->head += n;
	__atomic_store_n(&writer->ring->head, writer->head, __ATOMIC_RELEASE); /* A */
}

void shared_ring_ask(struct shared_ring_writer *writer)
{
	writer->asked = true;
	writer->asked_at = writer->head;
	__atomic_store_n(&writer->ring->wanted, 1, __ATOMIC_RELEASE); /* C */
}

void shared_ring_told(struct shared_ring_writer *writer)
{
	writer->asked = false;
	writer->limit = writer->asked_at + writer->size;
}

/* An impossible tail frees nothing. */
void shared_ring_look(struct shared_ring_writer *writer)
{
	const uint64_t tail = __atomic_load_n(&writer->ring->tail, __ATOMIC_ACQUIRE); /* D */

	if (writer->head - tail <= writer->size)
		writer->limit = tail + writer->size;
}

bool shared_ring_reader_init(struct shared_ring_reader *reader, void *area, uint32_t bytes)
{
	const uint32_t size = ring_size(bytes);

	*reader = (struct shared_ring_reader){
		.ring = area,
		.bytes = (const uint8_t *)area + SHARED_PAGE,
		.size = size,
		.tail = size ? ((const struct shared_ring *)area)->tail : 0,
	};
	return size;
}

size_t shared_ring_peek(const struct shared_ring_reader *reader, const uint8_t **at)
{
	const uint64_t head = __atomic_load_n(&reader->ring->head, __ATOMIC_ACQUIRE); /* B */
	const uint64_t n = head - reader->tail;
	const size_t from = reader->tail & (reader->size - 1), left = reader->size - from;

	*at = reader->bytes + from;
	if (n > reader->size)
		return 0;
	return n < left ? (size_t)n : left;
}

void shared_ring_take(struct shared_ring_reader *reader, size_t n)
{
	reader->tail += n;
	__atomic_store_n(&reader->ring->tail, reader->tail, __ATOMIC_RELEASE); /* D */
}

bool shared_ring_is_wanted(struct shared_ring_reader *reader)
{
	if (!__atomic_load_n(&reader->ring->wanted, __ATOMIC_ACQUIRE) || /* E */
	    __atomic_load_n(&reader->ring->head, __ATOMIC_ACQUIRE) != reader->tail)
		return false;
	__atomic_store_n(&reader->ring->wanted, 0, __ATOMIC_RELEASE);
	return true;
}
