// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring.c - what a record of 48 bytes costs in the perf ring, on the host: ns for writing and
 * reading it. What is written comes from registers, as in an overflow handler: copying something
 * that was just stored would measure how stores are forwarded to loads of another width.
 */
#include "tests/bench/bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rb/rb.h"

#define SIZE      48
#define TYPE      9 /* PERF_RECORD_SAMPLE */
#define MAX_PAGES 256

static uint8_t storage[(1 + MAX_PAGES) * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb ring;

static bool put(uint64_t n)
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

/* Reads what is there. Each record's number must follow the last one's. Returns how many. */
static uint64_t take(uint64_t next)
{
	static uint8_t out[16384];
	uint64_t n, first = next, number;

	n = rb_read(&ring, out, sizeof(out));
	for (uint64_t at = 0; at < n; at += SIZE) {
		memcpy(&number, out + at + 8, sizeof(number));
		if (number != next++)
			abort();
	}
	return next - first;
}

double ring_one_core(void)
{
	const unsigned batch = 80, batches = 200;
	double best = 1e18;

	rb_init(&ring, storage, 2);
	for (uint64_t round = 0, n = 0; round < 2000; round++) {
		double start = bench_ns(), each;

		for (unsigned i = 0; i < batches; i++) {
			for (unsigned j = 0; j < batch; j++)
				if (!put(n + j))
					abort();
			if (take(n) != batch)
				abort();
			n += batch;
		}
		each = (bench_ns() - start) / (batch * batches);
		best = each < best ? each : best;
	}
	return best;
}

#define RECORDS 400000
#define BATCH   (16384 - 64)

static void *writer(void *arg)
{
	(void)arg;
	for (uint64_t n = 0; n < RECORDS;)
		if (put(n))
			n++;
		else
			__builtin_ia32_pause();
	return NULL;
}

/* From the first record that is there to the last one that was read. */
double ring_two_cores(void)
{
	double best = 1e18;

	for (unsigned round = 0; round < 40; round++) {
		pthread_t thread;
		double start, each;
		uint64_t n = 0;

		rb_init(&ring, storage, MAX_PAGES);
		if (pthread_create(&thread, NULL, writer, NULL))
			abort();
		while (!rb_used(&ring))
			__builtin_ia32_pause();
		start = bench_ns();
		while (n < RECORDS) {
			while (rb_used(&ring) < BATCH && n + BATCH / SIZE < RECORDS)
				__builtin_ia32_pause();
			n += take(n);
		}
		each = (bench_ns() - start) / RECORDS;
		best = each < best ? each : best;
		pthread_join(thread, NULL);
	}
	return best;
}

/* The limit: a record as it stands, into the next place of a buffer as large as the ring. */
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
