// SPDX-License-Identifier: BSD-2-Clause
/*
 * caches.c - a mix of programs that miss caches: a matrix multiplication whose inner loop strides,
 * a transposition, a list walked in random order, sorting. Each run executes the same instructions;
 * an argument sets the number of rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/linux/large.h"

#define N        56  /* multiplication */
#define M        160 /* transposition */
#define ELEMENTS 12000

struct element {
	struct element *next;
	uint64_t value;
	char rest[48];
};
static struct data {
	double a[N][N], b[N][N], c[N][N];
	double from[M][M], to[M][M];
	struct element list[ELEMENTS] __attribute__((aligned(64)));
	uint32_t order[ELEMENTS], numbers[4000];
} * data;
static uint32_t seed = 1;

static uint32_t lcg_next(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				data->c[i][j] += data->a[i][k] * data->b[k][j];
}

static void transpose(void)
{
	for (int i = 0; i < M; i++)
		for (int j = 0; j < M; j++)
			data->to[j][i] = data->from[i][j] + 1;
}

/* A list through all elements, in an order without a rule. */
static uint64_t walk(void)
{
	struct element *list = data->list, *e = list;
	uint32_t *order = data->order;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < ELEMENTS; i++) {
		const uint32_t j = lcg_next() % (i + 1);

		order[i] = order[j];
		order[j] = i;
	}
	for (uint32_t i = 0; i < ELEMENTS; i++)
		list[order[i]].next = &list[order[(i + 1) % ELEMENTS]];
	for (uint32_t i = 0; i < 2 * ELEMENTS; i++, e = e->next)
		sum += e->value++;
	return sum;
}

/* Without the C library: its copying depends on the CPU. */
static void sort(uint32_t *numbers, size_t n)
{
	for (size_t gap = n / 2; gap; gap /= 2)
		for (size_t i = gap; i < n; i++) {
			const uint32_t x = numbers[i];
			size_t j = i;

			for (; j >= gap && numbers[j - gap] > x; j -= gap)
				numbers[j] = numbers[j - gap];
			numbers[j] = x;
		}
}

static uint64_t go_round(void)
{
	const size_t n = sizeof(data->numbers) / sizeof(data->numbers[0]);
	uint64_t sum;

	seed = 1;
	for (size_t i = 0; i < n; i++)
		data->numbers[i] = lcg_next();
	multiply();
	transpose();
	sum = walk();
	sort(data->numbers, n);
	return sum + data->numbers[100];
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;

	data = large_memory(sizeof(*data));
	for (int left = argc > 1 ? atoi(argv[1]) : 1; left; left--)
		sum += go_round();
	/* The same words, however often. */
	puts(sum && data->c[1][1] + data->to[1][1] > 0 ? "done" : "wrong");
	return 0;
}
