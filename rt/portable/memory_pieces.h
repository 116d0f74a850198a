/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_pieces.h - bytes that come bit by bit and are kept: memory that grows in pieces, none of
 * which ever moves. A zeroed struct is empty. Portable; contexts as heap_alloc()'s, one caller at a
 * time.
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
 * pieces_add() - `n` bytes more, all of them or none: false where there is no memory, or more than
 * `most` of them.
 */
bool pieces_add(struct pieces *pieces, const void *bytes, size_t n);

/* pieces_free() - it is empty again; `most` stays. */
void pieces_free(struct pieces *pieces);

/* pieces_move() - what `from` has, which is empty then; what `to` had is forgotten, not freed. */
void pieces_move(struct pieces *to, struct pieces *from);

#endif
