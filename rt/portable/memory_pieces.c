// SPDX-License-Identifier: BSD-2-Clause
/* memory_pieces.c - see memory_pieces.h. Bytes without room are dropped as a whole. */
#include "rt/portable/memory_pieces.h"

#include "lib/string.h"
#include "rt/base/heap.h"

_Static_assert(sizeof(struct piece) == 16, "as the sizes say");

static bool append_piece(struct pieces *pieces)
{
	const uint32_t room = pieces->last ? PIECE_BYTES : PIECE_FIRST;
	struct piece *piece = heap_alloc(sizeof(*piece) + room);

	if (!piece)
		return false;
	piece->room = room;
	if (pieces->last)
		pieces->last->next = piece;
	else
		pieces->first = piece;
	pieces->last = piece;
	return true;
}

/* Makes room for `n` bytes: in the last piece, and in new ones. */
static bool has_room_after(struct pieces *pieces, struct piece *at, size_t n)
{
	size_t room = 0;

	for (; at; at = at->next)
		room += at->room - at->n;
	while (room < n) {
		if (!append_piece(pieces))
			return false;
		room += pieces->last->room;
	}
	return true;
}

static void free_after(struct pieces *pieces, struct piece *last)
{
	struct piece *next, *at = last ? last->next : pieces->first;

	for (; at; at = next) {
		next = at->next;
		heap_free(at);
	}
	pieces->last = last;
	if (last)
		last->next = NULL;
	else
		pieces->first = NULL;
}

static struct piece *copy_into(struct piece *at, const uint8_t **bytes, size_t *n)
{
	size_t part = at->room - at->n;

	part = part < *n ? part : *n;
	memcpy(at->bytes + at->n, *bytes, part);
	at->n += (uint32_t)part;
	*bytes += part;
	*n -= part;
	return at->next;
}

bool pieces_add(struct pieces *pieces, const void *bytes, size_t n)
{
	struct piece *const last = pieces->last;
	const uint8_t *from = bytes;

	if ((pieces->most && n > pieces->most - pieces->bytes) ||
	    !has_room_after(pieces, last, n)) {
		free_after(pieces, last);
		pieces->lost += n;
		return false;
	}
	pieces->bytes += n;
	for (struct piece *at = last ? last : pieces->first; n;)
		at = copy_into(at, &from, &n);
	return true;
}

void pieces_free(struct pieces *pieces)
{
	free_after(pieces, NULL);
	pieces->bytes = pieces->lost = 0;
}

void pieces_move(struct pieces *to, struct pieces *from)
{
	*to = *from;
	*from = (struct pieces){.most = from->most};
}
