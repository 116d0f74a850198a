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

#include <emmintrin.h>

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

/* micro_close_gap() - the tag at `way` of a set goes; those behind it move forward. */
void micro_close_gap(const struct micro_cache *c, uint32_t *set, unsigned way);

/*
 * Four tags at a time. A set has MICRO_FEW_WAYS or MICRO_MOST_WAYS places, so it is in one line of
 * the host's cache; places beyond `ways` are no lines. Functions are compiled for both sizes: their
 * argument `n` is the number of vectors of a set.
 */
#define AT_ONCE    4
#define FEW        (MICRO_FEW_WAYS / AT_ONCE)
#define MOST       (MICRO_MOST_WAYS / AT_ONCE)
#define TAG_INLINE static inline __attribute__((always_inline))

/* The set of a line, and its tag with the generation. */
struct micro_place {
	uint32_t *set;
	uint32_t set_number, key;
};

TAG_INLINE struct micro_place micro_place_of(const struct micro_cache *c, uint64_t line, unsigned n)
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
	p.set = c->tags + (size_t)p.set_number * n * AT_ONCE;
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

/* The tags of a set, and which of them are the key. */
struct micro_tags {
	__m128i of[MOST];
};

TAG_INLINE uint32_t micro_find(struct micro_tags *tags, const struct micro_place *p, unsigned n)
{
	const __m128i key = _mm_set1_epi32((int)p->key),
		      kept = _mm_set1_epi32((int)~TAG_PREFETCHED);
	__m128i is_key[MOST];

	for (unsigned i = 0; i < n; i++) {
		tags->of[i] = _mm_load_si128((const __m128i *)p->set + i);
		is_key[i] = _mm_cmpeq_epi32(_mm_and_si128(tags->of[i], kept), key);
	}
	is_key[0] = _mm_packs_epi32(is_key[0], is_key[1]);
	if (n == MOST)
		is_key[1] = _mm_packs_epi32(is_key[2], is_key[3]);
	else
		is_key[1] = _mm_setzero_si128();
	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(is_key[0], is_key[1]));
}

/* 0 for the tags up to a way, from [MICRO_MOST_WAYS - 1 - way] on; all ones for those behind it. */
extern const uint32_t micro_stays[2 * MICRO_MOST_WAYS];

/* Puts `tag` in front: tags before `way` move back by one, and the one at `way` is lost. */
TAG_INLINE void micro_bring_to_front(const struct micro_tags *tags, const struct micro_place *p,
				     unsigned way, uint32_t tag, unsigned n)
{
	const uint32_t *stays = &micro_stays[MICRO_MOST_WAYS - 1 - way];
	__m128i before = _mm_cvtsi32_si128((int)tag);

	for (unsigned i = 0; i < n; i++) {
		const __m128i old = tags->of[i],
			      moved = _mm_or_si128(_mm_slli_si128(old, 4), before),
			      stay = _mm_loadu_si128((const __m128i *)(stays + i * AT_ONCE));

		before = _mm_srli_si128(old, 12);
		_mm_store_si128((__m128i *)p->set + i, _mm_or_si128(_mm_and_si128(stay, old),
								    _mm_andnot_si128(stay, moved)));
	}
}

TAG_INLINE bool micro_is_few(const struct micro_cache *c)
{
	return c->set_shift == MICRO_FEW_SHIFT;
}

TAG_INLINE struct micro_look micro_use_place(struct micro_cache *c, uint64_t line, uint32_t flags,
					     unsigned n)
{
	const struct micro_place p = micro_place_of(c, line, n);
	struct micro_tags tags;
	const uint32_t found = micro_find(&tags, &p, n);
	const unsigned way = found ? bits_first(found) : c->ways - 1u;
	const uint32_t tag = p.set[way];

	micro_bring_to_front(&tags, &p, way, p.key | flags, n);
	if (found)
		return (struct micro_look){.hit = true, .prefetched = tag & TAG_PREFETCHED};
	return (struct micro_look){.evicted = micro_is_line(c, tag),
				   .victim = micro_line_of(c, p.set_number, tag)};
}

/* micro_cache_use() - searches `line` and makes it the last used one; `flags`: for its tag. */
TAG_INLINE struct micro_look micro_cache_use(struct micro_cache *c, uint64_t line, uint32_t flags)
{
	return micro_is_few(c) ? micro_use_place(c, line, flags, FEW)
			       : micro_use_place(c, line, flags, MOST);
}

/* micro_cache_hit() - the same for a line that the cache has, and that was not prefetched. False:
 * nothing was done. */
TAG_INLINE bool micro_hit_place(struct micro_cache *c, uint64_t line, unsigned n)
{
	const struct micro_place p = micro_place_of(c, line, n);
	struct micro_tags tags;
	const uint32_t found = micro_find(&tags, &p, n);
	unsigned way;

	if (!found)
		return false;
	way = bits_first(found);
	if (p.set[way] & TAG_PREFETCHED)
		return false;
	micro_bring_to_front(&tags, &p, way, p.key, n);
	return true;
}

TAG_INLINE bool micro_cache_hit(struct micro_cache *c, uint64_t line)
{
	return micro_is_few(c) ? micro_hit_place(c, line, FEW) : micro_hit_place(c, line, MOST);
}

/* micro_cache_has() - whether the cache has the line; changes nothing. */
TAG_INLINE bool micro_place_has(const struct micro_cache *c, uint64_t line, unsigned n)
{
	const struct micro_place p = micro_place_of(c, line, n);
	struct micro_tags tags;

	return micro_find(&tags, &p, n);
}

TAG_INLINE bool micro_cache_has(const struct micro_cache *c, uint64_t line)
{
	return micro_is_few(c) ? micro_place_has(c, line, FEW) : micro_place_has(c, line, MOST);
}

/* micro_cache_drop() - removes the line; false: the cache did not have it. */
TAG_INLINE bool micro_place_drop(struct micro_cache *c, uint64_t line, unsigned n)
{
	const struct micro_place p = micro_place_of(c, line, n);
	struct micro_tags tags;
	const uint32_t found = micro_find(&tags, &p, n);

	if (found)
		micro_close_gap(c, p.set, bits_first(found));
	return found;
}

TAG_INLINE bool micro_cache_drop(struct micro_cache *c, uint64_t line)
{
	return micro_is_few(c) ? micro_place_drop(c, line, FEW) : micro_place_drop(c, line, MOST);
}

#endif
