// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench_ring.c - the cost of a record of 48 bytes in the perf ring, on the host: ns for writing and
 * reading it. The written words come from registers, as in an overflow handler. Copying data that
 * was just stored would measure the forwarding of stores to loads of another width.
 */
#include "tests/bench/bench_host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rb/rb.h"

#define SIZE  48
#define PAGES 64 /* of the largest ring here */
#define TYPE  9  /* PERF_RECORD_SAMPLE */

static uint8_t storage[(1 + PAGES) * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb ring;

static inline bool put_numbered(uint64_t n)
{
	struct rb_writer w;

	if (!rb_begin(&w, &ring, SIZE))
		return false;
	rb_put(&w, TYPE | (uint64_t)SIZE << 48);
	rb_put(&w, n);
	rb_put(&w, n + 1);
	rb_put(&w, n + 2);
	rb_put(&w, n + 3);
	rb_put(&w, n + 4);
	rb_end(&w);
	return true;
}

/*
 * Reads all records, the first of which has number `first`. Returns how many there were. The sum of
 * their numbers reveals a missing or repeated record.
 */
static uint64_t read_and_sum(uint64_t first)
{
	static uint8_t out[16384];
	uint64_t n = rb_read(&ring, out, sizeof(out)) / SIZE, sum = 0, number;

	for (uint64_t i = 0; i < n; i++) {
		memcpy(&number, out + i * SIZE + 8, sizeof(number));
		sum += number - first;
	}
	if (sum != n * (n - 1) / 2)
		abort();
	return n;
}

double ring_one_core(void)
{
	const unsigned batch = 160, batches = 20;
	double best = 1e18;

	rb_init(&ring, storage, 2);
	for (uint64_t round = 0, n = 0; round < 10000; round++) {
		double start = bench_ns(), each;

		for (unsigned i = 0; i < batches; i++) {
			for (unsigned j = 0; j < batch; j++)
				if (!put_numbered(n + j))
					abort();
			if (read_and_sum(n) != batch)
				abort();
			n += batch;
		}
		each = (bench_ns() - start) / (batch * batches);
		best = each < best ? each : best;
	}
	return best;
}

#define BATCH  16384
#define WINDOW 5000ul /* records: a ring full, and short enough for some not to be disturbed */
#define TOTAL  40000000ul

static void *writer(void *arg)
{
	(void)arg;
	for (uint64_t n = 0; n < TOTAL;)
		if (put_numbered(n))
			n++;
		else
			__builtin_ia32_pause();
	return NULL;
}

/* Reads data_head rarely: each read takes its line away from the writer. */
static void wait_for_bytes(uint64_t bytes)
{
	while (rb_used(&ring) < bytes)
		for (unsigned i = 0; i < 32; i++)
			__builtin_ia32_pause();
}

/* Windows begin with an almost empty ring: each record is written and read in the same window. */
double ring_two_cores(void)
{
	double best = 1e18, start = 0, each;
	uint64_t n = 0, first = 0;
	bool open = false;
	pthread_t thread;

	rb_init(&ring, storage, PAGES);
	if (pthread_create(&thread, NULL, writer, NULL))
		abort();
	while (n < TOTAL) {
		wait_for_bytes(n + BATCH / SIZE < TOTAL ? BATCH : SIZE);
		n += read_and_sum(n);
		if (open && n - first >= WINDOW) {
			each = (bench_ns() - start) / (double)(n - first);
			best = each < best ? each : best;
			open = false;
		}
		if (!open && rb_used(&ring) < BATCH / 4) {
			first = n;
			start = bench_ns();
			open = true;
		}
	}
	pthread_join(thread, NULL);
	return best;
}

/* The limit: copies a record to the next place of a buffer as large as the ring. */
double ring_copy_limit(void)
{
	static uint8_t from[SIZE];
	const unsigned copies = 2 * RB_PAGE_SIZE / SIZE, passes = 100;
	double best = 1e18;

	for (unsigned round = 0; round < 2000; round++) {
		double start = bench_ns(), each;

		for (unsigned i = 0; i < passes; i++)
			for (unsigned j = 0; j < copies; j++) {
				memcpy(storage + j * SIZE, from, SIZE);
				bench_use(storage);
			}
		each = (bench_ns() - start) / (copies * passes);
		best = each < best ? each : best;
	}
	return best;
}
