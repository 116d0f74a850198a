// SPDX-License-Identifier: BSD-2-Clause
/*
 * alone_self.c - counts its own loop by perf_event_open(2), and fails unless the count is right:
 * two instructions a turn, and the same number around them each time.
 */
#include <linux/perf_event.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_instructions(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_INSTRUCTIONS;
	attr.disabled = attr.exclude_kernel = attr.exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/* The count from the ioctl() that enables the event to the one that disables it. */
static uint64_t count_loop(int fd, uint64_t turns)
{
	uint64_t count = 0;

	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		perror("read");
	return count;
}

int main(void)
{
	const int fd = open_instructions();
	uint64_t once, thousand;

	if (fd < 0) {
		perror("perf_event_open");
		return 1;
	}
	once = count_loop(fd, 1);
	thousand = count_loop(fd, 1001);
	printf("1000 turns: %llu instructions\n", (unsigned long long)(thousand - once));
	return thousand - once == 2000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
