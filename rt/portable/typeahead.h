/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typeahead.h - what was typed and not yet read: a queue of bytes from the line's interrupt to the
 * console. What finds no room is lost, and a mark stands in the queue where it is missing, so that
 * no reader takes what is left for the whole. Portable, no machine.
 *
 * One writer, one reader; the writer may interrupt the reader. No allocation.
 */
#ifndef RT_PORTABLE_TYPEAHEAD_H
#define RT_PORTABLE_TYPEAHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPEAHEAD_BYTES (128 * 1024) /* a power of two; the longest line fits, and one more */
#define TYPEAHEAD_MARK  0            /* stands where input is missing; never a key */

struct typeahead {
	uint8_t *bytes;               /* TYPEAHEAD_BYTES of them */
	volatile unsigned head, tail; /* free running; head is the writer's, tail the reader's */
	bool marked;                  /* the newest byte is a mark */
};

/* typeahead_init() - an empty queue in `memory`, TYPEAHEAD_BYTES of it. */
void typeahead_init(struct typeahead *queue, void *memory);

/*
 * typeahead_put() - one received byte. False: there was no room for it, it is lost and marked. A
 * zero byte is no key, and taken for nothing.
 */
bool typeahead_put(struct typeahead *queue, uint8_t byte);

/* typeahead_lost() - input is missing here. */
void typeahead_lost(struct typeahead *queue);

/* typeahead_get() - the oldest byte, TYPEAHEAD_MARK where input is missing, or -1: it is empty. */
int typeahead_get(struct typeahead *queue);

static inline unsigned typeahead_used(const struct typeahead *queue)
{
	return queue->head - queue->tail;
}

/*
 * When the sender is to stop, and to go on again: what it has sent by the time that it hears of it
 * still finds room.
 */
#define TYPEAHEAD_STOP (TYPEAHEAD_BYTES / 4 * 3)
#define TYPEAHEAD_GO   (TYPEAHEAD_BYTES / 4)

#endif
