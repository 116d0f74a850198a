// SPDX-License-Identifier: BSD-2-Clause
/* test_real.c - numbers with a fraction: each operation gives the same bits as the FPU. */
#include "lib/real.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define ROUNDS 300000

static uint64_t seed = 1;

static uint64_t xorshift_64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static double as_double(struct real a)
{
	double d;

	memcpy(&d, &a, sizeof(d));
	return d;
}

static struct real as_real(double d)
{
	struct real a;

	memcpy(&a, &d, sizeof(a));
	return a;
}

static void assert_same(double expected, struct real got)
{
	const struct real bits = as_real(expected);

	if (isnan(expected))
		assert_true(real_is_nan(got));
	else
		assert_int_equal(bits.bits, got.bits);
}

/* Draws random bits, numbers near each other, whole numbers as counts are, and extreme numbers. */
static double random_number(void)
{
	static const double edges[] = {0.0,
				       -0.0,
				       1.0,
				       INFINITY,
				       -INFINITY,
				       NAN,
				       5e-324,
				       2.3e-308,
				       2.2250738585072014e-308,
				       1.7e308,
				       4503599627370497.0,
				       1.0 / 3};
	const uint64_t r = xorshift_64();

	switch (xorshift_64() % 5) {
	case 0:
		return edges[r % (sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return as_double((struct real){r});
	case 2:
		return as_double(
			(struct real){(r & ~(0x7ffull << 52)) | (1000 + xorshift_64() % 50) << 52});
	case 3:
		return (double)(r >> (xorshift_64() % 64));
	default:
		return -(double)(r % 1000) / 8;
	}
}

TEST(test_operations)
{
	for (int i = 0; i < ROUNDS; i++) {
		const double a = random_number(), b = random_number();
		const struct real p = as_real(a), q = as_real(b);

		assert_same(a + b, real_add(p, q));
		assert_same(a - b, real_subtract(p, q));
		assert_same(a * b, real_multiply(p, q));
		assert_same(a / b, real_divide(p, q));
		assert_same(sqrt(a), real_sqrt(p));
		assert_int_equal(a < b, real_less(p, q));
		assert_int_equal(a == b, real_equal(p, q));
		assert_int_equal(isfinite(a) != 0, real_is_finite(p));
		if (fabs(a) < 9e18)
			assert_int_equal((int64_t)a, real_to_integer(p));
	}
}

TEST(test_whole_numbers)
{
	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t n = xorshift_64() >> (xorshift_64() % 64);

		assert_same((double)n, real_of(n));
		assert_same((double)(int64_t)n, real_of_signed((int64_t)n));
		assert_same((double)n / 7.0, real_ratio(n, 7));
	}
	assert_true(real_is_nan(real_ratio(1, 0)));
	assert_int_equal(INT64_MAX, real_to_integer(as_real(1e30)));
	assert_int_equal(INT64_MIN, real_to_integer(as_real(-INFINITY)));
	assert_int_equal(0, real_to_integer(real_nan()));
}

TEST(test_printing)
{
	char expected[400], got[REAL_TEXT];

	for (int i = 0; i < ROUNDS / 5; i++) {
		const double a = random_number();
		const unsigned decimals = (unsigned)(xorshift_64() % 10);

		if (isnan(a))
			continue;
		snprintf(expected, sizeof(expected), "%.*f", (int)decimals, a);
		assert_string_equal(expected, real_print(got, as_real(a), decimals));
	}
	assert_string_equal("nan", real_print(got, real_nan(), 2));
}

TEST(test_reading)
{
	struct real a;

	for (int i = 0; i < ROUNDS / 5; i++) {
		char text[64];
		const int n = snprintf(
			text, sizeof(text), "%llu.%0*lluE%d",
			(unsigned long long)(xorshift_64() >> 24 >> (xorshift_64() % 40)),
			1 + (int)(xorshift_64() % 3), (unsigned long long)(xorshift_64() % 10),
			(int)(xorshift_64() % 40) - 20);

		assert_int_equal(n, real_read(&a, text, (size_t)n));
		assert_same(strtod(text, NULL), a);
	}
	assert_int_equal(3, real_read(&a, "1.5x", 4));
	assert_same(1.5, a);
	assert_int_equal(2, real_read(&a, "1.E", 3)); /* LIKWID's files have 1.E-06, and 1. */
	assert_int_equal(6, real_read(&a, "1.E-06", 6));
	assert_same(1e-6, a);
	assert_int_equal(1, real_read(&a, "0", 1));
	assert_int_equal(0, real_read(&a, ".", 1));
	assert_int_equal(0, real_read(&a, "", 0));
	assert_int_equal(0, real_read(&a, "12345678901234567890", 20));
	assert_int_equal(0, real_read(&a, "1e28", 4));
	assert_int_equal(0, real_read(&a, "1e-99999999999", 14));
}
