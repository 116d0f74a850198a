// SPDX-License-Identifier: BSD-2-Clause
/*
 * caches.c - a little of all that misses caches: a matrix multiplication whose inner loop strides,
 * a transposition, a list walked in random order, sorting. The same instructions in each run.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N        56  /* multiplication */
#define M        160 /* transposition */
#define ELEMENTS 12000

static double a[N][N], b[N][N], c[N][N];
static double from[M][M], to[M][M];
static struct element {
	struct element *next;
	uint64_t value;
	char rest[48];
} list[ELEMENTS];
static uint32_t seed = 1;

static uint32_t any(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
}

static void transpose(void)
{
	for (int i = 0; i < M; i++)
		for (int j = 0; j < M; j++)
			to[j][i] = from[i][j] + 1;
}

/* A list through all elements, in an order without a rule. */
static uint64_t walk(void)
{
	static uint32_t order[ELEMENTS];
	uint64_t sum = 0;
	struct element *e = list;

	for (uint32_t i = 0; i < ELEMENTS; i++) {
		const uint32_t j = any() % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (uint32_t i = 0; i < ELEMENTS; i++)
		list[order[i]].next = &list[order[(i + 1) % ELEMENTS]];
	for (uint32_t i = 0; i < 2 * ELEMENTS; i++, e = e->next)
		sum += e->value++;
	return sum;
}

static int compare(const void *x, const void *y)
{
	const uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;

	return (p > q) - (p < q);
}

int main(void)
{
	static uint32_t numbers[4000];
	uint64_t sum;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		numbers[i] = any();
	multiply();
	transpose();
	sum = walk();
	qsort(numbers, sizeof(numbers) / sizeof(*numbers), sizeof(*numbers), compare);
	printf("%llu %u %.0f\n", (unsigned long long)sum, numbers[100], c[1][1] + to[1][1]);
	return 0;
}
