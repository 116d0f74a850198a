/* SPDX-License-Identifier: BSD-2-Clause */
/* arena.h - memory that lives as long as QEMU's translations: handed out in pieces, freed all at
 * once, and reused. */
#ifndef VPMU_PLUGIN_ARENA_H
#define VPMU_PLUGIN_ARENA_H

#include <pthread.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *first, *now; /* all blocks, and the one in use */
	size_t used;                     /* bytes of that one in use */
	size_t blocks;
	pthread_mutex_t lock;
};

#define ARENA_EMPTY                               \
	{                                         \
		.lock = PTHREAD_MUTEX_INITIALIZER \
	}

/* arena_take() - `bytes` of zeros, up to 4 KiB, aligned to 16. Any thread. Aborts without memory,
 * as QEMU does. */
void *arena_take(struct arena *arena, size_t bytes);

/* arena_forget() - frees all pieces, and keeps the blocks for the next ones. arena_end(): frees the
 * blocks, too. */
void arena_forget(struct arena *arena);
void arena_end(struct arena *arena);

#endif
