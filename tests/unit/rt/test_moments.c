// SPDX-License-Identifier: BSD-2-Clause
/* test_moments.c - mean and spread without storing values, compared with the textbook formulas. */
#include "apps/portable/moments.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/test.h"

static struct moments of(const uint64_t *values, unsigned n)
{
	struct moments m = {0};

	for (unsigned i = 0; i < n; i++)
		moments_add(&m, values[i]);
	return m;
}

TEST(test_by_hand)
{
	const uint64_t same[] = {7, 7, 7}, pair[] = {90, 110}, large[] = {9ull << 50, 11ull << 50};
	const uint64_t down[] = {10, 9, 9}, ends[] = {0, UINT64_MAX};
	struct moments none = {0}, m = of(same, 3);

	assert_int_equal(moments_mean(&none), 0);
	assert_int_equal(moments_spread(&none), 0);
	assert_false(moments_identical(&none));
	assert_int_equal(moments_mean(&m), 7);
	assert_int_equal(moments_spread(&m), 0);
	assert_true(moments_identical(&m));
	m = of(pair, 1);
	assert_false(moments_identical(&m));
	assert_int_equal(moments_spread(&m), 0);
	/* The standard deviation is sqrt(200), that of the mean sqrt(100): 10 of 100. */
	m = of(pair, 2);
	assert_int_equal(moments_mean(&m), 100);
	assert_int_equal(moments_spread(&m), 1000);
	m = of(large, 2);
	assert_int_equal(moments_mean(&m), 10ull << 50);
	assert_int_equal(moments_spread(&m), 1000);
	m = of(down, 3);
	assert_int_equal(moments_mean(&m), 9);
	m = of(ends, 2);
	assert_in_range(moments_mean(&m), INT64_MAX - 4096, INT64_MAX);
	assert_in_range(moments_spread(&m), 9999, 10001);
}

/* For values of any size the results agree with long double's. */
static void check_random(unsigned bits, unsigned n)
{
	long double sum = 0, squares = 0, mean, spread;
	uint64_t *values = calloc(n, sizeof(*values));
	struct moments m;

	for (unsigned i = 0; i < n; i++) {
		values[i] = ((uint64_t)random() << 33 ^ (uint64_t)random() << 10 ^
			     (uint64_t)random()) >>
			    (64 - bits);
		sum += (long double)values[i];
	}
	mean = sum / n;
	for (unsigned i = 0; i < n; i++)
		squares += ((long double)values[i] - mean) * ((long double)values[i] - mean);
	spread = sqrtl(squares / (n - 1) / n) / roundl(mean) * 10000;
	m = of(values, n);
	assert_true(fabsl((long double)moments_mean(&m) - mean) <= 0.5001L + mean / (1ull << 40));
	if (fabsl((long double)moments_spread(&m) - spread) > 1 + spread / 1000)
		fail_msg("%u bits, %u values: %llu, wanted %Lf", bits, n,
			 (unsigned long long)moments_spread(&m), spread);
	free(values);
}

TEST(test_random)
{
	static const unsigned counts[] = {2, 3, 10, 1000, 100000};

	srandom(1);
	for (unsigned bits = 8; bits <= 64; bits += 7)
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
			check_random(bits, counts[i]);
}

/* Errors of equal values have one cause. Errors of values that differ as much average out. */
TEST(test_error_of_the_mean)
{
	const uint64_t same[] = {1000, 1000, 1000, 1000}, apart[] = {900, 1100, 900, 1100},
		       little[] = {9990, 10010, 9990, 10010};
	struct moments m = of(same, 1);

	assert_int_equal(moments_error(&m, 300), 300);
	m = of(same, 4);
	assert_int_equal(moments_error(&m, 300), 300);
	m = of(apart, 4);
	assert_int_equal(moments_error(&m, 300), 150);
	assert_int_equal(moments_error(&m, 0), 0);
	m = of(little, 4); /* 0.057 % is the spread: 300^2 - 3 * (2 * 5)^2 */
	assert_int_equal(moments_spread(&m), 5);
	assert_int_equal(moments_error(&m, 300), 299);
}
