// SPDX-License-Identifier: BSD-2-Clause
/* micro_cache.c - sizes, searches and removals that need not be inline. */
#include "vpmu/micro/micro_cache.h"

#include "lib/bits.h"
#include "lib/string.h"

const uint32_t micro_stays[2 * MICRO_MOST_WAYS] = {
	[MICRO_MOST_WAYS... 2 * MICRO_MOST_WAYS - 1] = UINT32_MAX,
};

static uint8_t set_shift_of(const struct geometry_cache *geometry)
{
	return geometry->ways > MICRO_FEW_WAYS ? MICRO_MOST_SHIFT : MICRO_FEW_SHIFT;
}

size_t micro_cache_words(const struct geometry_cache *geometry)
{
	return (size_t)vpmu_geometry_sets(geometry) << set_shift_of(geometry);
}

void micro_cache_init(struct micro_cache *c, const struct geometry_cache *geometry, uint32_t *tags)
{
	const uint32_t sets = vpmu_geometry_sets(geometry);
	const unsigned bits = bits_last(sets);

	*c = (struct micro_cache){
		.tags = tags,
		.sets = sets,
		.ways = geometry->ways,
		.set_shift = set_shift_of(geometry),
		.set_bits = (uint8_t)(sets & (sets - 1) ? 0 : bits),
		.tag_bits = (uint8_t)(MICRO_LINE_BITS - bits),
	};
	c->generation = 1u << c->tag_bits;
}

/* The tags are cleared only when the generations are used up: once in hundreds of resets of a large
 * cache. */
void micro_cache_reset(struct micro_cache *c)
{
	c->generation += 1u << c->tag_bits;
	if (c->generation & TAG_PREFETCHED) {
		c->generation = 1u << c->tag_bits;
		memset(c->tags, 0, ((size_t)c->sets << c->set_shift) * sizeof(*c->tags));
	}
}

void micro_close_gap(const struct micro_cache *c, uint32_t *set, unsigned way)
{
	for (unsigned i = way; i + 1u < c->ways; i++)
		set[i] = set[i + 1];
	set[c->ways - 1] = 0;
}
