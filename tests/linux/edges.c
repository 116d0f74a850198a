// SPDX-License-Identifier: BSD-2-Clause
/*
 * edges.c - branches whose counts are known: loops, a switch, calls by a pointer, and two static
 * functions of one name, of which edges_other.c has the other.
 */
#include <stdio.h>

#define ROUNDS 3000

unsigned other(unsigned n);

static volatile unsigned unlikely;

static unsigned __attribute__((noinline)) work(unsigned n)
{
	unsigned sum = 0;

	/* The compiler is told the opposite of what happens. */
	if (__builtin_expect(n % 16 != 1, 0))
		unlikely++;
	if (__builtin_expect(n % 32 != 1, 0))
		unlikely++;
	for (unsigned i = 0; i < n % 5; i++)
		sum += i * n;
	return sum;
}

/* Cold code that jumps back into hot code. */
static unsigned __attribute__((noinline)) choose(unsigned n, unsigned seed)
{
	switch (n % 8) {
	case 0:
		return seed + 3;
	case 1:
		seed ^= n;
		/* fall through */
	case 2:
		return seed * 5;
	case 3:
		return seed - n;
	case 4:
		return n == ROUNDS * 2 ? work(seed) : seed;
	case 5:
		return seed << 1;
	default:
		return seed | 1;
	}
}

int main(void)
{
	static unsigned (*const functions[])(unsigned) = {work, other};
	unsigned sum = 0;

	for (unsigned i = 0; i < ROUNDS; i++)
		sum = choose(i, sum + functions[i % 3 == 0](i));
	printf("%u\n", sum);
	return 0;
}
