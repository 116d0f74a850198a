// SPDX-License-Identifier: BSD-2-Clause
/* hog.c - workloads that allocate all memory, each in another way. */
#include "apps/workloads/crt.h"

#include <linux/errno.h>

#define PAGE  4096
#define PIECE (16ull << 20)

/* Takes page by page, until a fault finds none and ends it. Too many mappings end it, too. */
static void take_pages(void)
{
	for (;;) {
		const long at = linux_mmap_zeros(PIECE, 0);

		if (at < 0)
			linux_exit_group(1);
		for (volatile uint8_t *to = (volatile uint8_t *)at, *end = to + PIECE; to < end;
		     to += PAGE)
			*to = 1;
	}
}

static void sleeper(void)
{
	linux_sleep_ns(3600000000000);
	linux_exit_group(0);
}

static void short_lived(void)
{
	linux_exit_group(0);
}

/* Makes processes that no parent waits for: each leaves its status. */
static void leave_dead(void)
{
	long pid;

	do {
		pid = process_start(TASK_ENTRY(short_lived), 0, 0, 0);
		linux_yield();
	} while (pid > 0);
	linux_exit_group(pid == -EAGAIN ? 0 : 1);
}

static void map_rings(void)
{
	const struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};

	for (unsigned i = 0; i < 3; i++)
		if (ring_map(linux_perf_event_open(&attr, 0, -1, -1, 0), 512,
			     PROT_READ | PROT_WRITE) < 0)
			return;
}

/* Maps as many rings as it may, and forks a child that does so, too. */
static void take_rings(void)
{
	int status = 0;
	long pid;

	map_rings();
	pid = process_start(TASK_ENTRY(take_rings), 0, 0, 0);
	if (pid < 0)
		linux_exit_group(pid == -ENOMEM ? 0 : 1);
	linux_wait(pid, &status);
	linux_exit_group(status);
}

static void take_processes(void)
{
	long pid, first = 0;

	do {
		pid = process_start(TASK_ENTRY(sleeper), 0, 0, 0);
		first = first ? first : pid;
	} while (pid > 0);
	/* Its children sleep for longer than anything waits. Their numbers begin with `first`. */
	for (long child = first; linux_kill(child, SIGKILL) != -ESRCH; child++)
		;
	linux_exit_group(pid == -EAGAIN || pid == -ENOMEM ? 0 : 1);
}

enum { PAGES, PROCESSES, DEAD, RINGS };

static void workload_hog(uint64_t how)
{
	switch (how) {
	case PAGES:
		take_pages();
		break;
	case PROCESSES:
		take_processes();
		break;
	case DEAD:
		leave_dead();
		break;
	default:
		take_rings();
	}
}

static const struct workload hog = {
	.name = "hog",
	.usage = "[HOW]",
	.summary = "takes all memory that it can get: 0 (that is without HOW) pages, 1 processes, "
		   "2 processes that have ended, 3 rings",
	.entry = WORKLOAD_CODE(workload_hog),
	.params = {{"HOW", WORKLOAD_NUMBER, PAGES, PAGES, RINGS}},
};
WORKLOAD_ENTRY(hog);
