/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - a set-associative cache of tags, where the line that was not used for the longest time
 * goes. Tags of a set lie in the order of their last use, so that a look moves what is in front of
 * the one it finds by one place: the line in front is the last used, the one behind goes next.
 *
 * A tag: bit 31, the line was prefetched and not used since; below, the generation; below, the
 * address without its set. A tag of another generation is no line. Generation 0 is never used, and
 * lines that are there lie in front of what is none. Physical addresses have MICRO_PHYSICAL_BITS.
 */
#ifndef VPMU_MICRO_CACHE_H
#define VPMU_MICRO_CACHE_H

#include "vpmu/micro/micro_inline.h"

#define MICRO_PHYSICAL_BITS 40
#define MICRO_LINE_BITS     (MICRO_PHYSICAL_BITS - MICRO_LINE_SHIFT)
#define TAG_PREFETCHED      (1u << 31)

/* The shared cache, and which vCPUs use it. */
struct micro_shared {
	uint32_t lock;
	uint32_t nsharers;
	struct micro_cache cache;
	uint8_t holds; /* enum geometry_holds */
	struct micro *sharers[MICRO_SHARERS];
	/* Lines that left, and which others' first levels have to drop: told to each at its next
	 * request. */
	struct {
		uint32_t n;
		uint64_t lines[256];
	} mail[MICRO_SHARERS];
};
#define MICRO_MAIL 256

static inline void shared_lock(struct micro_shared *s)
{
	while (__atomic_exchange_n(&s->lock, 1, __ATOMIC_ACQUIRE))
		while (__atomic_load_n(&s->lock, __ATOMIC_RELAXED))
			__builtin_ia32_pause();
}

static inline void shared_unlock(struct micro_shared *s)
{
	__atomic_store_n(&s->lock, 0, __ATOMIC_RELEASE);
}

/* What a look found, and what went for it. */
struct micro_look {
	bool hit, prefetched, evicted;
	uint64_t victim; /* line */
};

/* micro_cache_words() - uint32_t that its tags take. */
size_t micro_cache_words(const struct geometry_cache *geometry);
void micro_cache_init(struct micro_cache *c, const struct geometry_cache *geometry, uint32_t *tags);
void micro_cache_reset(struct micro_cache *c);

/* micro_cache_use() - looks for `line`, which is the last used from then on; `flags`: of its tag.
 */
struct micro_look micro_cache_use(struct micro_cache *c, uint64_t line, uint32_t flags);

/* micro_cache_has() - changes nothing. */
bool micro_cache_has(const struct micro_cache *c, uint64_t line);

/* micro_cache_drop() - takes the line out; false: it was not there. */
bool micro_cache_drop(struct micro_cache *c, uint64_t line);

#endif
