// SPDX-License-Identifier: BSD-2-Clause
/* bench_ck.c - Concurrency Kit's ring beside ours, where libck-dev is installed: one record at a
 * time, one producer and one consumer. */
#include "tests/bench/bench_host.h"

#include <ck_ring.h>
#include <stdlib.h>

#define SLOTS 4096

struct ck_record {
	uint64_t words[BENCH_RECORD / 8];
};

CK_RING_PROTOTYPE(bench, ck_record)

static struct ck_ring ck;
static struct ck_record slots[SLOTS];

static void begin_ck(void)
{
	ck_ring_init(&ck, SLOTS);
}

static unsigned put_ck(uint64_t first, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const uint64_t k = first + i;
		const struct ck_record record = {{9, k, k + 1, k + 2, k + 3, k + 4}};

		if (!CK_RING_ENQUEUE_SPSC(bench, &ck, slots, (struct ck_record *)&record))
			return i;
	}
	return n;
}

static unsigned take_ck(uint64_t first, unsigned most)
{
	struct ck_record record;
	unsigned n = 0;

	for (; n < most && CK_RING_DEQUEUE_SPSC(bench, &ck, slots, &record); n++)
		if (record.words[1] != first + n)
			abort();
	return n;
}

static unsigned used_ck(void)
{
	return ck_ring_size(&ck);
}

static const struct bench_ring ck_rows = {
	.what = "ck", .begin = begin_ck, .put = put_ck, .take = take_ck, .used = used_ck};
const struct bench_ring *const bench_ck = &ck_rows;
