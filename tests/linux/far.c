// SPDX-License-Identifier: BSD-2-Clause
/*
 * far.c - far ROUNDS: the memory-bound program of `make bench`. A round follows a million
 * links through 64 MiB in an order that no prefetcher guesses, changes the words there, and sums up
 * an array of a million words.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES (1u << 20)
#define STEPS 1000000u

struct line {
	uint32_t next, times;
	uint64_t words[7];
};

static struct line lines[LINES];

/* Full period: Hull and Dobell. */
static void link_lines(void)
{
	for (uint32_t i = 0; i < LINES; i++)
		lines[i].next = (i * 5 + 12347) % LINES;
}

static uint64_t run_round(uint32_t *at)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < STEPS; i++) {
		lines[*at].times++;
		*at = lines[*at].next;
	}
	for (uint32_t i = 0; i < STEPS / 8; i++)
		for (uint32_t k = 0; k < 7; k++)
			sum += lines[i].words[k] + lines[i].times;
	return sum;
}

int main(int argc, char **argv)
{
	const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	uint64_t sum = 0;
	uint32_t at = 0;

	link_lines();
	for (unsigned long i = 0; i < rounds; i++)
		sum = sum * 31 + run_round(&at);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
