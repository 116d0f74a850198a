// SPDX-License-Identifier: BSD-2-Clause
/* test_reset.c - the same calls give the same counts; after a reset a core is like a new one. */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define STEPS 8000

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

static void run_anything(struct played_core *c, uint64_t seed)
{
	c->random = seed;
	for (unsigned step = 0; step < STEPS; step++) {
		const uint64_t r = core_random(c), va = 0x40000000 + r / 64 % (1 << (10 + r % 16));

		core_block(c, 0x400000 + r / 64 % 65536 * 4, 1 + r % 20);
		micro_load(c->micro, va, 8, c);
		if (r % 3 == 0)
			core_store(c, va ^ 0x8000000);
		micro_branch(c->micro, (enum micro_branch)(r / 8 % 7), 0x400000 + r % 64,
			     r / 64 % 8 * 64, 0x400000 + r % 64 + 5, r / 64 % 3);
		if (r % 5000 == 0)
			micro_flush(c->micro);
	}
}

static void check_same(struct played_core *a, const uint64_t *before_a, struct played_core *b,
		       const uint64_t *before_b)
{
	for (unsigned e = 0; e < EVENTS_NUMBERS; e++)
		assert_int_equal(a->counts[e] - before_a[e], b->counts[e] - before_b[e]);
}

TEST(test_repeats)
{
	const uint64_t none[EVENTS_NUMBERS] = {0};

	for (size_t i = 0; i < NAMES; i++) {
		struct played_core *a = core_named(personalities[i], 0),
				   *b = core_named(personalities[i], 0);

		run_anything(a, 1 + i);
		run_anything(b, 1 + i);
		check_same(a, none, b, none);
		core_free(a, true);
		core_free(b, true);
	}
}

/* A cache has a power of two, less one, of generations. After that many resets the first generation
 * returns. */
static void check_reset(const char *name, unsigned times)
{
	struct played_core *used = core_named(name, 0), *fresh = core_named(name, 0);
	const uint64_t none[EVENTS_NUMBERS] = {0};
	uint64_t before[EVENTS_NUMBERS];

	run_anything(fresh, 7);
	run_anything(used, 8);
	for (unsigned i = 0; i < times; i++) {
		core_load(used, 0x40000000 + i * 4096);
		micro_reset(used->micro);
		micro_shared_reset(used->llc);
	}
	memcpy(before, used->counts, sizeof(before));
	run_anything(used, 7);
	check_same(used, before, fresh, none);
	core_free(used, true);
	core_free(fresh, true);
}

TEST(test_reset)
{
	for (size_t i = 0; i < NAMES; i++)
		for (unsigned bits = 1; bits <= 12; bits++)
			check_reset(personalities[i], (1u << bits) - 1);
}

/* A reset clears caches and predictors, but not counts. */
TEST(test_empty)
{
	struct played_core *c = core_named("zen4", 0);

	run_anything(c, 3);
	assert_int_equal(core_load(c, 0x50000000).level, MICRO_MEMORY);
	assert_int_equal(core_load(c, 0x50000000).level, MICRO_L1);
	micro_reset(c->micro);
	micro_shared_reset(c->llc);
	assert_int_equal(core_load(c, 0x50000000).level, MICRO_MEMORY);
	assert_true(c->counts[EVENTS_L1D_LOADS] > STEPS);
	core_free(c, true);
}
