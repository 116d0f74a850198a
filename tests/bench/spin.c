// SPDX-License-Identifier: BSD-2-Clause
/* spin.c - computes for a while, and prints how many seconds that took by the machine's clock. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const double began = seconds();
	volatile uint64_t sink = 0;

	if (argc != 2)
		return 2;
	for (uint64_t n = strtoull(argv[1], NULL, 10); n; n--)
		sink = sink * 3 + n;
	printf("spin %.6f\n", seconds() - began);
	return 0;
}
