// SPDX-License-Identifier: BSD-2-Clause
/* bench_rte.c - DPDK's ring beside ours, where libdpdk-dev is installed: bulks of 32 records, one
 * producer and one consumer. Only its headers are used: the ring lies in static memory. */
#include "tests/bench/bench_host.h"

#include <rte_ring.h>
#include <rte_ring_elem.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 4096

static struct {
	struct rte_ring ring;
	uint8_t slots[SLOTS * BENCH_RECORD];
} rte __attribute__((aligned(128)));

static void begin_rte(void)
{
	memset(&rte.ring, 0, sizeof(rte.ring));
	rte.ring.size = SLOTS;
	rte.ring.mask = SLOTS - 1;
	rte.ring.capacity = SLOTS - 1;
	rte.ring.prod.sync_type = RTE_RING_SYNC_ST;
	rte.ring.cons.sync_type = RTE_RING_SYNC_ST;
}

static unsigned put_rte(uint64_t first, unsigned n)
{
	uint64_t bulk[BENCH_BULK][BENCH_RECORD / 8];
	unsigned done = 0;

	while (done < n) {
		const unsigned part = n - done < BENCH_BULK ? n - done : BENCH_BULK;

		for (unsigned i = 0; i < part; i++)
			for (unsigned k = 0; k < BENCH_RECORD / 8; k++)
				bulk[i][k] = first + done + i + k;
		if (!rte_ring_sp_enqueue_bulk_elem(&rte.ring, bulk, BENCH_RECORD, part, NULL))
			break;
		done += part;
	}
	return done;
}

static unsigned take_rte(uint64_t first, unsigned most)
{
	uint64_t bulk[BENCH_BULK][BENCH_RECORD / 8];
	unsigned done = 0, n;

	do {
		const unsigned part = most - done < BENCH_BULK ? most - done : BENCH_BULK;

		n = rte_ring_sc_dequeue_burst_elem(&rte.ring, bulk, BENCH_RECORD, part, NULL);
		for (unsigned i = 0; i < n; i++)
			if (bulk[i][0] != first + done + i)
				abort();
		done += n;
	} while (n && done < most);
	return done;
}

static unsigned used_rte(void)
{
	return rte_ring_count(&rte.ring);
}

static const struct bench_ring rte_rows = {
	.what = "rte", .begin = begin_rte, .put = put_rte, .take = take_rte, .used = used_rte};
const struct bench_ring *const bench_rte = &rte_rows;
