/* SPDX-License-Identifier: BSD-2-Clause */
/* text_pool.h - keeps each of many texts once, for tables whose rows repeat a few names. */
#ifndef TOOLS_GATE_TEXT_POOL_H
#define TOOLS_GATE_TEXT_POOL_H

#include <stddef.h>

/* A zeroed struct is empty. */
struct text_pool {
	char **slot; /* NULL: free; a text is in the first free slot from its hash on */
	size_t n, room;
};

/* text_pool_add() - returns the pool's own copy of a text, which lasts until text_pool_free(). */
const char *text_pool_add(struct text_pool *pool, const char *text);
void text_pool_free(struct text_pool *pool);

#endif
