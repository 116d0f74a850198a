// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench_ring.c - the cost of a record of 48 bytes in a ring, on the host: ns for writing and
 * reading it. The written words come from registers, as in an overflow handler. Copying data that
 * was just stored would measure the forwarding of stores to loads of another width. The perf ring
 * takes one record at a time; other rings get them in bulk, which suits them better.
 */
#include "tests/bench/bench_host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rb/rb.h"

#define PAGES 64 /* of the ring */
#define TYPE  9  /* PERF_RECORD_SAMPLE */

static uint8_t storage[(1 + PAGES) * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static struct rb ring;

static void begin_ours(void)
{
	rb_init(&ring, storage, PAGES);
}

static inline bool put_numbered(uint64_t n)
{
	struct rb_writer w;

	if (!rb_begin(&w, &ring, BENCH_RECORD))
		return false;
	rb_put(&w, TYPE | (uint64_t)BENCH_RECORD << 48);
	rb_put(&w, n);
	rb_put(&w, n + 1);
	rb_put(&w, n + 2);
	rb_put(&w, n + 3);
	rb_put(&w, n + 4);
	rb_end(&w);
	return true;
}

static unsigned put_ours(uint64_t first, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!put_numbered(first + i))
			return i;
	return n;
}

/* The sum of their numbers reveals a missing or repeated record. */
static unsigned take_ours(uint64_t first, unsigned most)
{
	static uint8_t out[16384];
	const size_t room = most * (size_t)BENCH_RECORD;
	uint64_t n = rb_read(&ring, out, room < sizeof(out) ? room : sizeof(out)) / BENCH_RECORD;
	uint64_t sum = 0, number;

	for (uint64_t i = 0; i < n; i++) {
		memcpy(&number, out + i * BENCH_RECORD + 8, sizeof(number));
		sum += number - first;
	}
	if (sum != n * (n - 1) / 2)
		abort();
	return (unsigned)n;
}

static unsigned used_ours(void)
{
	return (unsigned)(rb_used(&ring) / BENCH_RECORD);
}

const struct bench_ring bench_ours = {
	.what = "ours", .begin = begin_ours, .put = put_ours, .take = take_ours, .used = used_ours};

/* --- One core --- */

double ring_one_core_window(const struct bench_ring *r)
{
	const unsigned batch = 5 * BENCH_BULK, batches = 20;
	uint64_t n = 0;
	double start;

	r->begin();
	start = bench_ns();
	for (unsigned i = 0; i < batches; i++) {
		if (r->put(n, batch) != batch)
			abort();
		for (unsigned got = 0; got < batch;)
			got += r->take(n + got, batch - got);
		n += batch;
	}
	return (bench_ns() - start) / (batch * batches);
}

/* --- Two cores --- */

#define TOTAL   100000u /* records of a window */
#define PART    5000u   /* records of a part of it, short enough for most not to be disturbed */
#define PARTS   (TOTAL / PART)
#define AT_ONCE 340 /* records that a reader takes at once */

static void *write_all_records(void *ring_arg)
{
	const struct bench_ring *r = ring_arg;

	for (uint64_t n = 0; n < TOTAL;) {
		const unsigned left = (unsigned)(TOTAL - n);
		const unsigned done = r->put(n, left < BENCH_BULK ? left : BENCH_BULK);

		n += done;
		if (!done)
			__builtin_ia32_pause();
	}
	return NULL;
}

/* Looks rarely: each look takes the writer's line away from it. */
static void wait_for_records(const struct bench_ring *r, uint64_t wanted)
{
	while (r->used() < wanted)
		for (unsigned i = 0; i < 32; i++)
			__builtin_ia32_pause();
}

/*
 * Parts begin with an almost empty ring: each record is written and read in the same part. A
 * quarter of the parts took less than the result: others may have waited for a CPU. 0: no part
 * began.
 */
double ring_two_cores_window(const struct bench_ring *r)
{
	static double parts[PARTS];
	uint64_t n = 0, first = 0;
	double start = 0;
	unsigned nparts = 0;
	bool is_open = false;
	pthread_t thread;

	r->begin();
	if (pthread_create(&thread, NULL, write_all_records, (void *)r))
		abort();
	while (n < TOTAL) {
		wait_for_records(r, TOTAL - n < AT_ONCE ? TOTAL - n : AT_ONCE);
		n += r->take(n, AT_ONCE);
		if (is_open && n - first >= PART) {
			parts[nparts++] = (bench_ns() - start) / (double)(n - first);
			is_open = false;
		}
		if (!is_open && nparts < PARTS && r->used() < AT_ONCE / 4) {
			first = n;
			start = bench_ns();
			is_open = true;
		}
	}
	pthread_join(thread, NULL);
	bench_median(parts, nparts);
	return nparts ? parts[nparts / 4] : 0;
}

/* --- The limit --- */

double ring_copy_window(void)
{
	static uint8_t from[BENCH_RECORD];
	const unsigned copies = 2 * RB_PAGE_SIZE / BENCH_RECORD, passes = 100;
	double start = bench_ns();

	for (unsigned i = 0; i < passes; i++)
		for (unsigned j = 0; j < copies; j++) {
			memcpy(storage + j * BENCH_RECORD, from, BENCH_RECORD);
			bench_use(storage);
		}
	return (bench_ns() - start) / (copies * passes);
}
