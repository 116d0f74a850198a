// SPDX-License-Identifier: BSD-2-Clause
/* cache.c - see cache.h. */
#include "vpmu/micro/cache.h"

#include "lib/bits.h"
#include "lib/string.h"

/* Where a line is, and its tag with the generation. */
struct place {
	uint32_t *set;
	uint32_t set_number, key;
};

static struct place place_of(const struct micro_cache *c, uint64_t line)
{
	uint64_t tag;
	struct place p;

	line &= bits_low(MICRO_LINE_BITS);
	if (c->set_bits) {
		p.set_number = (uint32_t)line & (c->sets - 1);
		tag = line >> c->set_bits;
	} else {
		p.set_number = (uint32_t)(line % c->sets);
		tag = line / c->sets;
	}
	p.set = c->tags + (size_t)p.set_number * c->ways;
	p.key = c->generation | (uint32_t)tag;
	return p;
}

static uint64_t line_of(const struct micro_cache *c, uint32_t set, uint32_t tag)
{
	return (uint64_t)(tag & bits_low(c->tag_bits)) * c->sets + set;
}

static bool is_line(const struct micro_cache *c, uint32_t tag)
{
	return ((tag & ~TAG_PREFETCHED) ^ c->generation) >> c->tag_bits == 0;
}

size_t micro_cache_words(const struct geometry_cache *geometry)
{
	return (size_t)geometry->kib * 1024 / GEOMETRY_LINE;
}

void micro_cache_init(struct micro_cache *c, const struct geometry_cache *geometry, uint32_t *tags)
{
	const uint32_t sets = vpmu_geometry_sets(geometry);
	const unsigned bits = bits_last(sets);

	*c = (struct micro_cache){
		.tags = tags,
		.sets = sets,
		.ways = geometry->ways,
		.set_bits = (uint8_t)(sets & (sets - 1) ? 0 : bits),
		.tag_bits = (uint8_t)(MICRO_LINE_BITS - bits),
	};
	c->generation = 1u << c->tag_bits;
}

/* The tags are cleared when the generations are used up: of a large cache, once in hundreds. */
void micro_cache_reset(struct micro_cache *c)
{
	c->generation += 1u << c->tag_bits;
	if (c->generation & TAG_PREFETCHED) {
		c->generation = 1u << c->tag_bits;
		memset(c->tags, 0, (size_t)c->sets * c->ways * sizeof(*c->tags));
	}
}

struct micro_look micro_cache_use(struct micro_cache *c, uint64_t line, uint32_t flags)
{
	const struct place p = place_of(c, line);
	uint32_t carried = p.key | flags;

	for (unsigned i = 0; i < c->ways; i++) {
		const uint32_t tag = p.set[i];

		p.set[i] = carried;
		if ((tag & ~TAG_PREFETCHED) == p.key)
			return (struct micro_look){.hit = true, .prefetched = tag & TAG_PREFETCHED};
		carried = tag;
	}
	return (struct micro_look){.evicted = is_line(c, carried),
				   .victim = line_of(c, p.set_number, carried)};
}

static unsigned find_way(const struct micro_cache *c, const struct place *p)
{
	unsigned i = 0;

	while (i < c->ways && (p->set[i] & ~TAG_PREFETCHED) != p->key)
		i++;
	return i;
}

bool micro_cache_has(const struct micro_cache *c, uint64_t line)
{
	const struct place p = place_of(c, line);

	return find_way(c, &p) < c->ways;
}

bool micro_cache_drop(struct micro_cache *c, uint64_t line)
{
	const struct place p = place_of(c, line);
	unsigned i = find_way(c, &p);

	if (i == c->ways)
		return false;
	for (; i + 1 < c->ways; i++)
		p.set[i] = p.set[i + 1];
	p.set[i] = 0;
	return true;
}
