/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_host.h - the rows of build/bench. Each function returns the ns of the fastest of several
 * rounds, which the host disturbed least.
 */
#ifndef TESTS_BENCH_BENCH_HOST_H
#define TESTS_BENCH_BENCH_HOST_H

#include <time.h>

static inline double bench_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* bench_use() - makes the compiler treat the value as read. */
static inline void bench_use(const void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

/* bench_ring.c */
double ring_one_core(void);
double ring_two_cores(void);
double ring_copy_limit(void);

#endif
