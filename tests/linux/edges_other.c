// SPDX-License-Identifier: BSD-2-Clause
/* edges_other.c - see edges.c. */
static unsigned __attribute__((noinline)) work(unsigned n)
{
	return n & 1 ? n * 7 : n / 3;
}

unsigned other(unsigned n)
{
	return work(n) + work(n + 1) + 1;
}
