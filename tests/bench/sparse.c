// SPDX-License-Identifier: BSD-2-Clause
/*
 * sparse.c - a program for the bench that misses the last level about once in 1000 instructions. It
 * repeats N times: 2000 instructions that stay in the first level, and then a line that no cache
 * has, together with the next one, which the prefetcher loads.
 */
#include <stdint.h>
#include <stdlib.h>

#define WORDS (4u << 20) /* 32 MiB */
#define TURNS 220        /* of nine instructions */

static uint64_t words[WORDS];

int main(int argc, char **argv)
{
	uint64_t random = 1, sum = 0;

	for (long n = argc > 1 ? atol(argv[1]) : 1000; n; n--) {
		for (int i = 0; i < TURNS; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			sum += random >> 33 & 1 ? random : sum >> 3;
		}
		sum += words[(random >> 20) % WORDS]++;
	}
	return !sum;
}
