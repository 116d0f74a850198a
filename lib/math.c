// SPDX-License-Identifier: BSD-2-Clause
/* math.c - see math.h. */
#include "lib/math.h"

uint64_t mul_div(uint64_t a, uint64_t b, uint64_t c)
{
	unsigned __int128 product = (unsigned __int128)a * b;
	uint64_t high = (uint64_t)(product >> 64);

	return high < c ? div_128(high, (uint64_t)product, c) : UINT64_MAX;
}

uint64_t int_sqrt(uint64_t n)
{
	uint64_t root = 0;

	for (uint64_t bit = 1ull << 31; bit; bit >>= 1)
		if ((root + bit) * (root + bit) <= n)
			root += bit;
	return root;
}
