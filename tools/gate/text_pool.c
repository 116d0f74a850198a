// SPDX-License-Identifier: BSD-2-Clause
/* text_pool.c - see text_pool.h. */
#include "tools/gate/text_pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

#define ROOM_LEAST 64 /* slots; a power of two */

/* FNV-1a, 64 bits. */
static size_t hash_name(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns the slot of the text, or the free one where it belongs. */
static char **find_slot(const struct text_pool *pool, const char *text)
{
	size_t at = hash_name(text) & (pool->room - 1);

	while (pool->slot[at] && strcmp(pool->slot[at], text) != 0)
		at = (at + 1) & (pool->room - 1);
	return &pool->slot[at];
}

/* Keeps at least half of the slots free. */
static void keep_slots_free(struct text_pool *pool)
{
	struct text_pool grown = {.n = pool->n, .room = pool->room ? 2 * pool->room : ROOM_LEAST};

	if (2 * (pool->n + 1) <= pool->room)
		return;
	grown.slot = memory_checked(calloc(grown.room, sizeof(*grown.slot)));
	for (size_t i = 0; i < pool->room; i++)
		if (pool->slot[i])
			*find_slot(&grown, pool->slot[i]) = pool->slot[i];
	free(pool->slot);
	*pool = grown;
}

const char *text_pool_add(struct text_pool *pool, const char *text)
{
	char **slot;

	keep_slots_free(pool);
	slot = find_slot(pool, text);
	if (!*slot) {
		*slot = memory_checked(strdup(text));
		pool->n++;
	}
	return *slot;
}

void text_pool_free(struct text_pool *pool)
{
	for (size_t i = 0; i < pool->room; i++)
		free(pool->slot[i]);
	free(pool->slot);
	*pool = (struct text_pool){0};
}
