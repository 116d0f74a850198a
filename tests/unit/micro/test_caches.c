// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_caches.c - loads and stores whose misses follow from the sizes alone: a circular list,
 * streams, matrices; and caches that vCPUs share.
 */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define BASE 0x40000000ull

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define EACH_PERSONALITY(name)                                                        \
	const char *name = personalities[0], *const *name##_at = personalities;       \
	name##_at < personalities + sizeof(personalities) / sizeof(*personalities) && \
		(name = *name##_at, true);                                            \
	name##_at++

static void load_lines(struct played_core *c, uint64_t lines, unsigned rounds)
{
	for (unsigned round = 0; round < rounds; round++)
		for (uint64_t i = 0; i < lines; i++)
			core_load(c, BASE + i * GEOMETRY_LINE);
}

static uint64_t lines_of(const struct geometry_cache *cache)
{
	return cache->kib * 1024ull / GEOMETRY_LINE;
}

/* When consecutive lines are accessed in a circle, LRU keeps all of them or none. */
static void check_walk(const char *name, uint64_t lines)
{
	struct played_core *c = core_named(name, CORE_ALONE);
	const struct geometry *g = &c->geometry;
	const unsigned rounds = 3;
	uint64_t before[EVENTS_NUMBERS], loads = lines * rounds;

	load_lines(c, lines, 2);
	memcpy(before, c->counts, sizeof(before));
	load_lines(c, lines, rounds);
	assert_int_equal(CORE_SINCE(c, before, L1D_LOADS), loads);
	assert_int_equal(CORE_SINCE(c, before, L1D_LOAD_MISSES),
			 lines <= lines_of(&g->l1d) ? 0 : loads);
	assert_int_equal(CORE_SINCE(c, before, L2_MISSES), lines <= lines_of(&g->l2) ? 0 : loads);
	core_free(c, true);
}

TEST(test_walk)
{
	for (EACH_PERSONALITY(name)) {
		const struct geometry *g = vpmu_geometry(name);

		for (uint64_t lines = 64; lines <= 2 * lines_of(&g->l2); lines *= 2)
			check_walk(name, lines);
		check_walk(name, lines_of(&g->l1d));
		check_walk(name, lines_of(&g->l2));
	}
}

static void check_last_level(const char *name, uint64_t lines, bool misses)
{
	struct played_core *c = core_named(name, CORE_ALONE);
	uint64_t before[EVENTS_NUMBERS];

	load_lines(c, lines, 2);
	memcpy(before, c->counts, sizeof(before));
	load_lines(c, lines, 1);
	assert_int_equal(CORE_SINCE(c, before, LLC_REFERENCES), lines);
	assert_int_equal(CORE_SINCE(c, before, LLC_MISSES), misses ? lines : 0);
	assert_int_equal(CORE_SINCE(c, before, LLC_LOAD_HITS), misses ? 0 : lines);
	assert_int_equal(CORE_SINCE(c, before, LLC_LOAD_MISSES), misses ? lines : 0);
	core_free(c, true);
}

TEST(test_last_level)
{
	for (EACH_PERSONALITY(name)) {
		const struct geometry *g = vpmu_geometry(name);

		check_last_level(name, lines_of(&g->llc), false);
		/* A last level of victims adds to L2. */
		check_last_level(name, 2 * (lines_of(&g->llc) + lines_of(&g->l2)), true);
	}
}

/* Each line of memory is fetched once, before its use or at it. L1D's next line, or stream,
 * alone is on. */
static void check_stream(const char *name, unsigned flags)
{
	const uint64_t bytes = 4 << 20, lines = bytes / GEOMETRY_LINE, pages = bytes / 4096;
	struct played_core *c = core_named(name, flags);
	const uint64_t missed = flags & MICRO_NO_PREFETCH                    ? lines
				: c->geometry.prefetchers & GEOMETRY_L1_NEXT ? pages
									     : 2 * pages;

	micro_set_prefetchers(c->micro, ~(uint64_t)(GEOMETRY_L1_NEXT | GEOMETRY_L1_STREAM));
	for (uint64_t at = 0; at < bytes; at += 8) {
		core_load(c, BASE + at);
		core_store(c, BASE + (64 << 20) + at);
	}
	assert_int_equal(c->counts[EVENTS_L1D_LOADS], bytes / 8);
	assert_int_equal(c->counts[EVENTS_L1D_REPLACEMENTS], 2 * lines);
	assert_int_equal(c->counts[EVENTS_L2_REFERENCES], 2 * lines);
	assert_int_equal(c->counts[EVENTS_LLC_REFERENCES], 2 * lines);
	assert_int_equal(c->counts[EVENTS_LLC_MISSES], 2 * lines);
	/* With the prefetcher only the first line of each page is missed, or those that a stream
	 * begins with. */
	assert_int_equal(c->counts[EVENTS_L1D_LOAD_MISSES], missed);
	assert_int_equal(c->counts[EVENTS_L1D_STORE_MISSES], missed);
	assert_int_equal(c->counts[EVENTS_PREFETCHES], 2 * (lines - missed));
	assert_int_equal(c->counts[EVENTS_PREFETCH_MISSES], c->counts[EVENTS_PREFETCHES]);
	core_free(c, true);
}

TEST(test_stream)
{
	for (EACH_PERSONALITY(name)) {
		check_stream(name, MICRO_NO_WALK_READS);
		check_stream(name, CORE_ALONE);
	}
}

/* An access across two lines counts once, with the slower line's level, and fetches both. */
TEST(test_split)
{
	struct played_core *c = core_named("skx", CORE_ALONE);
	struct micro_outcome o = micro_load(c->micro, BASE + 60, 8, c);

	assert_int_equal(o.level, MICRO_MEMORY);
	assert_int_equal(o.tlb, MICRO_WALK);
	assert_int_equal(c->counts[EVENTS_L1D_LOADS], 1);
	assert_int_equal(c->counts[EVENTS_L1D_LOAD_MISSES], 1);
	assert_int_equal(c->counts[EVENTS_L1D_REPLACEMENTS], 2);
	o = micro_load(c->micro, BASE + 60, 8, c);
	assert_int_equal(o.level, MICRO_L1);
	assert_int_equal(o.cycles, c->geometry.l1d.cycles);
	o = micro_store(c->micro, BASE + 124, 8, c);
	assert_int_equal(o.level, MICRO_MEMORY);
	assert_int_equal(o.tlb, MICRO_TLB_HIT);
	o = micro_load(c->micro, BASE + 4092, 8, c);
	assert_int_equal(o.tlb, MICRO_WALK);
	assert_int_equal(c->counts[EVENTS_DTLB_LOAD_WALKS], 2);
	assert_int_equal(c->walks, 2);
	core_free(c, true);
}

/* --- Matrices of doubles, N by N --- */

#define N           512u
#define TILE        8u
#define AT(m, i, j) (BASE + (m) * (uint64_t)N * N * 8 + ((uint64_t)(i)*N + (j)) * 8)

static void transpose_tiles(struct played_core *c, unsigned tile)
{
	for (unsigned i0 = 0; i0 < N; i0 += tile)
		for (unsigned j0 = 0; j0 < N; j0 += tile)
			for (unsigned i = i0; i < i0 + tile; i++)
				for (unsigned j = j0; j < j0 + tile; j++) {
					core_load(c, AT(0, i, j));
					core_store(c, AT(1, j, i));
				}
}

/*
 * By rows, each store is in another line, 4 KiB after the last, so in the same set: the line is
 * evicted before its next use. By tiles of a line's width, each line is fetched once.
 */
TEST(test_transposition)
{
	struct played_core *naive = core_named("skx", CORE_ALONE),
			   *tiled = core_named("skx", CORE_ALONE);
	const uint64_t lines = N * N * 8 / GEOMETRY_LINE;

	transpose_tiles(naive, N);
	transpose_tiles(tiled, TILE);
	assert_int_equal(naive->counts[EVENTS_L1D_STORE_MISSES], N * N);
	/* A row of a tile shares its set with at most one line that is read. */
	assert_in_range(tiled->counts[EVENTS_L1D_STORE_MISSES], lines, lines + lines / 8);
	assert_in_range(tiled->counts[EVENTS_L1D_LOAD_MISSES], lines, lines + lines / 8);
	assert_int_equal(tiled->counts[EVENTS_LLC_MISSES], 2 * lines);
	assert_int_equal(naive->counts[EVENTS_L1D_STORES], N * N);
	core_free(naive, true);
	core_free(tiled, true);
}

/* --- Shared caches --- */

/* A line that one core has loaded hits in the other's last level. */
TEST(test_shared)
{
	struct played_core *a = core_named("hsw", CORE_ALONE),
			   *b = core_beside(&a->geometry, CORE_ALONE, a);

	load_lines(a, 1000, 1);
	load_lines(b, 1000, 1);
	assert_int_equal(a->counts[EVENTS_LLC_MISSES], 1000);
	assert_int_equal(b->counts[EVENTS_LLC_MISSES], 0);
	assert_int_equal(b->counts[EVENTS_LLC_LOAD_HITS], 1000);
	core_free(b, false);
	core_free(a, true);
}

/* A module of small cores has one L2. */
TEST(test_module)
{
	const struct geometry *small = vpmu_geometry("adl")->small;
	struct played_core *a = core_new(small, CORE_ALONE), *b = core_beside(small, CORE_ALONE, a);

	load_lines(a, 1000, 1);
	load_lines(b, 1000, 1);
	assert_int_equal(b->counts[EVENTS_L2_LOAD_HITS], 1000);
	assert_int_equal(b->counts[EVENTS_L2_MISSES], 0);
	core_free(b, false);
	core_free(a, true);
}

/* A line that leaves an inclusive last level also leaves the first levels: at once, or at the next
 * request of the other core. */
TEST(test_inclusion)
{
	struct played_core *a = core_named("hsw", CORE_ALONE),
			   *b = core_beside(&a->geometry, CORE_ALONE, a);
	const uint64_t stride = (uint64_t)vpmu_geometry_sets(&a->geometry.llc) * GEOMETRY_LINE;
	const unsigned ways = a->geometry.llc.ways;

	core_load(a, BASE);
	core_load(b, BASE);
	for (unsigned i = 1; i <= ways; i++) { /* the same set of the last level */
		core_load(a, BASE + i * stride);
		core_load(b, BASE); /* in L1D: the last level does not see it */
	}
	assert_int_equal(core_load(b, BASE).level, MICRO_L1);
	assert_int_equal(core_load(b, BASE + 5 * GEOMETRY_LINE).level, MICRO_MEMORY);
	assert_int_equal(core_load(b, BASE).level, MICRO_MEMORY);
	assert_int_equal(core_load(a, BASE).level, MICRO_LLC);
	core_free(b, false);
	core_free(a, true);
}

TEST(test_no_room)
{
	struct played_core *first = core_named("skx", 0), *all[MICRO_SHARERS] = {first};
	void *memory = core_memory(micro_bytes(&first->geometry));

	for (unsigned i = 1; i < MICRO_SHARERS; i++)
		all[i] = core_beside(&first->geometry, 0, first);
	assert_false(micro_init(memory, &first->geometry, 0, NULL, first->llc, core_translate,
				first->counts));
	for (unsigned i = MICRO_SHARERS; i-- > 0;)
		core_free(all[i], i == 0);
	free(memory);
}
