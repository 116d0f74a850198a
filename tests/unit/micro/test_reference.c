// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_reference.c - random traces through vpmu/micro and naive.h have the same misses after each
 * access. Pages are mapped at random, so that virtual and physical addresses differ.
 */
#include "tests/unit/micro/core.h"
#include "tests/unit/micro/naive.h"

#include "tests/unit/test.h"

#define STEPS 40000

/* Maps a page to any page of 8 GiB. */
static uint64_t physical_of(uint64_t va)
{
	uint64_t page = (va >> 12) * 0x9e3779b97f4a7c15;

	return (page >> 43) << 12 | (va & 4095);
}

static struct micro_page translate_page(void *context, uint64_t va)
{
	(void)context;
	return (struct micro_page){.physical = physical_of(va), .shift = 12};
}

/* Draws addresses like a program's: some often, some consecutive, some random. */
static uint64_t address(struct played_core *c, uint64_t step, uint64_t span)
{
	const uint64_t random = core_random(c);

	switch (random % 8) {
	case 0:
		return 0x10000000 + random / 8 % span;
	case 1:
	case 2:
		return 0x20000000 + random / 8 % (span / 16);
	case 3:
		return 0x30000000 + step * 8 % span;
	case 4:
		return 0x50000000 + random / 8 % 512;
	default:
		return 0x40000000 + random / 8 % 16384;
	}
}

static void access_both(struct played_core *c, struct naive *n, uint64_t va, unsigned kind)
{
	const struct micro_block b = {
		.va = va & ~31ull, .physical = physical_of(va & ~31ull), .bytes = 32, .shift = 12};

	if (kind == 0) {
		micro_block(c->micro, &b);
		naive_code(n, b.va, b.physical);
	} else if (kind == 1) {
		core_store(c, va & ~7ull);
		naive_data(n, va, physical_of(va), true);
	} else {
		core_load(c, va & ~7ull);
		naive_data(n, va, physical_of(va), false);
	}
}

static void compare_counts(const struct played_core *c, const struct naive *n)
{
	const uint64_t *counts = c->counts;

	assert_int_equal(counts[EVENTS_L1D_LOAD_MISSES] + counts[EVENTS_L1D_STORE_MISSES],
			 n->l1d_misses);
	assert_int_equal(counts[EVENTS_L1I_MISSES], n->l1i_misses);
	assert_int_equal(counts[EVENTS_L2_MISSES], n->l2_misses);
	assert_int_equal(counts[EVENTS_LLC_MISSES], n->llc_misses);
	assert_int_equal(counts[EVENTS_DTLB_LOAD_MISSES] + counts[EVENTS_DTLB_STORE_MISSES],
			 n->dtlb_misses);
	assert_int_equal(counts[EVENTS_ITLB_MISSES], n->itlb_misses);
	assert_int_equal(counts[EVENTS_DTLB_LOAD_WALKS] + counts[EVENTS_DTLB_STORE_WALKS] +
				 counts[EVENTS_ITLB_WALKS],
			 n->walks);
	assert_int_equal(counts[EVENTS_WALK_READS], n->walk_reads);
}

static void check_with(const struct geometry *g, unsigned flags, uint64_t span, uint64_t seed)
{
	struct played_core *c = core_new(g, flags);
	struct naive n = naive_core(g);

	n.prefetches = !(flags & MICRO_NO_PREFETCH);
	n.walks_read = !(flags & MICRO_NO_WALK_READS);
	assert_true(micro_init(c->micro, &c->geometry, flags, c->l2, c->llc, translate_page,
			       c->counts));
	micro_set_prefetchers(c->micro, ~(uint64_t)(GEOMETRY_L1_NEXT | GEOMETRY_L1_STREAM));
	c->random ^= seed * 0x9e3779b97f4a7c15;
	for (uint64_t step = 0; step < STEPS; step++) {
		const uint64_t va = address(c, step, span);

		access_both(c, &n, va, (unsigned)(core_random(c) % 4));
		compare_counts(c, &n);
	}
	assert_true(n.l1d_misses && n.l1i_misses && n.walks);
	naive_free(&n);
	core_free(c, true);
}

static void check_seed(const struct geometry *g, uint64_t span, uint64_t seed)
{
	check_with(g, 0, span, seed);
	check_with(g, MICRO_NO_PREFETCH, span, seed);
	check_with(g, CORE_ALONE, span, seed);
}

/* Small ones, so that each level evicts much. */
static struct geometry shrunk(const struct geometry *g)
{
	struct geometry s = *g;

	s.l1i.kib /= 8;
	s.l1d.kib /= 4;
	s.l2.kib /= 16;
	s.llc.kib /= 64;
	return s;
}

TEST(test_random_traces)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "zen4"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct geometry *g = vpmu_geometry(names[i]);
		const struct geometry small = shrunk(g);

		check_seed(g, 64 << 20, i);
		check_seed(&small, 1 << 20, i + 5);
		check_seed(&small, 8 << 20, i + 10);
	}
	check_seed(vpmu_geometry("adl")->small, 16 << 20, 20);
}
