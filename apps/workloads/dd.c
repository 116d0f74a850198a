// SPDX-License-Identifier: BSD-2-Clause
/* dd.c - copies blocks between two buffers, eight bytes at a time. */
#include "apps/workloads/crt.h"

#define BUFFER_BYTES (WORKLOAD_HEAP_BYTES / 2)

static void copy_block(uint64_t *dst, const uint64_t *src, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes / sizeof(*dst); i++) {
		dst[i] = src[i];
		__asm__ volatile("" : : : "memory"); /* stays a loop of loads and stores */
	}
}

static void workload_dd(uint64_t count, uint64_t bs)
{
	char *from = (char *)WORKLOAD_HEAP, *to = from + BUFFER_BYTES;
	uint64_t at = 0;

	while (count--) {
		copy_block((uint64_t *)(to + at), (const uint64_t *)(from + at), bs);
		at += bs;
		if (at + bs > BUFFER_BYTES)
			at = 0;
	}
	linux_exit_group(0);
}

static const struct workload dd = {
	.name = "dd",
	.usage = "[count=N] [bs=BYTES]",
	.summary = "copies N blocks (100000) of BYTES (512, a multiple of 8)",
	.entry = WORKLOAD_CODE(workload_dd),
	.params = {{"count", WORKLOAD_NUMBER, 100000, 0, UINT64_MAX},
		   {"bs", WORKLOAD_NUMBER, 512, 8, BUFFER_BYTES}},
};
WORKLOAD_ENTRY(dd);
