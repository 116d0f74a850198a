// SPDX-License-Identifier: BSD-2-Clause
/* requests.c - requests to Valgrind between calls of work(): parts, what is dropped, what is not
 * collected. toggled() is for --toggle-collect, and calls itself. */
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

static volatile unsigned long sum;

__attribute__((noinline)) static void work(int n)
{
	for (int i = 0; i < n; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) static void toggled(int n)
{
	work(n);
	if (n > 1)
		toggled(n - 1);
}

int main(int argc, char **argv)
{
	work(7);
	CALLGRIND_ZERO_STATS;
	work(100);
	CALLGRIND_TOGGLE_COLLECT;
	work(5000);
	CALLGRIND_TOGGLE_COLLECT;
	CALLGRIND_DUMP_STATS;
	work(10);
	CALLGRIND_STOP_INSTRUMENTATION;
	work(3000);
	CALLGRIND_START_INSTRUMENTATION;
	work(20);
	CALLGRIND_DUMP_STATS_AT("second");
	work(1);
	toggled(10);
	puts(getenv("REQUESTS_TEXT") ? getenv("REQUESTS_TEXT") : "no text");
	return argc > 1 ? atoi(argv[1]) : 0;
}
