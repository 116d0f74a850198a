// SPDX-License-Identifier: BSD-2-Clause
/*
 * rdpmc.c - a program for Linux that reads its counter by RDPMC and its control page, as described
 * in perf_event_open(2) ("cap_user_rdpmc"). It fails unless a loop counts two instructions a turn,
 * and unless read(2) continues the values of RDPMC.
 */
#include <linux/perf_event.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_instructions(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.exclude_kernel = attr.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static int64_t read_pmc(uint32_t counter, unsigned width)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (int64_t)(((uint64_t)high << 32 | low) << (64 - width)) >> (64 - width);
}

/* False: the event has no counter now, or user mode may not read it. */
static bool read_count(const volatile struct perf_event_mmap_page *page, uint64_t *count)
{
	uint32_t before;

	do {
		before = page->lock;
		__asm__ volatile("" ::: "memory");
		if (!page->cap_user_rdpmc || !page->index)
			return false;
		*count = (uint64_t)(page->offset + read_pmc(page->index - 1, page->pmc_width));
		__asm__ volatile("" ::: "memory");
	} while (page->lock != before);
	return true;
}

static bool count_loop(const volatile struct perf_event_mmap_page *page, uint64_t turns,
		       uint64_t *count)
{
	uint64_t before, after;

	if (!read_count(page, &before))
		return false;
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns));
	if (!read_count(page, &after))
		return false;
	*count = after - before;
	return true;
}

int main(void)
{
	const int fd = open_instructions();
	const volatile struct perf_event_mmap_page *page;
	uint64_t once, thousand, last, kernels = 0;

	if (fd < 0) {
		perror("perf_event_open");
		return EXIT_FAILURE;
	}
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		perror("mmap");
		return EXIT_FAILURE;
	}
	if (!count_loop(page, 1, &once) || !count_loop(page, 1001, &thousand) ||
	    !read_count(page, &last)) {
		puts("the event cannot be read by RDPMC");
		return EXIT_FAILURE;
	}
	if (read(fd, &kernels, sizeof(kernels)) != sizeof(kernels))
		perror("read");
	printf("1000 turns: %llu instructions; up to read(2): %lld\n",
	       (unsigned long long)(thousand - once), (long long)(kernels - last));
	return thousand - once == 2000 && kernels > last ? EXIT_SUCCESS : EXIT_FAILURE;
}
