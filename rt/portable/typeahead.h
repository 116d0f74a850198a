/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typeahead.h - input that was typed and not read yet: a queue of bytes from the line's interrupt
 * to the console. Input without room is lost. A mark in the queue stands in its place, so that no
 * reader takes an incomplete line for a whole one. Portable, no machine.
 *
 * One writer, one reader; the writer may interrupt the reader. No allocation.
 */
#ifndef RT_PORTABLE_TYPEAHEAD_H
#define RT_PORTABLE_TYPEAHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPEAHEAD_BYTES (128 * 1024) /* a power of two; two of the longest lines fit */
#define TYPEAHEAD_MARK  0            /* stands where input is missing; never a key */

struct typeahead {
	uint8_t *bytes;               /* TYPEAHEAD_BYTES of them */
	volatile unsigned head, tail; /* free running; head is the writer's, tail the reader's */
	bool marked;                  /* the newest byte is a mark */
};

/* typeahead_init() - makes an empty queue in `memory` of TYPEAHEAD_BYTES. */
void typeahead_init(struct typeahead *queue, void *memory);

/*
 * typeahead_put() - adds one received byte. False: there was no room, and the byte is lost and
 * marked. A zero byte is no key and is ignored.
 */
bool typeahead_put(struct typeahead *queue, uint8_t byte);

/* typeahead_lost() - marks that input is missing here. */
void typeahead_lost(struct typeahead *queue);

/* typeahead_get() - takes the oldest byte; TYPEAHEAD_MARK: input is missing here; -1: the queue is
 * empty. */
int typeahead_get(struct typeahead *queue);

static inline unsigned typeahead_used(const struct typeahead *queue)
{
	return queue->head - queue->tail;
}

/*
 * The used bytes at which the sender has to stop, and may continue. Bytes that it sends before it
 * notices still find room.
 */
#define TYPEAHEAD_STOP (TYPEAHEAD_BYTES / 4 * 3)
#define TYPEAHEAD_GO   (TYPEAHEAD_BYTES / 4)

#endif
