/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact.h - 128-bit integers without library calls, which the image lacks. Divisions must have no
 * remainder. Pure functions, any context.
 */
#ifndef PMU_SCHED_EXACT_H
#define PMU_SCHED_EXACT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 exact_t;
__extension__ typedef unsigned __int128 uexact_t;

static inline unsigned exact_trailing_zeros(uexact_t a)
{
	return (uint64_t)a ? (unsigned)__builtin_ctzll((uint64_t)a)
			   : 64 + (unsigned)__builtin_ctzll((uint64_t)(a >> 64));
}

/* exact_inverse() - the multiplicative inverse of `odd` modulo 2^128. */
static inline uexact_t exact_inverse(uexact_t odd)
{
	uexact_t x = odd * 3 ^ 2; /* correct in 5 bits; each round doubles that */

	for (unsigned bits = 5; bits < 128; bits *= 2)
		x *= 2 - odd * x;
	return x;
}

/* exact_divide() - a / b, where b > 0 divides a. */
static inline exact_t exact_divide(exact_t a, uexact_t b)
{
	unsigned zeros = exact_trailing_zeros(b);

	return (exact_t)((uexact_t)(a >> zeros) * exact_inverse(b >> zeros));
}

/* exact_gcd() - the greatest common divisor; either may be 0. */
static inline uexact_t exact_gcd(uexact_t a, uexact_t b)
{
	unsigned zeros;

	if (!a || !b)
		return a | b;
	zeros = exact_trailing_zeros(a | b);
	a >>= exact_trailing_zeros(a);
	while (b) {
		b >>= exact_trailing_zeros(b);
		if (a > b) {
			uexact_t t = a;

			a = b;
			b = t;
		}
		b -= a;
	}
	return a << zeros;
}

/* exact_less() - true where a / b < c / d; a, c from 0 to 2^126, b, d above 0. */
static inline bool exact_less(exact_t a, uint64_t b, exact_t c, uint64_t d)
{
	uexact_t left = (uexact_t)(uint64_t)a * d, right = (uexact_t)(uint64_t)c * b;
	uexact_t left_high = ((uexact_t)a >> 64) * d + (left >> 64);
	uexact_t right_high = ((uexact_t)c >> 64) * b + (right >> 64);

	return left_high != right_high ? left_high < right_high : (uint64_t)left < (uint64_t)right;
}

#endif
