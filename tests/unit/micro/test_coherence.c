// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_coherence.c - lines that several vCPUs use: the state that each vCPU sees; and the
 * directory, which has a line exactly as long as a CPU's caches have it.
 */
#include "tests/unit/micro/core.h"

#include "vpmu/micro/micro_priv.h"

#include "tests/unit/test.h"

#define CORES 3
#define BASE  0x40000000ull

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

struct package {
	struct played_core *core[CORES];
};

static struct package package_of(const char *name)
{
	const struct geometry *g = vpmu_geometry(name);
	struct package p = {{NULL}};

	for (unsigned i = 0; i < CORES; i++)
		p.core[i] = core_among(g, CORE_ALONE, i ? p.core[0] : NULL, CORES - 1);
	return p;
}

static void free_package(struct package *p)
{
	for (unsigned i = CORES; i-- > 0;)
		core_free(p->core[i], i == 0);
}

static struct micro_outcome load(struct package *p, unsigned i, uint64_t va)
{
	micro_catch_up(p->core[i]->micro);
	return core_load(p->core[i], va);
}

static struct micro_outcome store(struct package *p, unsigned i, uint64_t va)
{
	micro_catch_up(p->core[i]->micro);
	return micro_store_coherent(p->core[i]->micro, va, 8, p->core[i]);
}

/* Two CPUs that write to the same line take it from each other each time. */
TEST(test_false_sharing)
{
	for (size_t n = 0; n < NAMES; n++) {
		struct package p = package_of(personalities[n]);

		store(&p, 0, BASE);
		for (unsigned i = 0; i < 100; i++) {
			const struct micro_outcome o = store(&p, 1, BASE + 8);

			assert_int_equal(o.snoop, MICRO_SNOOP_HITM);
			assert_int_equal(o.level, MICRO_LLC);
			assert_int_equal(store(&p, 1, BASE + 16).level, MICRO_L1);
			assert_int_equal(store(&p, 0, BASE).snoop, MICRO_SNOOP_HITM);
		}
		assert_int_equal(p.core[0]->counts[EVENTS_STORES_MODIFIED], 100);
		assert_int_equal(p.core[1]->counts[EVENTS_STORES_MODIFIED], 100);
		assert_int_equal(p.core[1]->counts[EVENTS_LINES_TAKEN], 100);
		assert_int_equal(p.core[1]->counts[EVENTS_L1D_STORE_MISSES], 100);
		assert_int_equal(p.core[1]->counts[EVENTS_LLC_STORE_MISSES], 0);
		free_package(&p);
	}
}

/* A line that another CPU wrote is modified for the first that reads it, and shared for the
 * next. */
TEST(test_reading_what_was_written)
{
	for (size_t n = 0; n < NAMES; n++) {
		struct package p = package_of(personalities[n]);
		const struct geometry *g = vpmu_geometry(personalities[n]);
		struct micro_outcome o;

		store(&p, 0, BASE);
		load(&p, 1, BASE + 4096 - 64); /* the page */
		o = load(&p, 1, BASE);
		assert_int_equal(o.snoop, MICRO_SNOOP_HITM);
		assert_int_equal(o.level, MICRO_LLC);
		assert_int_equal(o.cycles, 2 * g->llc.cycles);
		assert_int_equal(load(&p, 1, BASE).level, MICRO_L1);
		assert_int_equal(load(&p, 0, BASE).level, MICRO_L1);
		assert_int_equal(load(&p, 2, BASE).snoop, MICRO_SNOOP_HIT);
		assert_int_equal(p.core[1]->counts[EVENTS_LOADS_MODIFIED], 1);
		assert_int_equal(p.core[2]->counts[EVENTS_LOADS_MODIFIED], 0);
		assert_int_equal(p.core[2]->counts[EVENTS_LOADS_SHARED], 1);
		/* The line is shared now: a store asks again, and the others lose it. */
		assert_int_equal(store(&p, 0, BASE).level, MICRO_L1);
		assert_int_equal(p.core[0]->counts[EVENTS_LINES_TAKEN], 2);
		assert_int_equal(load(&p, 2, BASE).snoop, MICRO_SNOOP_HITM);
		free_package(&p);
	}
}

/* A store across two lines takes both. */
TEST(test_across_lines)
{
	struct package p = package_of("skx");

	load(&p, 1, BASE);
	load(&p, 1, BASE + 64);
	store(&p, 0, BASE + 60);
	assert_int_equal(load(&p, 1, BASE).snoop, MICRO_SNOOP_HITM);
	assert_int_equal(load(&p, 1, BASE + 64).snoop, MICRO_SNOOP_HITM);
	free_package(&p);
}

/* --- Against the contents of the caches --- */

static bool holds_data(const struct played_core *c, uint64_t line)
{
	return micro_cache_has(&c->micro->l1d, line) || micro_cache_has(&c->micro->own_l2, line);
}

static bool holds_line(const struct played_core *c, uint64_t line)
{
	return holds_data(c, line) || micro_cache_has(&c->micro->l1i, line);
}

#define LINES 40000u

/* The CPU plus 1 that modified a line, until a CPU, itself included, asks for the line. */
static uint8_t writer[LINES];

static enum micro_snoop expected_snoop(const struct package *p, unsigned i, uint64_t n)
{
	const uint64_t line = BASE / 64 + n;
	const unsigned w = writer[n];
	bool any = false;

	if (holds_data(p->core[i], line))
		return MICRO_NO_SNOOP;
	if (w && w - 1 != i && holds_line(p->core[w - 1], line))
		return MICRO_SNOOP_HITM;
	for (unsigned k = 0; k < CORES; k++)
		any |= k != i && holds_line(p->core[k], line);
	return any ? MICRO_SNOOP_HIT : MICRO_NO_SNOOP;
}

static uint64_t any_line(struct played_core *c)
{
	const uint64_t r = core_random(c);

	return r % 4 ? r / 4 % 300 * 64 % LINES : r / 4 % LINES;
}

static void do_access(struct package *p)
{
	const uint64_t r = core_random(p->core[0]), n = any_line(p->core[0]);
	const unsigned i = r % CORES;
	const bool stores = r / 16 % 3 == 0;
	const bool had = holds_data(p->core[i], BASE / 64 + n);
	/* A line in L1I alone: the CPU still counts as the owner. */
	const bool keeps = writer[n] == i + 1 && holds_line(p->core[i], BASE / 64 + n);
	const enum micro_snoop want = expected_snoop(p, i, n);
	const struct micro_outcome o =
		stores ? store(p, i, BASE + n * 64) : load(p, i, BASE + n * 64);

	if (stores)
		writer[n] = (uint8_t)(i + 1);
	else if (!had && !keeps)
		writer[n] = 0;
	if (had && stores)
		return;
	if (o.snoop != want)
		fail_msg("CPU %u, line %d: snoop %d, not %d", i, (int)n, o.snoop, want);
}

static void fetch_any(struct package *p, unsigned i)
{
	const uint64_t n = any_line(p->core[0]);

	if (!holds_line(p->core[i], BASE / 64 + n))
		writer[n] = 0;
	core_block(p->core[i], BASE + n * 64, 4);
}

static void catch_up(struct package *p)
{
	for (unsigned i = 0; i < CORES; i++)
		micro_catch_up(p->core[i]->micro);
}

TEST(test_the_directory_is_exact)
{
	for (size_t n = 0; n < NAMES; n++) {
		struct package p = package_of(personalities[n]);

		memset(writer, 0, sizeof(writer));
		for (unsigned step = 0; step < 300000; step++) {
			if (step % 8 == 0)
				fetch_any(&p, step / 8 % CORES);
			catch_up(&p);
			do_access(&p);
			catch_up(&p);
		}
		assert_true(p.core[0]->counts[EVENTS_LOADS_MODIFIED] > 1000);
		assert_true(p.core[0]->counts[EVENTS_LOADS_SHARED] > 1000);
		free_package(&p);
	}
}

/* An idle CPU loses all lines that other CPUs take meanwhile. */
TEST(test_much_mail)
{
	for (size_t n = 0; n < NAMES; n++) {
		struct package p = package_of(personalities[n]);

		for (unsigned i = 0; i < 2000; i++)
			load(&p, 0, BASE + i * 64);
		for (unsigned i = 0; i < 1000; i++)
			store(&p, 1, BASE + i * 64);
		micro_catch_up(p.core[0]->micro);
		for (unsigned i = 0; i < 2000; i++)
			if (holds_line(p.core[0], BASE / 64 + i) != (i >= 1000))
				fail_msg("%s: line %u", personalities[n], i);
		free_package(&p);
	}
}

/* A measurement begins on one CPU: all caches are empty, and no CPU owns a line. */
TEST(test_reset)
{
	struct package p = package_of("icl");

	store(&p, 0, BASE);
	store(&p, 1, BASE + 64);
	micro_shared_reset(p.core[0]->llc);
	micro_reset(p.core[0]->micro);
	assert_int_equal(load(&p, 2, BASE).level, MICRO_MEMORY);
	assert_int_equal(load(&p, 1, BASE + 64).level, MICRO_MEMORY);
	assert_int_equal(store(&p, 0, BASE).snoop, MICRO_SNOOP_HIT);
	free_package(&p);
}

/* CPUs of a module are not in the directory: they neither lose lines nor take them. */
TEST(test_a_module)
{
	const struct geometry *g = vpmu_geometry("adl");
	struct played_core *large = core_among(g, CORE_ALONE, NULL, 2),
			   *small = core_beside(g->small, CORE_ALONE, large);
	struct micro_outcome o;

	small->l2 =
		micro_shared_init(core_memory(micro_shared_bytes(&g->small->l2)), &g->small->l2);
	assert_true(micro_init(small->micro, &small->geometry, CORE_ALONE, small->l2, small->llc,
			       core_translate, small->counts));
	for (unsigned i = 0; i < 5000; i++) {
		o = micro_store_coherent(large->micro, BASE + i * 64, 8, large);
		assert_int_equal(o.snoop, MICRO_NO_SNOOP);
		micro_catch_up(small->micro);
		o = micro_store_coherent(small->micro, BASE + i * 64, 8, small);
		assert_int_equal(o.snoop, MICRO_NO_SNOOP);
	}
	assert_int_equal(small->counts[EVENTS_LINES_TAKEN], 0);
	assert_int_equal(large->counts[EVENTS_LINES_TAKEN], 0);
	free(small->l2);
	core_free(small, false);
	core_free(large, true);
}

/* A single CPU counts the same with a directory and without. */
TEST(test_alone)
{
	for (size_t n = 0; n < NAMES; n++) {
		struct played_core *with = core_among(vpmu_geometry(personalities[n]), 0, NULL, 1),
				   *without = core_named(personalities[n], 0);

		for (unsigned i = 0; i < 200000; i++) {
			const uint64_t r = core_random(with), va = BASE + r / 16 % (1 << 23);

			core_random(without);
			micro_catch_up(with->micro);
			if (r % 3) {
				core_load(with, va);
				core_load(without, va);
			} else {
				micro_store_coherent(with->micro, va, 8, with);
				core_store(without, va);
			}
		}
		assert_memory_equal(with->counts, without->counts, sizeof(with->counts));
		core_free(with, true);
		core_free(without, true);
	}
}
