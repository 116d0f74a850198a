// SPDX-License-Identifier: BSD-2-Clause
/* timed_chain.c - a chain of 200,000 multiplications, timed by RDTSC and RDTSCP three times; then a
 * sleep of 3 ms, timed in ns. */
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static unsigned long long timed_chain(void)
{
	const unsigned long long from = __rdtsc();
	unsigned long x = 3;
	unsigned cpu;

	for (int i = 0; i < 100000; i++)
		__asm__ volatile("imul %0, %0\n\timul %0, %0" : "+r"(x));
	return __rdtscp(&cpu) - from;
}

static long long timed_sleep(void)
{
	const struct timespec three_ms = {0, 3000000};
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	nanosleep(&three_ms, NULL);
	clock_gettime(CLOCK_MONOTONIC, &to);
	return (to.tv_sec - from.tv_sec) * 1000000000ll + to.tv_nsec - from.tv_nsec;
}

int main(void)
{
	for (int i = 0; i < 3; i++)
		printf("chain %llu\n", timed_chain());
	printf("sleep %lld\n", timed_sleep());
	return 0;
}
