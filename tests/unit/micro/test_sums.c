// SPDX-License-Identifier: BSD-2-Clause
/* test_sums.c - caches, TLBs and predictors: sums of counts that hold for any program. */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define BASE 0x40000000ull
#define IP   0x401000ull

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

/* --- Sums --- */

/* Requests add up by their purposes. */
static void check_requests(const uint64_t *n)
{
	assert_int_equal(n[EVENTS_L2_REFERENCES],
			 n[EVENTS_L1I_MISSES] + n[EVENTS_L2_READS] + n[EVENTS_L2_STORES] +
				 n[EVENTS_PREFETCHES] + n[EVENTS_WALK_READS] +
				 n[EVENTS_L2_PREFETCHES]);
	assert_int_equal(n[EVENTS_L2_MISSES], n[EVENTS_LLC_REFERENCES]);
	assert_int_equal(n[EVENTS_LLC_REFERENCES],
			 n[EVENTS_L2_CODE_MISSES] + n[EVENTS_LLC_READS] + n[EVENTS_LLC_STORES] +
				 n[EVENTS_PREFETCH_MISSES] + n[EVENTS_WALK_READ_MISSES] +
				 n[EVENTS_L2_PREFETCH_MISSES]);
	assert_int_equal(n[EVENTS_LLC_MISSES],
			 n[EVENTS_LLC_CODE_MISSES] + n[EVENTS_LLC_READ_MISSES] +
				 n[EVENTS_LLC_STORE_MISSES] + n[EVENTS_PREFETCH_LLC_MISSES] +
				 n[EVENTS_WALK_READ_LLC_MISSES] + n[EVENTS_L2_PREFETCH_LLC_MISSES]);
}

static void check_sums(const struct played_core *c)
{
	const uint64_t *n = c->counts;

	check_requests(n);
	assert_int_equal(n[EVENTS_L1D_LOAD_MISSES], n[EVENTS_L2_LOAD_HITS] +
							    n[EVENTS_LLC_LOAD_HITS] +
							    n[EVENTS_LLC_LOAD_MISSES]);
	assert_int_equal(n[EVENTS_MISPREDICTED], n[EVENTS_MISPREDICTED_CONDITIONAL] +
							 n[EVENTS_MISPREDICTED_INDIRECT] +
							 n[EVENTS_MISPREDICTED_RETURNS]);
}

/* Does a random step, of any kind that a program has. */
static void do_anything(struct played_core *c)
{
	const uint64_t r = core_random(c), va = BASE + r / 64 % (1 << (10 + r % 14)),
		       ip = IP + r / 64 % (1 << 21);
	const struct micro_block b = {.va = ip,
				      .physical = ip,
				      .physical_next = (ip + 4096) & ~4095ull,
				      .bytes = (uint16_t)(1 + r / 8 % 200),
				      .shift = 12};

	switch (r % 8) {
	case 0:
	case 1:
	case 2:
		micro_block(c->micro, &b);
		break;
	case 3:
	case 4:
		micro_load(c->micro, va, 1 + r / 16 % 64, c);
		break;
	case 5:
		micro_store(c->micro, va, 1 + r / 16 % 64, c);
		break;
	default:
		micro_branch(c->micro, (enum micro_branch)(r / 8 % 7), b.va, r / 64 % 8 * 64,
			     b.va + 5, r / 64 % 3);
		break;
	}
}

TEST(test_sums)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct played_core *c = core_named(personalities[i], i % 2 ? MICRO_NO_PREFETCH : 0);

		for (unsigned step = 0; step < 50000; step++) {
			do_anything(c);
			check_sums(c);
		}
		assert_true(c->counts[EVENTS_LLC_MISSES] && c->counts[EVENTS_MISPREDICTED] &&
			    c->counts[EVENTS_DTLB_STORE_WALKS]);
		core_free(c, true);
	}
}

/* --- Code --- */

/* Code that L1I does not hold comes from L2, and takes its latency. */
TEST(test_code)
{
	struct played_core *c = core_named("skx", 0);
	uint64_t before[EVENTS_NUMBERS];
	const unsigned lines = 2048;
	struct micro_fetched fetched;

	c->page_shift = 21;
	for (unsigned round = 0; round < 3; round++) {
		memcpy(before, c->counts, sizeof(before));
		for (unsigned i = 0; i < lines; i++)
			fetched = core_block(c, BASE + i * 64, 16);
	}
	assert_int_equal(CORE_SINCE(c, before, L1I_REFERENCES), lines);
	assert_int_equal(CORE_SINCE(c, before, L1I_MISSES), lines);
	assert_int_equal(CORE_SINCE(c, before, L2_CODE_MISSES), 0);
	assert_int_equal(fetched.level, MICRO_L2);
	assert_int_equal(fetched.cycles, c->geometry.l2.cycles);
	core_free(c, true);
}

/* A run across lines and pages is fetched line by line. Fetching the same line again is no
 * reference. */
TEST(test_runs)
{
	struct played_core *c = core_named("skx", 0);

	core_block(c, IP + 4096 - 80, 40); /* 160 bytes: 80 and 80 */
	assert_int_equal(c->counts[EVENTS_L1I_REFERENCES], 4);
	assert_int_equal(c->counts[EVENTS_ITLB_MISSES], 2);
	core_block(c, IP + 4096 + 64, 4);
	assert_int_equal(c->counts[EVENTS_L1I_REFERENCES], 4);
	core_block(c, IP + 4096 - 80, 1);
	assert_int_equal(c->counts[EVENTS_L1I_REFERENCES], 5);
	assert_int_equal(c->counts[EVENTS_L1I_MISSES], 4);
	core_free(c, true);
}
