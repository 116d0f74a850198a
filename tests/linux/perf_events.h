/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_events.h - functions of test programs that measure themselves. They use libc and run on any
 * Linux. */
#ifndef TESTS_LINUX_PERF_EVENTS_H
#define TESTS_LINUX_PERF_EVENTS_H

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ul

static int failed;

/* Prints a line for each check; a failed one shows the number that came. */
static inline void check(const char *what, uint64_t got, uint64_t wanted)
{
	if (got == wanted) {
		printf("ok %s\n", what);
		return;
	}
	printf("FAILED %s: %#llx, wanted %#llx\n", what, (unsigned long long)got,
	       (unsigned long long)wanted);
	failed++;
}

/* Two instructions a turn. */
static inline void turn(uint64_t turns)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc", "memory");
}

static inline struct perf_event_attr instructions(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_HARDWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	return attr;
}

static inline int perf_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
			    unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group, flags);
}

/* Returns the file descriptor, or ends the program. */
static inline int must_open(const struct perf_event_attr *attr, pid_t pid, int cpu, int group,
			    unsigned long flags)
{
	const int fd = perf_open(attr, pid, cpu, group, flags);

	if (fd < 0) {
		perror("perf_event_open");
		exit(1);
	}
	return fd;
}

static inline uint64_t value_of(int fd)
{
	uint64_t value = 0;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		return UINT64_MAX;
	return value;
}

/* Maps a control page and `pages` of data. NULL: errno has the reason. */
static inline struct perf_event_mmap_page *map_ring(int fd, size_t pages, int prot)
{
	void *at = mmap(NULL, (1 + pages) * PAGE, prot, MAP_SHARED, fd, 0);

	return at == MAP_FAILED ? NULL : at;
}

static inline int unmap_ring(struct perf_event_mmap_page *page, size_t pages)
{
	return munmap(page, (1 + pages) * PAGE);
}

/* Takes all records up to the head, and frees their room. Returns how many have that type.
 */
static inline unsigned take_records(struct perf_event_mmap_page *page, unsigned type)
{
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	const uint8_t *data = (const uint8_t *)page + page->data_offset;
	uint64_t at = page->data_tail;
	unsigned n = 0;

	while (at < head) {
		const struct perf_event_header *h = (const void *)(data + at % page->data_size);

		n += h->type == type;
		at += h->size;
	}
	__atomic_store_n(&page->data_tail, at, __ATOMIC_RELEASE);
	return n;
}

#endif
