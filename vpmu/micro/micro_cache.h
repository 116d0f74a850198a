/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * micro_cache.h - a set-associative cache of tags with LRU replacement. The tags of a set are in
 * the order of their last use. A hit moves the tags before it by one place; the first one was used
 * last, and the last one is evicted next.
 *
 * A tag: bit 31, the line was prefetched and not used since; then the generation; then the address
 * without its set. A tag of another generation is no line. Generation 0 is never used, so valid
 * lines come before invalid ones. Physical addresses have MICRO_PHYSICAL_BITS.
 */
#ifndef VPMU_MICRO_MICRO_CACHE_H
#define VPMU_MICRO_MICRO_CACHE_H

#include "lib/bits.h"
#include "vpmu/micro/micro_inline.h"

#define MICRO_PHYSICAL_BITS 40
#define MICRO_LINE_BITS     (MICRO_PHYSICAL_BITS - MICRO_LINE_SHIFT)
#define TAG_PREFETCHED      (1u << 31)

/* A shared cache, and the vCPUs that use it. */
struct micro_shared {
	uint32_t lock;
	uint32_t nsharers;
	struct micro_cache cache;
	uint8_t holds;                     /* enum geometry_holds */
	struct micro_directory *directory; /* NULL: the owners of lines are not tracked */
	struct micro *sharers[MICRO_SHARERS];
	/* Evicted lines that the others' first levels must drop, at their next request; coherence.c
	 * has the special values. */
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

/* The result of a search, and the evicted line. */
struct micro_look {
	bool hit, prefetched, evicted;
	uint64_t victim; /* the evicted line */
};

/* micro_cache_words() - the uint32_t words of its tags. */
size_t micro_cache_words(const struct geometry_cache *geometry);
void micro_cache_init(struct micro_cache *c, const struct geometry_cache *geometry, uint32_t *tags);
void micro_cache_reset(struct micro_cache *c);

/* micro_cache_has() - whether the cache has the line; changes nothing. */
bool micro_cache_has(const struct micro_cache *c, uint64_t line);

/* micro_cache_drop() - removes the line; false: the cache did not have it. */
bool micro_cache_drop(struct micro_cache *c, uint64_t line);

/* Four tags at a time; sets begin at a multiple of 16 bytes. */
typedef uint32_t micro_four_tags __attribute__((vector_size(16), may_alias));
typedef int32_t micro_four_masks __attribute__((vector_size(16)));
typedef float micro_four_floats
	__attribute__((vector_size(16))); /* only for the instruction that collects their signs */
#define AT_ONCE 4

/* The set of a line, and its tag with the generation. */
struct micro_place {
	uint32_t *set;
	uint32_t set_number, key;
};

static inline struct micro_place micro_place_of(const struct micro_cache *c, uint64_t line)
{
	uint64_t tag;
	struct micro_place p;

	line &= bits_low(MICRO_LINE_BITS);
	if (c->set_bits) {
		p.set_number = (uint32_t)line & (c->sets - 1);
		tag = line >> c->set_bits;
	} else {
		p.set_number = (uint32_t)(line % c->sets);
		tag = line / c->sets;
	}
	p.set = c->tags + (size_t)p.set_number * c->stride;
	p.key = c->generation | (uint32_t)tag;
	return p;
}

static inline uint64_t micro_line_of(const struct micro_cache *c, uint32_t set, uint32_t tag)
{
	return (uint64_t)(tag & bits_low(c->tag_bits)) * c->sets + set;
}

static inline bool micro_is_line(const struct micro_cache *c, uint32_t tag)
{
	return ((tag & ~TAG_PREFETCHED) ^ c->generation) >> c->tag_bits == 0;
}

static inline micro_four_tags micro_same(uint32_t value)
{
	return (micro_four_tags){value, value, value, value};
}

/* The ways that hold the key, as bits. */
static inline uint32_t micro_ways_with(const struct micro_cache *c, const struct micro_place *p)
{
	const micro_four_tags *set = (const micro_four_tags *)p->set, key = micro_same(p->key),
			      kept = micro_same(~TAG_PREFETCHED);
	uint32_t found = 0;

	for (unsigned i = 0; i < c->stride / AT_ONCE; i++) {
		const micro_four_masks equal = (set[i] & kept) == key;

		found |= (uint32_t)__builtin_ia32_movmskps((micro_four_floats)equal) << AT_ONCE * i;
	}
	return found;
}

/* Puts `tag` in front: tags before `way` move back by one, and the one at `way` is lost. */
static inline void micro_bring_to_front(const struct micro_cache *c, uint32_t *tags, unsigned way,
					uint32_t tag)
{
	const micro_four_tags lanes = {0, 1, 2, 3};
	micro_four_tags *set = (micro_four_tags *)tags, last = micro_same(tag);

	for (unsigned i = 0; i < c->stride / AT_ONCE; i++) {
		const micro_four_tags old = set[i],
				      moved = __builtin_shufflevector(last, old, 3, 4, 5, 6),
				      stays = (micro_four_tags)(lanes + AT_ONCE * i >
								micro_same(way));

		set[i] = (old & stays) | (moved & ~stays);
		last = old;
	}
}

/* micro_cache_use() - searches `line` and makes it the last used one; `flags`: for its tag. */
static inline struct micro_look micro_cache_use(struct micro_cache *c, uint64_t line,
						uint32_t flags)
{
	const struct micro_place p = micro_place_of(c, line);
	const uint32_t found = micro_ways_with(c, &p);
	const unsigned way = found ? bits_first(found) : c->ways - 1u;
	const uint32_t tag = p.set[way];

	micro_bring_to_front(c, p.set, way, p.key | flags);
	if (found)
		return (struct micro_look){.hit = true, .prefetched = tag & TAG_PREFETCHED};
	return (struct micro_look){.evicted = micro_is_line(c, tag),
				   .victim = micro_line_of(c, p.set_number, tag)};
}

#endif
