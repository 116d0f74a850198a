/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_ring.h - both ends of the rings of include/perf0/shared.h. One writer, one reader, which
 * may be different machines: neither end believes the other's numbers to be in bounds.
 *
 *	writer                                  reader
 *
 *	store bytes                             load head
 *	-- A: bytes before head                 -- B: head before bytes
 *	store head                              load bytes
 *	-- C: head before wanted                -- D: bytes before tail
 *	store wanted                            store tail
 *	                                        load wanted
 *	                                        -- E: wanted before head
 *	                                        load head, and if all is taken answer
 *
 * A pairs with B: a head that is seen has its bytes. C pairs with E: what is wanted is that all
 * before that head is taken. D pairs with the answer, or with shared_ring_look(), behind which the
 * writer overwrites. As a rule the writer looks at no tail: it knows from the last answer how much
 * room there is at least. So how fast the reader is changes nothing in what the writer does, unless
 * it has to wait.
 */
#ifndef LIB_SHARED_RING_H
#define LIB_SHARED_RING_H

#include "include/perf0/shared.h"

#include <stdbool.h>
#include <stddef.h>

struct shared_ring_writer {
	struct shared_ring *ring; /* NULL: there is none */
	uint8_t *bytes;
	uint32_t size;     /* of `bytes`, a power of two */
	uint64_t head;     /* put in so far */
	uint64_t limit;    /* `head` may get here */
	bool asked;        /* to be told that the ring is empty, and was not yet */
	uint64_t asked_at; /* `head` then */
};

/*
 * shared_ring_writer_init() - for the area of `bytes` bytes at `area`, which nothing was put into.
 * False: it is too small for a ring, or not a power of two.
 */
bool shared_ring_writer_init(struct shared_ring_writer *writer, void *area, uint32_t bytes);

/* shared_ring_room() - bytes that can be put in now. */
static inline size_t shared_ring_room(const struct shared_ring_writer *writer)
{
	return (size_t)(writer->limit - writer->head);
}

/* shared_ring_put() - `n` bytes, no more than there is room for; the reader sees all or none. */
void shared_ring_put(struct shared_ring_writer *writer, const void *bytes, size_t n);

/*
 * shared_ring_ask() - wants to be told when the ring is empty. shared_ring_told(): the reader says
 * that it is; all that was in it when that was asked is free. shared_ring_look(): looks at the
 * reader's tail instead.
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

/* shared_ring_reader_init() - goes on where `tail` in the area says. */
bool shared_ring_reader_init(struct shared_ring_reader *reader, void *area, uint32_t bytes);

/*
 * shared_ring_peek() - the oldest bytes that are there, in one piece: their number, 0: none, with
 * their place in `*at`. Those of a writer whose head is nonsense are none. shared_ring_take(): so
 * many of them are done with.
 */
size_t shared_ring_peek(const struct shared_ring_reader *reader, const uint8_t **at);
void shared_ring_take(struct shared_ring_reader *reader, size_t n);

/* shared_ring_is_wanted() - the ring is empty, and the writer wants to be told: once. */
bool shared_ring_is_wanted(struct shared_ring_reader *reader);

#endif
