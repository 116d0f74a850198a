/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_host.h - the rows of build/bench. Each row has a function that runs one short window, and
 * returns its ns for each operation. bench_host.c runs the windows of all rows in turn, and takes
 * medians, so that a host with other work disturbs all rows alike.
 */
#ifndef TESTS_BENCH_BENCH_HOST_H
#define TESTS_BENCH_BENCH_HOST_H

#include <stdint.h>
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

/* bench_median() - sorts the values; returns the median. */
double bench_median(double *values, unsigned n);

/*
 * A ring of records of 48 bytes, each with its number in front. `begin` empties it. `put` writes up
 * to `n` records, the first of which has number `first`; `take` reads up to `n`, and checks their
 * numbers. Both return how many. One writer and one reader, on one CPU or on two.
 */
#define BENCH_RECORD 48
#define BENCH_BULK   32
struct bench_ring {
	const char *what;
	void (*begin)(void);
	unsigned (*put)(uint64_t first, unsigned n);
	unsigned (*take)(uint64_t first, unsigned n);
	unsigned (*used)(void); /* records that wait for the reader */
};

/* NULL: its library was not installed when this was built (bench_rte.c, bench_ck.c). */
extern const struct bench_ring *const bench_rte __attribute__((weak));
extern const struct bench_ring *const bench_ck __attribute__((weak));

/* bench_ring.c: windows. ring_copy_window() is the limit: a copy of 48 bytes to the next place. */
extern const struct bench_ring bench_ours;
double ring_one_core_window(const struct bench_ring *ring);
double ring_two_cores_window(const struct bench_ring *ring);
double ring_copy_window(void);

#endif
