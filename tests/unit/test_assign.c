// SPDX-License-Identifier: BSD-2-Clause
/* test_assign.c - pmu_assign() by hand-made cases, and against exhaustive search. */
#include "pmu/assign.h"
#include "pmu/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FIXED(n) (1ull << (32 + (n)))
#define MAX      8

struct row {
	const char *what;
	unsigned n;
	uint64_t masks[MAX];
	bool fits;
	uint8_t index[MAX];
};

static const struct row rows[] = {
	{"nothing", 0, {0}, true, {0}},
	{"first free", 3, {0xf, 0xf, 0xf}, true, {0, 1, 2}},
	{"no counter at all", 1, {0}, false, {0}},
	{"one too many", 3, {0x3, 0x3, 0x3}, false, {0}},
	{"least choice first", 2, {0xf, 0x1}, true, {1, 0}},
	{"order kept among equals", 3, {0x6, 0x6, 0x1}, true, {1, 2, 0}},
	{"fixed before general", 2, {FIXED(0) | 0xf, 0xf}, true, {32, 0}},
	{"general when fixed is taken", 2, {FIXED(0) | 0xf, FIXED(0) | 0xf}, true, {32, 0}},
	{"fixed only", 2, {FIXED(2), FIXED(2)}, false, {0}},
	{"haswell's four", 4, {0x4, 0x2, 0x8, 0xf}, true, {2, 1, 3, 0}},
	{"greedy loses: S0's overlap example", 4, {0x9, 0x3, 0x7, 0x7}, false, {0}},
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t index[MAX] = {0};
		bool fits = pmu_assign(rows[i].masks, rows[i].n, index);

		if (fits != rows[i].fits)
			fail_msg("%s: fits is %d", rows[i].what, fits);
		for (unsigned k = 0; fits && k < rows[i].n; k++)
			if (index[k] != rows[i].index[k])
				fail_msg("%s: event %u is on %u", rows[i].what, k, index[k]);
	}
}

static void test_too_many(void **state)
{
	uint64_t masks[PMU_COUNTERS + 1];
	uint8_t index[PMU_COUNTERS + 1];

	(void)state;
	for (unsigned i = 0; i <= PMU_COUNTERS; i++)
		masks[i] = bits_low(PMU_COUNTERS);
	assert_true(pmu_assign(masks, PMU_COUNTERS, index));
	assert_false(pmu_assign(masks, PMU_COUNTERS + 1, index));
}

static bool feasible(const uint64_t *masks, unsigned n, uint64_t used)
{
	if (!n)
		return true;
	for (uint64_t free = *masks & ~used; free; free &= free - 1)
		if (feasible(masks + 1, n - 1, used | 1ull << bits_first(free)))
			return true;
	return false;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

static void check_valid(const uint64_t *masks, unsigned n, const uint8_t *index)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < n; i++) {
		assert_true(masks[i] >> index[i] & 1);
		assert_false(used >> index[i] & 1);
		used |= 1ull << index[i];
	}
}

/* What is assigned is valid; what cannot be is refused; nested masks are never refused wrongly. */
static void test_random(void **state)
{
	static const uint64_t nested[] = {0x01, 0x03, 0x0f, 0xff};
	uint64_t seed = 1;

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		uint64_t masks[MAX];
		uint8_t index[MAX];
		unsigned n = 1 + (unsigned)next_random(&seed) % MAX;
		bool is_nested = round & 1, fits;

		for (unsigned i = 0; i < n; i++)
			masks[i] = is_nested ? nested[next_random(&seed) % 4]
					     : next_random(&seed) & (0x3f | FIXED(0));
		fits = pmu_assign(masks, n, index);
		if (fits)
			check_valid(masks, n, index);
		if (fits || is_nested)
			assert_int_equal(fits, feasible(masks, n, 0));
	}
}

static void test_bits(void **state)
{
	(void)state;
	assert_int_equal(bits_count(0), 0);
	assert_int_equal(bits_count(UINT64_MAX), 64);
	assert_int_equal(bits_count(0x8000000100000001), 3);
	assert_int_equal(bits_first(1ull << 47), 47);
	assert_true(bits_low(64) == UINT64_MAX && bits_low(48) == 0xffffffffffff && !bits_low(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_bits),
	};

	return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
