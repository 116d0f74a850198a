// SPDX-License-Identifier: BSD-2-Clause
/*
 * chase.c - follows pointers through memory in an order that no prefetcher guesses: each load waits
 * for the one before it.
 *
 * The chain visits all cache lines once: line i links to line (a * i + c) mod n, n a power of two,
 * which has full period when a mod 4 = 1 and c is odd (Hull and Dobell).
 */
#include "apps/workloads/crt.h"

#define LINE_BYTES 64
#define MULTIPLIER 5
#define INCREMENT  12347

static void **link_lines(uint64_t lines)
{
	char *heap = (char *)WORKLOAD_HEAP;

	for (uint64_t i = 0; i < lines; i++) {
		uint64_t next = (MULTIPLIER * i + INCREMENT) & (lines - 1);

		*(void **)(heap + i * LINE_BYTES) = heap + next * LINE_BYTES;
	}
	return (void **)heap;
}

static void workload_chase(uint64_t steps, uint64_t kib)
{
	uint64_t lines = LINE_BYTES;
	void **p;

	while (2 * lines * LINE_BYTES <= kib << 10)
		lines *= 2;
	p = link_lines(lines);
	while (steps--)
		p = *(void *volatile *)p;
	__asm__ volatile("" : : "r"(p));
	linux_exit_group(0);
}

static const struct workload chase = {
	.name = "chase",
	.usage = "[N] [kib=SIZE]",
	.summary =
		"N dependent loads (1000000) over SIZE KiB (1024, rounded down to a power of two)",
	.entry = WORKLOAD_CODE(workload_chase),
	.params = {{"N", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX},
		   {"kib", WORKLOAD_NUMBER, 1024, 4, WORKLOAD_HEAP_BYTES >> 10}},
};
WORKLOAD_ENTRY(chase);
