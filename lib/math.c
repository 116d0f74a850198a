// SPDX-License-Identifier: BSD-2-Clause
/* math.c - plain schoolbook: nothing here is on a hot path. */
#include "lib/math.h"

uint64_t mul_div(uint64_t a, uint64_t b, uint64_t c)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;

	if (high >= c)
		return UINT64_MAX;
	/* Long division, a bit at a time: high is the remainder, low turns into the quotient. */
	for (int i = 0; i < 64; i++) {
		uint64_t carry = high >> 63;

		high = high << 1 | low >> 63;
		low <<= 1;
		if (carry || high >= c) {
			high -= c;
			low |= 1;
		}
	}
	return low;
}

uint64_t int_sqrt(uint64_t n)
{
	uint64_t root = 0;

	for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= n)
			root += bit;
	return root;
}
