// SPDX-License-Identifier: BSD-2-Clause
/*
 * alone_clock.c - a program for Linux that compares its TSC with vpmu's number of executed
 * instructions, after each of many exits. It prints by how many ticks most exits moved the TSC
 * relative to the instructions: 0 if the TSC counts instructions alone. Then it prints how late
 * vpmu noticed overflows.
 */
#include <stdint.h>
#include <stdio.h>

#define VPMU_LEAF         0x4fff0000u
#define VPMU_INSTRUCTIONS 1u
#define VPMU_SKID         3u
#define PAIRS             1000

/* The same code reads both each time, so that their distance is the same. */
static void read_both(uint64_t *tsc, uint64_t *instructions)
{
	uint32_t a, b, c = VPMU_INSTRUCTIONS, d, low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	__asm__ volatile("cpuid" : "=a"(a), "=b"(b), "+c"(c), "=d"(d) : "0"(VPMU_LEAF));
	*tsc = (uint64_t)high << 32 | low;
	*instructions = ((uint64_t)b << 32 | a) + ((uint64_t)d << 32 | c);
}

/* All instructions take the same time: the least of any pair of readings. */
static uint64_t ticks_of_instruction(void)
{
	uint64_t tsc[2], n[2], least = UINT64_MAX;

	for (int i = 0; i < PAIRS; i++) {
		uint32_t low, high;

		__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
		tsc[0] = (uint64_t)high << 32 | low;
		__asm__ volatile(".rept 100\nnop\n.endr\nrdtsc" : "=a"(low), "=d"(high));
		tsc[1] = (uint64_t)high << 32 | low;
		n[0] = (tsc[1] - tsc[0]) / 100;
		least = n[0] < least ? n[0] : least;
	}
	return least;
}

/* Returns how late overflows were at most so far, in instructions. */
static uint32_t largest_skid(void)
{
	uint32_t a, b, c = VPMU_SKID, d;

	__asm__ volatile("cpuid" : "=a"(a), "=b"(b), "+c"(c), "=d"(d) : "0"(VPMU_LEAF));
	return a;
}

int main(void)
{
	static int64_t moved[PAIRS];
	const uint64_t ticks = ticks_of_instruction();
	uint64_t tsc, instructions, tsc_then, instructions_then;
	int best = 0, which = 0;

	read_both(&tsc_then, &instructions_then);
	for (int i = 0; i < PAIRS; i++) {
		read_both(&tsc, &instructions);
		moved[i] = (int64_t)(tsc - tsc_then - (instructions - instructions_then) * ticks);
		tsc_then = tsc;
		instructions_then = instructions;
	}
	for (int i = 0; i < PAIRS; i++) {
		int same = 0;

		for (int k = 0; k < PAIRS; k++)
			same += moved[k] == moved[i];
		which = same > best ? i : which;
		best = same > best ? same : best;
	}
	printf("%lu ticks an instruction; %ld more by most exits\n", (unsigned long)ticks,
	       (long)moved[which]);
	printf("overflows were %u instructions late at most\n", largest_skid());
	return best < PAIRS / 2;
}
