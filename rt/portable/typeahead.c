// SPDX-License-Identifier: BSD-2-Clause
/* typeahead.c - see typeahead.h. The last place is reserved for a mark. */
#include "rt/portable/typeahead.h"

void typeahead_init(struct typeahead *queue, void *memory)
{
	*queue = (struct typeahead){.bytes = memory};
}

static void append_byte(struct typeahead *queue, uint8_t byte)
{
	queue->bytes[queue->head % TYPEAHEAD_BYTES] = byte;
	__asm__ volatile("" : : : "memory"); /* stores the byte before `head` makes it visible */
	queue->head = queue->head + 1;
}

bool typeahead_put(struct typeahead *queue, uint8_t byte)
{
	if (byte == TYPEAHEAD_MARK)
		return true;
	if (typeahead_used(queue) >= TYPEAHEAD_BYTES - 1) {
		typeahead_lost(queue);
		return false;
	}
	append_byte(queue, byte);
	queue->marked = false;
	return true;
}

/* Two marks in a row would say no more than one. There is a place for a mark unless the newest byte
 * is one. */
void typeahead_lost(struct typeahead *queue)
{
	if (queue->marked && typeahead_used(queue))
		return;
	append_byte(queue, TYPEAHEAD_MARK);
	queue->marked = true;
}

int typeahead_get(struct typeahead *queue)
{
	int byte;

	if (queue->head == queue->tail)
		return -1;
	byte = queue->bytes[queue->tail % TYPEAHEAD_BYTES];
	__asm__ volatile("" : : : "memory"); /* reads the byte before `tail` frees its place */
	queue->tail = queue->tail + 1;
	return byte;
}
