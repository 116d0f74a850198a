// SPDX-License-Identifier: BSD-2-Clause
/*
 * journey.c - a task that visits one CPU after the other while two others stay where they are: what
 * perf's modes are told apart by. Task 1 is on CPUs 0, 1, 3, 2 and 0 again, task 2 on CPU 0 and
 * task 3 on CPU 2 meanwhile; CPUs that are not there are left out.
 */
#include "apps/workloads/crt.h"

#include "include/perf0/task.h"

#define ANY_CHILD (-1)

static void turn_cycles(uint64_t n)
{
	while (n--)
		__asm__ volatile("");
}

/* The task is on `cpu` when it returns. False: there is no such CPU. */
static bool go_to_cpu(uint64_t cpu)
{
	uint64_t mask[4] = {0};

	mask[cpu / 64] = 1ull << cpu % 64;
	return !perf_syscall(WORKLOAD_SYS_SET_AFFINITY, 0, (long)mask, sizeof(mask));
}

static void stay(uint64_t cpu, uint64_t turns)
{
	if (go_to_cpu(cpu))
		turn_cycles(turns);
	user_exit(0);
}

static bool spawn_traveller(uint64_t cpu, uint64_t turns)
{
	struct workload_spawn s = {.entry = (uint64_t)WORKLOAD_CODE(stay), .args = {cpu, turns}};

	return perf_syscall(WORKLOAD_SYS_SPAWN, (long)&s, sizeof(s), 0) > 0;
}

static void workload_journey(uint64_t turns)
{
	int32_t status, failed = 0;

	if (!go_to_cpu(0) || !spawn_traveller(0, turns) || !spawn_traveller(2, turns))
		user_exit(1);
	for (uint64_t leg = 0; leg < 5; leg++)
		if (go_to_cpu(0x02310 >> 4 * leg & 0xf))
			turn_cycles(turns);
	while (perf_syscall(WORKLOAD_SYS_WAIT, ANY_CHILD, (long)&status, 0) > 0)
		failed |= status;
	user_exit(failed ? 1 : 0);
}

static const struct workload journey = {
	.name = "journey",
	.usage = "[TURNS]",
	.summary =
		"goes round a loop TURNS times (1000000) on CPU 0, 1, 3, 2 and 0, while two more "
		"tasks do once on CPU 0 and CPU 2",
	.entry = WORKLOAD_CODE(workload_journey),
	.params = {{"TURNS", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(journey);
