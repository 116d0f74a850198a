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

/* Bytes of the first piece, which may be the only one, and of later ones. With their heads they
 * have sizes of the heap. */
#define PIECE_FIRST (2016 - 16)
#define PIECE_BYTES (32768 - 64 - 16)

struct piece {
	struct piece *next; /* NULL: the last one */
	uint32_t n, room;   /* bytes in use, and in all */
	uint8_t bytes[];
};

struct pieces {
	struct piece *first, *last; /* NULL: empty */
	uint64_t bytes;             /* number of kept bytes */
	uint64_t most;              /* maximum of `bytes`; 0: no limit but memory */
	uint64_t lost;              /* number of bytes dropped without room */
};

/*
 * pieces_add() - appends all `n` bytes, or none: false where there is no memory, or the total
 * would exceed `most`.
 */
bool pieces_add(struct pieces *pieces, const void *bytes, size_t n);

/* pieces_free() - frees the content; `most` stays. */
void pieces_free(struct pieces *pieces);

/* pieces_move() - moves the content of `from`, which is then empty, to `to`, whose content is
 * not freed. */
void pieces_move(struct pieces *to, struct pieces *from);

#endif
