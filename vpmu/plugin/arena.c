// SPDX-License-Identifier: BSD-2-Clause
/* arena.c - hands out zeroed pieces of large blocks. */
#include "vpmu/plugin/arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES (64u << 10)
#define ALIGNMENT   16

struct arena_block {
	struct arena_block *next;
	char bytes[BLOCK_BYTES] __attribute__((aligned(ALIGNMENT)));
};

static struct arena_block *new_block(struct arena *arena)
{
	struct arena_block *block = malloc(sizeof(*block));

	if (!block)
		abort();
	block->next = NULL;
	arena->blocks++;
	return block;
}

static void next_block(struct arena *arena)
{
	struct arena_block **next = arena->now ? &arena->now->next : &arena->first;

	if (!*next)
		*next = new_block(arena);
	arena->now = *next;
	arena->used = 0;
}

void *arena_take(struct arena *arena, size_t bytes)
{
	void *piece;

	bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	pthread_mutex_lock(&arena->lock);
	if (!arena->now || arena->used + bytes > BLOCK_BYTES)
		next_block(arena);
	piece = arena->now->bytes + arena->used;
	arena->used += bytes;
	pthread_mutex_unlock(&arena->lock);
	return memset(piece, 0, bytes);
}

void arena_forget(struct arena *arena)
{
	pthread_mutex_lock(&arena->lock);
	arena->now = NULL;
	pthread_mutex_unlock(&arena->lock);
}

void arena_end(struct arena *arena)
{
	for (struct arena_block *block = arena->first, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	arena->first = arena->now = NULL;
	arena->blocks = 0;
}
