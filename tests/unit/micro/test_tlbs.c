// SPDX-License-Identifier: BSD-2-Clause
/* test_tlbs.c - a stride over pages against each TLB, by size of page; flushes. */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define BASE 0x40000000ull

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

/* The part that takes pages of a size, or NULL. */
static const struct geometry_tlb *part_of(const struct geometry_tlb *rows, uint8_t size)
{
	for (unsigned i = 0; i < GEOMETRY_TLBS; i++)
		if (rows[i].entries && rows[i].pages & size)
			return &rows[i];
	return NULL;
}

typedef void use_fn(struct played_core *c, uint64_t va);

static void use_load(struct played_core *c, uint64_t va)
{
	core_load(c, va);
}

static void use_store(struct played_core *c, uint64_t va)
{
	core_store(c, va);
}

static void use_code(struct played_core *c, uint64_t va)
{
	core_block(c, va, 1);
}

struct use {
	use_fn *fn;
	enum events_count misses, stlb_hits, walks;
};

static const struct use uses[] = {
	{use_load, EVENTS_DTLB_LOAD_MISSES, EVENTS_DTLB_LOAD_STLB_HITS, EVENTS_DTLB_LOAD_WALKS},
	{use_store, EVENTS_DTLB_STORE_MISSES, EVENTS_DTLB_STORE_STLB_HITS, EVENTS_DTLB_STORE_WALKS},
	{use_code, EVENTS_ITLB_MISSES, EVENTS_ITLB_STLB_HITS, EVENTS_ITLB_WALKS},
};

static const struct geometry_tlb *first_of(const struct geometry *g, const struct use *use)
{
	if (use->fn == use_code)
		return g->itlb;
	return use->fn == use_store && g->store_tlb[0].entries ? g->store_tlb : g->dtlb;
}

static const struct geometry_tlb *second_of(const struct geometry *g, const struct use *use)
{
	return use->fn == use_code && g->stlb_code[0].entries ? g->stlb_code : g->stlb;
}

/* When consecutive pages are accessed in a circle, LRU keeps all of them or none. */
static void check_stride(const char *name, const struct use *use, unsigned shift, uint64_t pages,
			 uint64_t first, uint64_t second)
{
	struct played_core *c = core_named(name, 0);
	uint64_t misses, hits, walks;

	c->page_shift = shift;
	for (unsigned round = 0; round < 3; round++) {
		misses = c->counts[use->misses];
		hits = c->counts[use->stlb_hits];
		walks = c->counts[use->walks];
		for (uint64_t i = 0; i < pages; i++)
			use->fn(c, BASE + (i << shift) + i * 64 % 4096);
	}
	misses = c->counts[use->misses] - misses;
	hits = c->counts[use->stlb_hits] - hits;
	walks = c->counts[use->walks] - walks;
	assert_int_equal(misses, pages <= first ? 0 : pages);
	assert_int_equal(walks, pages <= first || pages <= second ? 0 : pages);
	assert_int_equal(hits, misses - walks);
	core_free(c, true);
}

static void check_reach(const char *name, const struct use *use, unsigned shift, uint8_t size)
{
	const struct geometry *g = vpmu_geometry(name);
	const struct geometry_tlb *first = part_of(first_of(g, use), size),
				  *second = part_of(second_of(g, use), size);
	const uint64_t n = first->entries, most = second ? second->entries : 0;

	check_stride(name, use, shift, n, n, most);
	check_stride(name, use, shift, 2 * n, n, most);
	check_stride(name, use, shift, most, n, most);
	check_stride(name, use, shift, 2 * most, n, most);
}

TEST(test_strides)
{
	for (size_t i = 0; i < NAMES; i++)
		for (size_t u = 0; u < sizeof(uses) / sizeof(*uses); u++) {
			check_reach(personalities[i], &uses[u], 12, GEOMETRY_4K);
			check_reach(personalities[i], &uses[u], 21, GEOMETRY_2M);
		}
}

/* A TLB without entries of a page's size holds a smaller piece of the page. */
TEST(test_smashed)
{
	struct played_core *c = core_named("zen4", 0);

	c->page_shift = 30;
	core_load(c, BASE);
	core_load(c, BASE + (1 << 21));
	assert_int_equal(c->walks, 1); /* the first TLB takes 1 GiB */
	for (unsigned i = 1; i <= 72; i++)
		core_load(c, BASE + ((uint64_t)i << 30) + ((uint64_t)i << 21));
	assert_int_equal(core_load(c, BASE).tlb, MICRO_STLB_HIT);
	assert_int_equal(core_load(c, BASE + (1 << 21)).tlb, MICRO_WALK);
	core_free(c, true);
}

/* --- Walks --- */

/* A walk that reads the last table alone: the STLB's time, and that of the level with the line. */
static unsigned walk_from(const struct geometry *g, enum micro_level level)
{
	const unsigned cycles[] = {g->l1d.cycles, g->l2.cycles, g->llc.cycles, g->memory_cycles};

	return g->stlb_cycles + cycles[level];
}

/* The first walk reads all four tables. Seven neighbours have their entries in the same line, and a
 * page behind them asks for another line, but not for upper tables. */
static void check_walks(const char *name)
{
	struct played_core *c = core_named(name, MICRO_NO_PREFETCH);
	const struct geometry *g = &c->geometry;
	const bool l1d = g->walks_begin == GEOMETRY_WALKS_L1D;
	struct micro_outcome o = core_load(c, BASE);

	assert_int_equal(o.walk, g->stlb_cycles + 4 * g->memory_cycles);
	assert_int_equal(o.walk_level, MICRO_MEMORY);
	assert_int_equal(o.cycles, o.walk + g->memory_cycles);
	assert_int_equal(c->counts[EVENTS_WALK_READ_LLC_MISSES], 4);
	for (unsigned page = 1; page < 8; page++) {
		o = core_load(c, BASE + page * (4096 + 64));
		assert_int_equal(o.walk, walk_from(g, l1d ? MICRO_L1 : MICRO_L2));
	}
	assert_int_equal(c->counts[EVENTS_WALK_READS], l1d ? 4 : 4 + 7);
	assert_int_equal(core_load(c, BASE + 8 * (4096 + 64)).walk, walk_from(g, MICRO_MEMORY));
	assert_int_equal(core_load(c, BASE + 8 * (4096 + 64)).walk, 0);
	micro_flush(c->micro); /* the upper entries are forgotten, but not their lines */
	o = core_load(c, BASE);
	assert_int_equal(o.walk, g->stlb_cycles + 4 * (l1d ? g->l1d.cycles : g->l2.cycles));
	core_free(c, true);
}

TEST(test_walks)
{
	for (size_t i = 0; i < NAMES; i++)
		check_walks(personalities[i]);
}

/* A page of 2 MiB has its entry one table higher, and one of 1 GiB two. */
TEST(test_walks_of_large_pages)
{
	for (unsigned size = 0; size < 3; size++) {
		struct played_core *c = core_named("skx", MICRO_NO_PREFETCH);

		c->page_shift = 12 + 9 * size;
		core_load(c, BASE);
		assert_int_equal(c->counts[EVENTS_WALK_READS], 4 - size);
		core_free(c, true);
	}
}

/* Walks share the caches with data: entries that data evict are read again from farther away. */
TEST(test_walks_and_data)
{
	struct played_core *c = core_named("skx", MICRO_NO_PREFETCH);

	core_load(c, BASE);
	for (unsigned i = 0; i < 2 * 1024; i++) /* twice L1D, of a few pages */
		core_load(c, BASE + (1 << 20) + i % 1024 * 64);
	assert_int_equal(core_load(c, BASE + 4096).walk_level, MICRO_L2);
	core_free(c, true);
}

/* Code, loads and stores have their walks from the same tables. */
TEST(test_walks_of_code)
{
	struct played_core *c = core_named("zen4", MICRO_NO_PREFETCH);
	struct micro_fetched fetched = core_block(c, BASE, 1);

	assert_int_equal(fetched.walk, c->geometry.stlb_cycles + 4 * c->geometry.memory_cycles);
	assert_int_equal(fetched.cycles, fetched.walk + c->geometry.memory_cycles);
	assert_int_equal(fetched.walk_level, MICRO_MEMORY);
	assert_int_equal(core_load(c, BASE + 4096).walk, walk_from(&c->geometry, MICRO_L2));
	assert_int_equal(core_store(c, BASE + 8192).walk, walk_from(&c->geometry, MICRO_L2));
	core_free(c, true);
}

/* --- Translations that change --- */

static struct micro_page translate_elsewhere(void *context, uint64_t va)
{
	uint64_t *offset = context;

	return (struct micro_page){.physical = va + *offset, .shift = 12};
}

TEST(test_flush)
{
	struct played_core *c = core_named("icl", MICRO_NO_PREFETCH);
	uint64_t offset = 0;

	assert_true(micro_init(c->micro, &c->geometry, MICRO_NO_PREFETCH, NULL, c->llc,
			       translate_elsewhere, c->counts));
#define LOAD(va) micro_load(c->micro, va, 8, &offset)
	assert_int_equal(LOAD(BASE).level, MICRO_MEMORY);
	assert_int_equal(LOAD(BASE + 4096).level, MICRO_MEMORY);
	offset = 1 << 30;
	assert_int_equal(LOAD(BASE).level, MICRO_L1); /* not told yet */
	micro_flush_page(c->micro, BASE);
	assert_int_equal(LOAD(BASE + 4096).level, MICRO_L1);
	assert_int_equal(LOAD(BASE).level, MICRO_MEMORY);
	assert_int_equal(LOAD(BASE).level, MICRO_L1);
	micro_flush(c->micro);
	assert_int_equal(LOAD(BASE + 4096).level, MICRO_MEMORY);
	offset = 0;
	micro_flush(c->micro);
	assert_int_equal(LOAD(BASE).level, MICRO_L1); /* the cache goes by physical addresses */
	assert_int_equal(LOAD(BASE).tlb, MICRO_TLB_HIT);
#undef LOAD
	core_free(c, true);
}

/* Many flushes use up the generations of translations, which then begin anew. */
TEST(test_many_flushes)
{
	struct played_core *c = core_named("skx", 0);

	for (unsigned i = 0; i < 300000; i++) {
		if (i % 1000 == 0)
			assert_int_equal(core_load(c, BASE + i % 7 * 4096).tlb, MICRO_WALK);
		micro_flush(c->micro);
	}
	core_free(c, true);
}
