// SPDX-License-Identifier: BSD-2-Clause
/* test_prefetch.c - each hardware prefetcher alone: streams, strides, pairs, trends. */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define BASE  0x40000000ull
#define LINES (4096 / GEOMETRY_LINE)
#define IP    0x401000ull

static uint64_t line_of_page(uint64_t page, int line)
{
	return BASE + page * 4096 + (uint64_t)line * GEOMETRY_LINE;
}

static uint64_t ip_of_test;

static uint64_t test_ip(const void *context)
{
	(void)context;
	return ip_of_test;
}

static struct played_core *core_with(const char *name, unsigned prefetchers)
{
	struct played_core *c = core_named(name, 0);

	assert_int_equal(c->geometry.prefetchers & prefetchers, prefetchers);
	micro_set_prefetchers(c->micro, ~(uint64_t)prefetchers);
	micro_set_ip(c->micro, test_ip);
	ip_of_test = IP;
	return c;
}

#define COUNT(c, event) ((c)->counts[EVENTS_##event])

static void check_asked(const struct micro_outcome *o, unsigned n, bool into_l2)
{
	assert_int_equal(o->nprefetches, n);
	for (unsigned i = 0; i < n; i++) {
		assert_true(o->prefetches[i].flight >= 1 &&
			    o->prefetches[i].flight <= LINE_FLIGHTS);
		assert_int_equal(o->prefetches[i].into_l2, into_l2);
		assert_int_equal(o->prefetches[i].level, MICRO_MEMORY);
	}
}

/* --- None --- */

static void stream_through(struct played_core *c, unsigned pages)
{
	for (unsigned page = 0; page < pages; page++)
		for (int line = 0; line < LINES; line++)
			core_load(c, line_of_page(page, line));
}

/* All that is off asks for nothing, whether by the register or by the flag. */
TEST(test_off)
{
	static const char *const names[] = {"hsw", "skx", "icl", "adl", "spr", "zen4"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct played_core *off = core_with(names[i], 0),
				   *flag = core_named(names[i], MICRO_NO_PREFETCH);

		micro_set_prefetchers(flag->micro, 0);
		stream_through(off, 16);
		stream_through(flag, 16);
		assert_memory_equal(off->counts, flag->counts, sizeof(off->counts));
		assert_int_equal(COUNT(off, PREFETCHES) + COUNT(off, L2_PREFETCHES), 0);
		assert_int_equal(COUNT(off, L1D_LOAD_MISSES), 16 * LINES);
		core_free(off, true);
		core_free(flag, true);
	}
}

/* --- L1D --- */

/* The first line of a page is missed. Each other one has been asked for by the one before. */
TEST(test_next)
{
	struct played_core *c = core_with("skx", GEOMETRY_L1_NEXT);
	const struct micro_outcome o = core_load(c, line_of_page(0, 0));

	check_asked(&o, 1, false);
	stream_through(c, 8);
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), 8);
	assert_int_equal(COUNT(c, PREFETCHES), 8 * (LINES - 1));
	assert_int_equal(COUNT(c, L2_PREFETCHES), 0);
	core_free(c, true);
}

/* The first two lines of a page are missed, in either direction. Lines without a neighbour make no
 * stream. */
TEST(test_neighbours)
{
	struct played_core *c = core_with("zen4", GEOMETRY_L1_STREAM);

	stream_through(c, 8);
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), 8 * 2);
	assert_int_equal(COUNT(c, PREFETCHES), 8 * (LINES - 2));
	for (int line = LINES - 1; line >= 0; line--)
		core_load(c, line_of_page(9, line));
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), 9 * 2);
	for (int line = 0; line < LINES; line += 2)
		core_load(c, line_of_page(11, line));
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), 9 * 2 + LINES / 2);
	core_free(c, true);
}

/* Strides over pages that a TLB has, eight ahead: a line is asked for once, however far it is. */
TEST(test_strides_over_pages)
{
	struct played_core *c = core_with("zen4", GEOMETRY_L1_STRIDE);
	struct micro_outcome o = {0};

	for (unsigned page = 0; page < 64; page++)
		core_load(c, line_of_page(page, (int)(page + 32) % LINES));
	memset(c->counts, 0, sizeof(c->counts));
	ip_of_test = IP + 4;
	for (unsigned page = 0; page < 64; page++) {
		o = core_load(c, line_of_page(page, (int)page));
		assert_true(o.nprefetches <= 2);
	}
	assert_int_equal(o.nprefetches, 0); /* there is no page further on */
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), 3);
	assert_int_equal(COUNT(c, PREFETCHES), 61);
	core_free(c, true);
}

/* Intel's stay in their page. */
TEST(test_strides_in_a_page)
{
	struct played_core *c = core_with("skx", GEOMETRY_L1_STRIDE);

	for (unsigned page = 0; page < 16; page++)
		core_load(c, line_of_page(page / 2, (int)(page % 2) * 30));
	assert_int_equal(COUNT(c, PREFETCHES), 0);
	core_free(c, true);
}

/* The third access of an instruction tells its stride; the lines from the fourth on are there. */
static void check_stride(int first, int stride, int accesses)
{
	struct played_core *c = core_with("skx", GEOMETRY_L1_STRIDE);

	for (int i = 0; i < accesses; i++)
		core_load(c, line_of_page(0, first + i * stride));
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), accesses < 3 ? accesses : 3);
	core_free(c, true);
}

TEST(test_stride)
{
	check_stride(0, 3, 21);
	check_stride(63, -3, 21);
	check_stride(0, 1, 64);
	check_stride(5, 20, 2);
}

/* Two instructions in turn, with strides of their own. Mixed up they have none. */
TEST(test_strides_of_instructions)
{
	for (unsigned same = 0; same < 2; same++) {
		struct played_core *c = core_with("zen4", GEOMETRY_L1_STRIDE);

		for (int i = 0; i < 20; i++) {
			ip_of_test = IP;
			core_load(c, line_of_page(0, i * 3));
			ip_of_test = same ? IP : IP + 4;
			core_load(c, line_of_page(9, 60 - i * 2));
		}
		assert_int_equal(COUNT(c, L1D_LOAD_MISSES), same ? 40 : 6);
		core_free(c, true);
	}
}

/* Stores, and instructions whose address is not known, have no stride. */
TEST(test_no_stride)
{
	struct played_core *c = core_with("skx", GEOMETRY_L1_STRIDE);

	for (int i = 0; i < 20; i++)
		core_store(c, line_of_page(0, i * 3));
	assert_int_equal(COUNT(c, L1D_STORE_MISSES), 20);
	micro_set_ip(c->micro, NULL);
	for (int i = 0; i < 20; i++)
		core_load(c, line_of_page(9, i * 3));
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), 20);
	core_free(c, true);
}

/* --- L2 --- */

/*
 * The first three lines of a page make a stream. From the third on two lines are asked for by each,
 * until it is 20 lines ahead; all are misses of L1D, and hits of L2.
 */
static void check_stream(const char *name, int first, int step)
{
	struct played_core *c = core_with(name, GEOMETRY_L2_STREAM);
	struct micro_outcome o;

	for (int i = 0; i < LINES; i++) {
		o = core_load(c, line_of_page(0, first + i * step));
		assert_int_equal(o.level, i < 3 ? MICRO_MEMORY : MICRO_L2);
		if (i == 2 || i == 20)
			check_asked(&o, 2, true);
		else if (i == 23)
			check_asked(&o, 1, true);
	}
	assert_int_equal(o.nprefetches, 0);
	assert_int_equal(COUNT(c, L1D_LOAD_MISSES), LINES);
	assert_int_equal(COUNT(c, PREFETCHES), 0);
	assert_int_equal(COUNT(c, L2_PREFETCHES), LINES - 3);
	assert_int_equal(COUNT(c, L2_PREFETCH_LLC_MISSES), LINES - 3);
	assert_int_equal(COUNT(c, LLC_LOAD_MISSES), 3);
	core_free(c, true);
}

TEST(test_stream)
{
	check_stream("hsw", 0, 1);
	check_stream("hsw", LINES - 1, -1);
	check_stream("zen4", 0, 1);
}

/* Streams of pages whose numbers differ in upper bits alone go on beside each other. */
TEST(test_streams_alternate)
{
	struct played_core *c = core_with("hsw", GEOMETRY_L2_STREAM);
	const unsigned pages = 24, apart = MICRO_RECENT;

	for (int line = 0; line < LINES; line++)
		for (unsigned i = 0; i < pages; i++)
			core_load(c, line_of_page((uint64_t)i * apart, line));
	/* The first three lines of a page are read from memory, the others were asked for. */
	assert_int_equal(COUNT(c, L2_READS), pages * LINES);
	assert_int_equal(COUNT(c, L2_PREFETCHES), pages * (LINES - 3));
	assert_int_equal(COUNT(c, LLC_READ_MISSES), pages * 3);
	core_free(c, true);
}

/* A prefetched line may still be on its way to L2 at its first use, and not at the second. */
TEST(test_stream_meets)
{
	struct played_core *c = core_with("hsw", GEOMETRY_L2_STREAM);

	for (int i = 0; i < 3; i++)
		assert_int_equal(core_load(c, line_of_page(0, i)).meets, 0);
	assert_int_equal(core_load(c, line_of_page(0, 3)).meets, 3 + 1);
	assert_int_equal(core_load(c, line_of_page(0, 3)).meets, 0);
	core_free(c, true);
}

/* L1D's prefetcher asks L2 for lines that are on their way there. */
TEST(test_joins)
{
	struct played_core *c = core_with("hsw", GEOMETRY_L1_NEXT | GEOMETRY_L2_STREAM);
	bool joins = false;

	for (int i = 0; i < 20; i++) {
		const struct micro_outcome o = core_load(c, line_of_page(0, i));

		for (unsigned n = 0; n < o.nprefetches; n++)
			joins |= o.prefetches[n].joins && !o.prefetches[n].into_l2;
	}
	assert_true(joins);
	core_free(c, true);
}

/* A miss of L2 completes the pair, whichever half it is; a hit does not. */
TEST(test_pair)
{
	struct played_core *c = core_with("icl", GEOMETRY_L2_PAIR);

	for (int i = 0; i < LINES; i += 8) {
		assert_int_equal(core_load(c, line_of_page(0, i)).level, MICRO_MEMORY);
		assert_int_equal(core_load(c, line_of_page(0, i + 1)).level, MICRO_L2);
		assert_int_equal(core_load(c, line_of_page(0, i + 5)).level, MICRO_MEMORY);
		assert_int_equal(core_load(c, line_of_page(0, i + 4)).level, MICRO_L2);
		assert_int_equal(core_load(c, line_of_page(0, i + 2)).level, MICRO_MEMORY);
	}
	assert_int_equal(COUNT(c, L2_PREFETCHES), 3 * LINES / 8);
	core_free(c, true);
}

/* Ascending misses ask for the next line, descending ones for the previous one. */
static void check_trend(int first, int step)
{
	struct played_core *c = core_with("zen4", GEOMETRY_L2_UP_DOWN);

	for (int i = 0; i < 8; i++)
		assert_int_equal(core_load(c, line_of_page(0, first + i * step)).level,
				 i < 3 ? MICRO_MEMORY : MICRO_L2);
	core_free(c, true);
}

TEST(test_trend)
{
	check_trend(0, 1);
	check_trend(63, -1);
}

/* --- Bounds --- */

/* No access asks for more lines than micro_most_lines(), which is far below the room for them. */
TEST(test_most)
{
	static const char *const names[] = {"hsw", "icl", "adl", "zen4"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct played_core *c = core_with(names[i], vpmu_geometry(names[i])->prefetchers);
		const unsigned most = micro_most_lines(&c->geometry);

		assert_true(most < MICRO_ASKED);
		for (unsigned step = 0; step < 200000; step++) {
			const uint64_t before = COUNT(c, L2_REFERENCES), r = core_random(c);
			const struct micro_outcome o = micro_load(
				c->micro, step % 64 < 32 ? BASE + step * 60 : BASE + r % (1 << 22),
				8, c);

			assert_true(COUNT(c, L2_REFERENCES) - before <= most);
			assert_true(o.nprefetches < most);
		}
		core_free(c, true);
	}
}

/* A reset forgets what was learnt, and not what is on. */
TEST(test_reset)
{
	struct played_core *c = core_with("zen4", GEOMETRY_L2_STREAM | GEOMETRY_L1_STRIDE);
	uint64_t first[EVENTS_NUMBERS], before[EVENTS_NUMBERS];

	stream_through(c, 40);
	memcpy(first, c->counts, sizeof(first));
	micro_reset(c->micro);
	micro_shared_reset(c->llc);
	memcpy(before, c->counts, sizeof(before));
	stream_through(c, 40);
	for (unsigned i = 0; i < EVENTS_NUMBERS; i++)
		assert_int_equal(c->counts[i] - before[i], first[i]);
	core_free(c, true);
}
