// SPDX-License-Identifier: BSD-2-Clause
/* hog.c - workloads that take all the memory they can get, in each way that there is. */
#include "apps/workloads/crt.h"
#include "include/perf0/task.h"

#include <linux/errno.h>

#define PAGE  4096
#define PIECE (16ull << 20)

/* Page by page, until there is none: that fault ends it. With too many mappings it is over, too. */
static void take_pages(void)
{
	for (;;) {
		long at = perf_syscall(WORKLOAD_SYS_MAP, PIECE, 0, 0);

		if (at <= 0)
			user_exit(1);
		for (volatile uint8_t *to = (volatile uint8_t *)at, *end = to + PIECE; to < end;
		     to += PAGE)
			*to = 1;
	}
}

static void sleeper(void)
{
	perf_syscall(WORKLOAD_SYS_SLEEP, 3600000000000, 0, 0);
	user_exit(0);
}

static long spawn(void)
{
	struct workload_spawn s = {.entry = (uint64_t)sleeper};

	return perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)&s, sizeof(s), 0);
}

static void short_lived(void)
{
	user_exit(0);
}

/* Tasks that nothing asks for any more: each leaves its status. */
static void leave_dead(void)
{
	struct workload_spawn s = {.flags = WORKLOAD_SPAWN_THREAD, .entry = (uint64_t)short_lived};
	long tid;

	do {
		tid = perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)&s, sizeof(s), 0);
		perf_syscall(WORKLOAD_SYS_YIELD, 0, 0, 0);
	} while (tid > 0);
	user_exit(tid == -EAGAIN ? 0 : 1);
}

/* Each one maps as many rings as it may, and has a child that does, too. */
static void take_rings(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};
	struct workload_spawn s = {.entry = (uint64_t)take_rings};
	int32_t status = 0;
	long tid;

	for (unsigned i = 0; i < 3; i++)
		if (perf_event_mmap(perf_event_open(&attr, 0, -1, -1, 0), 512,
				    PERF_PROT_READ | PERF_PROT_WRITE) < 0)
			break;
	tid = perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)&s, sizeof(s), 0);
	if (tid < 0)
		user_exit(tid == -ENOMEM ? 0 : 1);
	perf_syscall(WORKLOAD_SYS_WAIT, (uint64_t)tid, (uint64_t)&status, 0);
	user_exit(status);
}

static void take_processes(void)
{
	long tid;

	do
		tid = spawn();
	while (tid > 0);
	/* Its children sleep for longer than anything waits. */
	for (uint64_t child = 2; perf_syscall(WORKLOAD_SYS_KILL, child, 0, 0) != -ESRCH; child++)
		;
	user_exit(tid == -EAGAIN || tid == -ENOMEM ? 0 : 1);
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
		   "2 threads that have ended, 3 rings",
	.entry = WORKLOAD_CODE(workload_hog),
	.params = {{"HOW", WORKLOAD_NUMBER, PAGES, PAGES, RINGS}},
};
WORKLOAD_ENTRY(hog);
