// SPDX-License-Identifier: BSD-2-Clause
/* test_sets.c - one modelled cache with few and many ways beside a list that is searched and moved
 * tag by tag: hits, evictions, lines that were prefetched, and lines that are dropped. */
#include "tests/unit/micro/core.h"
#include "vpmu/micro/micro_cache.h"

#include "tests/unit/test.h"

#define SETS  16 /* a KiB for each way */
#define STEPS 40000

struct naive_set {
	struct naive_line {
		uint64_t line;
		bool prefetched;
	} lines[MICRO_MOST_WAYS];
	unsigned n;
};

static struct naive_set naive[SETS];

static struct naive_set *naive_set_of(uint64_t line)
{
	return &naive[line % SETS];
}

static unsigned naive_place(const struct naive_set *s, uint64_t line)
{
	unsigned i = 0;

	while (i < s->n && s->lines[i].line != line)
		i++;
	return i;
}

/* The line at place `i` is now `line`, the last used one. */
static void put_first(struct naive_set *s, unsigned i, uint64_t line, bool prefetched)
{
	memmove(s->lines + 1, s->lines, i * sizeof(*s->lines));
	s->lines[0] = (struct naive_line){line, prefetched};
}

static void check_use(struct micro_cache *c, uint64_t line, bool prefetches)
{
	struct naive_set *s = naive_set_of(line);
	const unsigned i = naive_place(s, line);
	const struct micro_look look = micro_cache_use(c, line, prefetches ? TAG_PREFETCHED : 0);

	assert_int_equal(look.hit, i < s->n);
	assert_int_equal(look.prefetched, i < s->n && s->lines[i].prefetched);
	assert_int_equal(look.evicted, i == c->ways);
	if (look.evicted)
		assert_int_equal(look.victim, s->lines[i - 1].line);
	s->n += i == s->n && i < c->ways;
	put_first(s, i < c->ways ? i : i - 1, line, prefetches);
}

/* A hit that changes nothing but the order, unless the line was prefetched. */
static void check_hit(struct micro_cache *c, uint64_t line)
{
	struct naive_set *s = naive_set_of(line);
	const unsigned i = naive_place(s, line);
	const bool hits = i < s->n && !s->lines[i].prefetched;

	assert_int_equal(micro_cache_has(c, line), i < s->n);
	assert_int_equal(micro_cache_hit(c, line), hits);
	if (hits)
		put_first(s, i, line, false);
}

static void check_drop(struct micro_cache *c, uint64_t line)
{
	struct naive_set *s = naive_set_of(line);
	const unsigned i = naive_place(s, line);

	assert_int_equal(micro_cache_drop(c, line), i < s->n);
	if (i == s->n)
		return;
	s->n--;
	memmove(s->lines + i, s->lines + i + 1, (s->n - i) * sizeof(*s->lines));
}

static void check_ways(struct played_core *random, unsigned ways)
{
	const struct geometry_cache geometry = {.kib = ways, .ways = (uint16_t)ways};
	const size_t bytes = (micro_cache_words(&geometry) * sizeof(uint32_t) + 63) & ~(size_t)63;
	uint32_t *tags = core_memory(bytes);
	struct micro_cache c;

	micro_cache_init(&c, &geometry, tags);
	assert_int_equal(c.sets, SETS);
	memset(naive, 0, sizeof(naive));
	for (unsigned i = 0; i < STEPS; i++) {
		const uint64_t line =
			core_random(random) % (2 * ways) * SETS + core_random(random) % SETS;
		const unsigned what = core_random(random) % 16;

		if (what == 0)
			check_drop(&c, line);
		else if (what < 8)
			check_hit(&c, line);
		else
			check_use(&c, line, what < 10);
	}
	free(tags);
}

TEST(test_sets)
{
	struct played_core *random = core_named("skx", 0);

	for (unsigned ways = 1; ways <= MICRO_MOST_WAYS; ways++)
		check_ways(random, ways);
	core_free(random, true);
}

/* Every cache of every personality has room for its ways in a line of the host's cache. */
TEST(test_ways)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "spr", "zen4"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct geometry *g = vpmu_geometry(names[i]);

		for (; g; g = g->small) {
			assert_true(g->l1i.ways <= MICRO_MOST_WAYS);
			assert_true(g->l1d.ways <= MICRO_MOST_WAYS);
			assert_true(g->l2.ways <= MICRO_MOST_WAYS);
			assert_true(g->llc.ways <= MICRO_MOST_WAYS);
		}
	}
}
