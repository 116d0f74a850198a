// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_timing.c - the timing model: sums that hold for any program, and times that follow from
 * latencies and width alone.
 */
#include "tests/unit/micro/core.h"

#include "tests/unit/test.h"

#define BASE 0x40000000ull
#define IP   0x401000ull
#define RAX  0u

static const char *const personalities[] = {"hsw", "skx", "icl", "adl", "zen4"};
#define NAMES (sizeof(personalities) / sizeof(*personalities))

/* --- Sums --- */

/* Requests add up by their purposes. */
static void check_requests(const uint64_t *n)
{
	assert_int_equal(n[EVENTS_L2_REFERENCES], n[EVENTS_L1I_MISSES] + n[EVENTS_L2_READS] +
							  n[EVENTS_L2_STORES] +
							  n[EVENTS_PREFETCHES]);
	assert_int_equal(n[EVENTS_L2_MISSES], n[EVENTS_LLC_REFERENCES]);
	assert_int_equal(n[EVENTS_LLC_REFERENCES], n[EVENTS_L2_CODE_MISSES] + n[EVENTS_LLC_READS] +
							   n[EVENTS_LLC_STORES] +
							   n[EVENTS_PREFETCH_MISSES]);
	assert_int_equal(n[EVENTS_LLC_MISSES],
			 n[EVENTS_LLC_CODE_MISSES] + n[EVENTS_LLC_READ_MISSES] +
				 n[EVENTS_LLC_STORE_MISSES] + n[EVENTS_PREFETCH_LLC_MISSES]);
}

/* Cycles with a pending load: at least the stalls, at most the sum of all latencies. */
static void check_pending(const uint64_t *n, uint64_t width)
{
	const uint64_t memory = n[EVENTS_STALLS_MEMORY] * width, llc = n[EVENTS_STALLS_LLC] * width,
		       l2 = n[EVENTS_STALLS_L2] * width;

	assert_true(n[EVENTS_PENDING_LLC] <= n[EVENTS_PENDING_L2]);
	assert_true(n[EVENTS_PENDING_L2] <= n[EVENTS_PENDING_L1D]);
	assert_true(n[EVENTS_PENDING_L1D] <= n[EVENTS_MISS_SLOTS]);
	assert_true(memory <= n[EVENTS_PENDING_LLC]);
	assert_true(memory + llc <= n[EVENTS_PENDING_L2]);
	assert_true(memory + llc + l2 <= n[EVENTS_PENDING_L1D]);
}

static void check_time(const uint64_t *n, const struct geometry *g)
{
	const uint64_t stalls = n[EVENTS_STALLS_FRONTEND] + n[EVENTS_STALLS_BAD_SPECULATION] +
				n[EVENTS_STALLS_BACKEND];

	assert_int_equal(n[EVENTS_SLOTS], n[EVENTS_UOPS] + stalls * g->width);
	assert_int_equal(n[EVENTS_CYCLES], n[EVENTS_SLOTS] / g->width);
	assert_int_equal(n[EVENTS_STALLS_BACKEND],
			 n[EVENTS_STALLS_L1] + n[EVENTS_STALLS_L2] + n[EVENTS_STALLS_LLC] +
				 n[EVENTS_STALLS_MEMORY] + n[EVENTS_STALLS_STORES] +
				 n[EVENTS_STALLS_CORE]);
	assert_int_equal(n[EVENTS_STALLS_BAD_SPECULATION],
			 n[EVENTS_MISPREDICTED] * g->mispredict_cycles);
	assert_int_equal(n[EVENTS_WRONG_PATH], n[EVENTS_STALLS_BAD_SPECULATION] * g->width);
}

static void check_sums(const struct core *c)
{
	const uint64_t *n = c->counts;

	check_requests(n);
	check_pending(n, c->geometry.width);
	check_time(n, &c->geometry);
	assert_true(n[EVENTS_L1D_LATE_LOADS] <= n[EVENTS_L1D_LOADS] - n[EVENTS_L1D_LOAD_MISSES]);
	assert_int_equal(n[EVENTS_L1D_LOAD_MISSES], n[EVENTS_L2_LOAD_HITS] +
							    n[EVENTS_LLC_LOAD_HITS] +
							    n[EVENTS_LLC_LOAD_MISSES]);
	assert_int_equal(n[EVENTS_MISPREDICTED], n[EVENTS_MISPREDICTED_CONDITIONAL] +
							 n[EVENTS_MISPREDICTED_INDIRECT] +
							 n[EVENTS_MISPREDICTED_RETURNS]);
}

/* Does a random step, of any kind that a program has. */
static void do_anything(struct core *c)
{
	const uint64_t r = core_random(c), va = BASE + r / 64 % (1 << (10 + r % 14)),
		       ip = IP + r / 64 % (1 << 21);
	const struct micro_block b = {.va = ip,
				      .physical = ip,
				      .physical_next = (ip + 4096) & ~4095ull,
				      .bytes = (uint16_t)(1 + r / 8 % 200),
				      .shift = 12,
				      .instructions = 3,
				      .uops = (uint32_t)(r / 32 % 40),
				      .busy = r % 64 == 0 ? 60 : 0,
				      .divides = r % 128 == 0 ? 20 : 0};

	switch (r % 8) {
	case 0:
	case 1:
	case 2:
		micro_block(c->micro, &b);
		break;
	case 3:
	case 4:
		micro_load(c->micro, va, 1 + r / 16 % 64,
			   micro_registers(r / 8 % 17, r / 128 % 17, r / 2048 % 17), c);
		break;
	case 5:
		micro_store(c->micro, va, 1 + r / 16 % 64, c);
		break;
	case 6:
		micro_branch(c->micro, (enum micro_branch)(r / 8 % 7), b.va, r / 64 % 8 * 64,
			     b.va + 5, r / 64 % 3);
		break;
	default:
		micro_rep(c->micro, r / 8 % 10000);
		break;
	}
}

/* Events that do not occur on a single core, or without a prefetcher. */
static bool is_absent(enum events_count e, bool prefetches)
{
	switch (e) {
	case EVENTS_PREFETCHES:
	case EVENTS_PREFETCH_MISSES:
	case EVENTS_PREFETCH_LLC_MISSES:
	case EVENTS_L1D_LATE_LOADS:
		return !prefetches;
	case EVENTS_LOADS_SHARED:
	case EVENTS_LOADS_MODIFIED:
	case EVENTS_STORES_MODIFIED:
	case EVENTS_LINES_TAKEN:
		return true;
	default:
		return false;
	}
}

TEST(test_sums)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct core *c = core_named(personalities[i], i % 2 ? MICRO_NO_PREFETCH : 0);

		micro_set_latency(c->micro, 100);
		for (unsigned step = 0; step < 50000; step++) {
			do_anything(c);
			check_sums(c);
		}
		for (enum events_count e = EVENTS_UOPS; e < EVENTS_NUMBERS; e++)
			if (c->counts[e] == 0 && !is_absent(e, i % 2 == 0))
				fail_msg("%s: event %d never counted", personalities[i], e);
		core_free(c, true);
	}
}

/* --- Width --- */

TEST(test_width)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct core *c = core_named(personalities[i], 0);
		uint64_t before[EVENTS_NUMBERS];

		core_block(c, IP, 10);
		memcpy(before, c->counts, sizeof(before));
		for (unsigned k = 0; k < 1200; k++)
			core_block(c, IP, 10);
		assert_int_equal(CORE_SINCE(c, before, UOPS), 12000);
		assert_in_range(CORE_SINCE(c, before, CYCLES), 12000 / c->geometry.width,
				12000 / c->geometry.width + 1);
		core_free(c, true);
	}
}

/* --- Loads --- */

/* Walks a list of `lines`, with a run of two micro-operations for each element. */
static void walk_list(struct core *c, uint64_t lines, bool chained)
{
	const uint32_t registers =
		chained ? micro_registers(RAX, RAX, MICRO_NO_REGISTER) : CORE_NOWHERE;

	for (uint64_t i = 0; i < lines; i++) {
		core_block(c, IP, 2);
		micro_load(c->micro, BASE + i * 64, 8, registers, c);
	}
}

/* Returns the cycles of an element in the third walk, whose counts are those since `before`. */
static double third_walk(struct core *c, uint64_t lines, bool chained, uint64_t *before)
{
	walk_list(c, lines, chained);
	walk_list(c, lines, chained);
	memcpy(before, c->counts, sizeof(c->counts));
	walk_list(c, lines, chained);
	return (double)CORE_SINCE(c, before, CYCLES) / (double)lines;
}

static void check_latency(const char *name, uint64_t lines, uint32_t cycles,
			  enum events_count cause)
{
	struct core *c = core_named(name, MICRO_NO_PREFETCH);
	uint64_t before[EVENTS_NUMBERS];
	double each;

	c->page_shift = 21;
	each = third_walk(c, lines, true, before);
	if (each < cycles * 0.97 || each > cycles * 1.03)
		fail_msg("%s: %u lines, %.2f cycles instead of %u", name, (unsigned)lines, each,
			 (unsigned)cycles);
	for (enum events_count e = EVENTS_STALLS_L1; e <= EVENTS_STALLS_CORE; e++)
		assert_true(e == cause ||
			    c->counts[e] - before[e] < (c->counts[cause] - before[cause]) / 50);
	core_free(c, true);
}

/* An element of a list takes as long as a load from its level. */
TEST(test_latencies)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct geometry *g = vpmu_geometry(personalities[i]);

		check_latency(personalities[i], 512, g->l1d.cycles, EVENTS_STALLS_L1);
		check_latency(personalities[i], g->l2.kib * 8ull, g->l2.cycles, EVENTS_STALLS_L2);
		check_latency(personalities[i], g->l2.kib * 32ull, g->llc.cycles,
			      EVENTS_STALLS_LLC);
	}
}

/* Independent elements overlap, up to the number of fill buffers. */
TEST(test_overlap)
{
	for (size_t i = 0; i < NAMES; i++) {
		const struct geometry *g = vpmu_geometry(personalities[i]);
		struct core *c = core_named(personalities[i], MICRO_NO_PREFETCH);
		const double least = (double)g->llc.cycles / g->fills;
		uint64_t before[EVENTS_NUMBERS];
		double each;

		c->page_shift = 21;
		each = third_walk(c, g->l2.kib * 32ull, false, before);
		assert_true(each > least * 0.95 && each < least * 1.15 + 1);
		core_free(c, true);
	}
}

/* Memory delivers a line every fixed number of cycles. */
TEST(test_channel)
{
	for (size_t i = 0; i < NAMES; i++)
		for (unsigned flags = 0; flags <= MICRO_NO_PREFETCH; flags++) {
			struct core *c = core_named(personalities[i], flags);
			const struct geometry *g = &c->geometry;
			const double by_fills = (double)g->memory_cycles / g->fills,
				     least = by_fills > g->line_cycles ? by_fills : g->line_cycles;
			const uint64_t lines = 100000;
			double each;

			c->page_shift = 21;
			for (uint64_t n = 0; n < lines; n++) {
				core_block(c, IP, 2);
				core_load(c, BASE + n * 64);
			}
			each = (double)c->counts[EVENTS_CYCLES] / (double)lines;
			assert_true(each > least * 0.95 && each < least * 1.2 + 1);
			core_free(c, true);
		}
}

/* --- Other waits --- */

TEST(test_divides)
{
	for (size_t i = 0; i < NAMES; i++) {
		struct core *c = core_named(personalities[i], 0);
		const struct micro_worth w = micro_class(&c->geometry, MICRO_CLASS_DIVIDE_LONG);
		const struct micro_block b = {.va = IP,
					      .physical = IP,
					      .bytes = 3,
					      .shift = 12,
					      .instructions = 1,
					      .uops = w.uops,
					      .busy = w.busy};
		const uint64_t n = 10000;

		assert_int_equal(w.busy, c->geometry.divide_cycles[1]);
		for (uint64_t k = 0; k < n; k++)
			micro_block(c->micro, &b);
		assert_in_range(c->counts[EVENTS_CYCLES], n * w.busy - 500, n * w.busy + 500);
		assert_true(c->counts[EVENTS_STALLS_CORE] > n * w.busy / 2);
		core_free(c, true);
	}
}

/* One far from the next is covered. */
TEST(test_lonely_divide)
{
	struct core *c = core_named("skx", 0);
	const struct micro_block b = {.va = IP,
				      .physical = IP,
				      .bytes = 3,
				      .shift = 12,
				      .instructions = 1,
				      .uops = 4,
				      .busy = 24};

	for (unsigned k = 0; k < 1000; k++) {
		micro_block(c->micro, &b);
		core_block(c, IP, 10);
		for (unsigned i = 0; i < 10; i++)
			core_block(c, IP, 10);
	}
	assert_int_equal(c->counts[EVENTS_STALLS_CORE], 0);
	core_free(c, true);
}

/* Code: each miss of L1I stalls for its full latency. */
TEST(test_code)
{
	struct core *c = core_named("skx", 0);
	uint64_t before[EVENTS_NUMBERS];
	const unsigned lines = 2048;

	c->page_shift = 21;
	for (unsigned round = 0; round < 3; round++) {
		memcpy(before, c->counts, sizeof(before));
		for (unsigned i = 0; i < lines; i++)
			core_block(c, BASE + i * 64, 16);
	}
	assert_int_equal(CORE_SINCE(c, before, L1I_REFERENCES), lines);
	assert_int_equal(CORE_SINCE(c, before, L1I_MISSES), lines);
	assert_int_equal(CORE_SINCE(c, before, L2_CODE_MISSES), 0);
	assert_int_equal(CORE_SINCE(c, before, STALLS_FRONTEND), lines * c->geometry.l2.cycles);
	core_free(c, true);
}

/* A run across lines and pages is fetched line by line. Fetching the same line again is no
 * reference. */
TEST(test_runs)
{
	struct core *c = core_named("skx", 0);

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

TEST(test_ipc1)
{
	struct core *c = core_named("icl", MICRO_IPC1);

	for (unsigned step = 0; step < 20000; step++)
		do_anything(c);
	assert_int_equal(c->counts[EVENTS_STALLS_BACKEND], 0);
	assert_int_equal(c->counts[EVENTS_STALLS_FRONTEND], 0);
	assert_int_equal(c->counts[EVENTS_STALLS_BAD_SPECULATION], 0);
	assert_int_equal(c->counts[EVENTS_CYCLES] % 3, 0); /* runs of three instructions */
	assert_int_equal(c->counts[EVENTS_SLOTS], c->counts[EVENTS_CYCLES] * 5);
	assert_true(c->counts[EVENTS_LLC_MISSES] && c->counts[EVENTS_MISPREDICTED]);
	core_free(c, true);
}
