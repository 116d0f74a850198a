// SPDX-License-Identifier: BSD-2-Clause
/*
 * mixed.c - mixed ROUNDS: `make bench` compares emulators by this program. A round sorts, looks up
 * in a hash table, walks a list and multiplies matrices: branches that are hard to predict, calls,
 * pointers and floating point, some 13 million instructions in 1.4 MiB of memory.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N     (1u << 15)
#define SLOTS (4 * N)
#define SIDE  96u

struct node {
	struct node *next;
	uint32_t value;
};

static struct node nodes[N];
static uint32_t numbers[N], slots[SLOTS];
static double matrices[3][SIDE][SIDE];

static uint32_t next_random(void)
{
	static uint32_t x = 1;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

/* The heap below `n` is valid except for the number at `at`, which sinks to its place. */
static void sink_number(uint32_t at, uint32_t n)
{
	const uint32_t number = numbers[at];

	for (uint32_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
		if (child + 1 < n && numbers[child + 1] > numbers[child])
			child++;
		if (numbers[child] <= number)
			break;
		numbers[at] = numbers[child];
		at = child;
	}
	numbers[at] = number;
}

static void sort_numbers(void)
{
	for (uint32_t i = N / 2; i-- > 0;)
		sink_number(i, N);
	for (uint32_t i = N - 1; i > 0; i--) {
		const uint32_t most = numbers[0];

		numbers[0] = numbers[i];
		numbers[i] = most;
		sink_number(0, i);
	}
}

static void fill_numbers(void)
{
	for (uint32_t i = 0; i < N; i++)
		numbers[i] = next_random();
}

/* Open addressing; 0 is a free slot. Returns the number of occupied slots on the way. */
static uint32_t hash_numbers(void)
{
	uint32_t probes = 0;

	for (uint32_t i = 0; i < SLOTS; i++)
		slots[i] = 0;
	for (uint32_t i = 0; i < N; i++) {
		uint32_t at = numbers[i] * 2654435761u % SLOTS;

		for (; slots[at] && slots[at] != numbers[i]; at = (at + 1) % SLOTS)
			probes++;
		slots[at] = numbers[i];
	}
	return probes;
}

/* Each node leads to a random earlier one: the walk does not follow the order of memory. */
static uint32_t walk_list(void)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < N; i++) {
		nodes[i].next = i ? &nodes[numbers[i] % i] : NULL;
		nodes[i].value = numbers[i];
	}
	for (uint32_t i = 0; i < N; i++)
		for (const struct node *n = &nodes[i]; n; n = n->next)
			sum += n->value;
	return sum;
}

static double multiply_matrices(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < SIDE * SIDE; i++) {
		matrices[0][i / SIDE][i % SIDE] = numbers[i] % 1000;
		matrices[1][i / SIDE][i % SIDE] = numbers[i] / 1000 % 1000;
	}
	for (uint32_t i = 0; i < SIDE; i++)
		for (uint32_t j = 0; j < SIDE; j++) {
			double cell = 0;

			for (uint32_t k = 0; k < SIDE; k++)
				cell += matrices[0][i][k] * matrices[1][k][j];
			sum += matrices[2][i][j] = cell;
		}
	return sum;
}

int main(int argc, char **argv)
{
	const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	double product = 0;
	uint32_t sum = 0;

	for (unsigned long i = 0; i < rounds; i++) {
		fill_numbers();
		sum += hash_numbers() + walk_list();
		product += multiply_matrices();
		sort_numbers();
		sum = sum * 31 + numbers[N / 2];
	}
	printf("%u %.0f\n", sum, product);
	return 0;
}
