/* SPDX-License-Identifier: BSD-2-Clause */
/* math.h - integer arithmetic for which the images have no library. Any context. */
#ifndef LIB_MATH_H
#define LIB_MATH_H

#include <stdint.h>

/* least_of(), most_of() - the smaller and the larger of two numbers. */
static inline uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t most_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* div_128() - (high * 2^64 + low) / d, rounded down; high < d, or the CPU raises #DE. */
static inline uint64_t div_128(uint64_t high, uint64_t low, uint64_t d)
{
	uint64_t quotient;

	__asm__("divq %3" : "=a"(quotient), "+d"(high) : "0"(low), "rm"(d) : "cc");
	return quotient;
}

/* div_wide() - n / d, rounded down; d is not 0. A plain 128-bit division would call a library. */
static inline unsigned __int128 div_wide(unsigned __int128 n, uint64_t d)
{
	uint64_t high = (uint64_t)(n >> 64);

	return (unsigned __int128)(high / d) << 64 | div_128(high % d, (uint64_t)n, d);
}

/* mul_div() - a * b / c with a 128-bit product, rounded down; UINT64_MAX where it does not fit. */
uint64_t mul_div(uint64_t a, uint64_t b, uint64_t c);

/* int_sqrt() - the largest r with r * r <= n. */
uint64_t int_sqrt(uint64_t n);

#endif
