// SPDX-License-Identifier: BSD-2-Clause
/*
 * selfread.c - reads the events that are shared with it by their control pages, and keeps what it
 * read in its heap, one after the other. For tests and the bench, which share some: no workload of
 * its own.
 */
#include "apps/workloads/crt.h"

#include "include/perf0/selfread.h"

void workload_selfread(uint64_t reads, uint64_t events);

static const volatile struct perf_event_mmap_page *page(uint64_t i)
{
	return (const void *)(WORKLOAD_EVENTS + i * 4096);
}

void workload_selfread(uint64_t reads, uint64_t events)
{
	struct selfread *out = (struct selfread *)WORKLOAD_HEAP;

	for (uint64_t i = 0; i < reads; i++)
		for (uint64_t e = 0; e < events; e++)
			*out++ = selfread_all(page(e));
	user_exit(0);
}
