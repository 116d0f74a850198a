/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_ring.h - both ends of the rings of include/perf0/shared.h. Each ring has one writer and
 * one reader, which may run on different machines. So neither end trusts the other's numbers.
 *
 *           writer                              reader
 *
 *   store bytes                         load head
 *   -- A: bytes before head             -- B: head before bytes
 *   store head                          load bytes
 *   -- C: head before wanted            -- D: bytes before tail
 *   store wanted                        store tail
 *                                       load wanted
 *                                       -- E: wanted before head
 *                                       load head, and if all is taken answer
 *
 * A pairs with B: a reader that sees a head sees the bytes before it. C pairs with E: a reader that
 * sees `wanted` sees all bytes that must be taken before it answers. D pairs with the answer, or
 * with shared_ring_look(), after which the writer overwrites the bytes.
 *
 * Usually the writer does not load the tail: the last answer tells how much room there is at least.
 * So the reader's speed does not change the writer's instructions, unless the writer has to wait.
 */
#ifndef LIB_FORMAT_SHARED_RING_H
#define LIB_FORMAT_SHARED_RING_H

#include "include/perf0/shared.h"

#include <stdbool.h>
#include <stddef.h>

struct shared_ring_writer {
	struct shared_ring *ring; /* NULL: there is no ring */
	uint8_t *bytes;
	uint32_t size;     /* bytes of `bytes`, a power of two */
	uint64_t head;     /* bytes written so far */
	uint64_t limit;    /* `head` may advance up to here */
	bool asked;        /* an answer is awaited */
	uint64_t asked_at; /* `head` when the question was asked */
};

/*
 * shared_ring_writer_init() - prepares a writer for an unused area of `bytes` bytes at `area`.
 * False: the area is too small for a ring, or the ring's size is no power of two.
 */
bool shared_ring_writer_init(struct shared_ring_writer *writer, void *area, uint32_t bytes);

/* shared_ring_room() - the number of bytes that can be written now. */
static inline size_t shared_ring_room(const struct shared_ring_writer *writer)
{
	return (size_t)(writer->limit - writer->head);
}

/*
 * shared_ring_put() - writes `n` bytes, at most as many as there is room for; the reader sees all
 * or none.
 */
void shared_ring_put(struct shared_ring_writer *writer, const void *bytes, size_t n);

/*
 * shared_ring_ask() - asks the reader to answer when the ring is empty.
 * shared_ring_told() - notes the answer: the bytes that were in the ring when the question was
 * asked are free.
 * shared_ring_look() - loads the reader's tail instead.
 */
void shared_ring_ask(struct shared_ring_writer *writer);
void shared_ring_told(struct shared_ring_writer *writer);
void shared_ring_look(struct shared_ring_writer *writer);

struct shared_ring_reader {
	struct shared_ring *ring;
	const uint8_t *bytes;
	uint32_t size;
	uint64_t tail;
};

/* shared_ring_reader_init() - continues at the tail that the area holds. */
bool shared_ring_reader_init(struct shared_ring_reader *reader, void *area, uint32_t bytes);

/*
 * shared_ring_peek() - the number of unread bytes in one piece, and their place in `*at`; 0: none.
 * If the head is impossible, the ring counts as empty.
 * shared_ring_take() - frees `n` bytes that were read.
 */
size_t shared_ring_peek(const struct shared_ring_reader *reader, const uint8_t **at);
void shared_ring_take(struct shared_ring_reader *reader, size_t n);

/*
 * shared_ring_is_wanted() - true, once, when the ring is empty and the writer has asked to be told.
 */
bool shared_ring_is_wanted(struct shared_ring_reader *reader);

#endif
