/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_pieces.h - a growing buffer in pieces, none of which ever moves. A zeroed struct is empty.
 * Portable; contexts as heap_alloc()'s, one caller at a time.
 */
#ifndef RT_PORTABLE_MEMORY_PIECES_H
#define RT_PORTABLE_MEMORY_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the first piece, which may be all there are, and of those behind it: with their heads
 * sizes that the heap has. */
#define PIECE_FIRST (2016 - 16)
#define PIECE_BYTES (32768 - 64 - 16)

struct piece {
	struct piece *next; /* NULL: the last one */
	uint32_t n, room;   /* of `bytes`: in use, and there */
	uint8_t bytes[];
};

struct pieces {
	struct piece *first, *last; /* NULL: empty */
	uint64_t bytes;             /* that are kept */
	uint64_t most;              /* bytes that may be; 0: as many as there is memory for */
	uint64_t lost;              /* bytes that found no room */
};

/*
 * pieces_add() - appends all `n` bytes, or none: false where there is no memory, or the total
 * would exceed `most`.
 */
bool pieces_add(struct pieces *pieces, const void *bytes, size_t n);

/* pieces_free() - empties it; `most` stays. */
void pieces_free(struct pieces *pieces);

/* pieces_move() - moves the content of `from`, which is then empty, to `to`, whose content is
 * not freed. */
void pieces_move(struct pieces *to, struct pieces *from);

#endif
