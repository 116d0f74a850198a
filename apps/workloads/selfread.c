// SPDX-License-Identifier: BSD-2-Clause
/*
 * selfread.c - reads events by the control pages that are shared with it, and keeps the values in
 * its heap, one after the other. For tests and apps/costs.c, which share events with it: it is no
 * workload.
 */
#include "apps/workloads/crt.h"

#include "include/perf0/selfread.h"

void workload_selfread(uint64_t reads, uint64_t events);
void workload_selfread_cost(uint64_t counter, uint64_t moves, uint64_t turns);
void workload_sysread_cost(uint64_t counter, uint64_t moves, uint64_t turns);

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
	linux_exit_group(0);
}

/*
 * For apps/costs.c, in workload_watch()'s place and with its arguments. Of an event that counts the
 * instructions of ring 3, two readings in direct succession differ by the instructions that one
 * reading takes.
 */
void workload_selfread_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	const volatile struct perf_event_mmap_page *event = page(0);
	uint64_t *out = (uint64_t *)WORKLOAD_HEAP;

	(void)counter;
	__asm__("" : "+r"(event)); /* the compiler must not know its value */
	for (; moves && turns; turns--) {
		uint64_t first = selfread_value(event), second = selfread_value(event);

		if (second == first)
			continue;
		*out++ = second - first;
		moves--;
	}
	linux_exit_group((int)moves);
}

/* The same by system call: `counter` counts ring 0's instructions, to which SYSCALL is added. */
void workload_sysread_cost(uint64_t counter, uint64_t moves, uint64_t turns)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};
	const long event = linux_perf_event_open(&attr, 0, -1, -1, 0);
	uint64_t *out = (uint64_t *)WORKLOAD_HEAP;

	for (; event >= 0 && moves && turns; turns--) {
		uint64_t value = 0, before = selfread_rdpmc((uint32_t)counter);
		long n = linux_read(event, &value, sizeof(value));
		uint64_t after = selfread_rdpmc((uint32_t)counter);

		if (n != sizeof(value) || !value)
			continue;
		*out++ = after - before + 1;
		moves--;
	}
	linux_exit_group((int)moves);
}
