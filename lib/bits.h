/* SPDX-License-Identifier: BSD-2-Clause */
/* bits.h - operations on counter masks that need no library call. Pure functions, any context. */
#ifndef LIB_BITS_H
#define LIB_BITS_H

#include <stdint.h>

/* bits_low() - the lowest n bits, n up to 64. */
static inline uint64_t bits_low(unsigned n)
{
	return n < 64 ? (1ull << n) - 1 : UINT64_MAX;
}

/* bits_first() - the number of the lowest set bit; `mask` must not be 0. */
static inline unsigned bits_first(uint64_t mask)
{
	return (unsigned)__builtin_ctzll(mask);
}

/* bits_last() - the number of the highest set bit; `mask` must not be 0. */
static inline unsigned bits_last(uint64_t mask)
{
	return 63 - (unsigned)__builtin_clzll(mask);
}

/* bits_length() - the number of bits up to the highest set one; 0 for an empty mask. */
static inline unsigned bits_length(uint64_t mask)
{
	return mask ? bits_last(mask) + 1 : 0;
}

static inline unsigned bits_count(uint64_t mask)
{
	mask -= mask >> 1 & 0x5555555555555555;
	mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333);
	mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0f;
	return (unsigned)(mask * 0x0101010101010101 >> 56);
}

/* bits_to_number() - the least number of bits that can number `n` things from 0 on, at most 31. */
static inline unsigned bits_to_number(uint32_t n)
{
	unsigned bits = 0;

	while (bits < 31 && 1u << bits < n)
		bits++;
	return bits;
}

#endif
