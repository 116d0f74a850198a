/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arena.h - memory for what lives as long as QEMU's translations do: taken piece by piece, given
 * back all at once, and used again.
 */
#ifndef VPMU_PLUGIN_ARENA_H
#define VPMU_PLUGIN_ARENA_H

#include <pthread.h>
#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *first, *now; /* all blocks, and the one that pieces come from */
	size_t used;                     /* bytes of it */
	size_t blocks;
	pthread_mutex_t lock;
};

#define ARENA_EMPTY                               \
	{                                         \
		.lock = PTHREAD_MUTEX_INITIALIZER \
	}

/*
 * arena_take() - `bytes` of zeros, up to 4 KiB, aligned to 16. Any thread. There is no memory: it
 * aborts, as QEMU does.
 */
void *arena_take(struct arena *arena, size_t bytes);

/* arena_forget() - all pieces are free. Its blocks stay for the next ones; arena_end(): they go. */
void arena_forget(struct arena *arena);
void arena_end(struct arena *arena);

#endif
