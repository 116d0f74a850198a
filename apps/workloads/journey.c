// SPDX-License-Identifier: BSD-2-Clause
/*
 * journey.c - a task visits one CPU after the other while two others stay where they are: perf's
 * modes count it differently. Task 1 is on CPUs 0, 1, 3, 2 and 0 again, task 2 on CPU 0 and task 3
 * on CPU 2 meanwhile; CPUs that the machine does not have are left out.
 */
#include "apps/workloads/crt.h"

static void turn_cycles(uint64_t n)
{
	while (n--)
		__asm__ volatile("");
}

/* The task is on `cpu` when it returns. False: there is no such CPU. */
static bool go_to_cpu(uint64_t cpu)
{
	return !linux_run_on(0, cpu);
}

static void stay(uint64_t cpu, uint64_t turns)
{
	if (go_to_cpu(cpu))
		turn_cycles(turns);
	linux_exit_group(0);
}

static bool spawn_traveller(uint64_t cpu, uint64_t turns)
{
	return process_start(TASK_ENTRY(stay), cpu, turns, 0) > 0;
}

static void workload_journey(uint64_t turns)
{
	int status, failed = 0;

	if (!go_to_cpu(0) || !spawn_traveller(0, turns) || !spawn_traveller(2, turns))
		linux_exit_group(1);
	for (uint64_t leg = 0; leg < 5; leg++)
		if (go_to_cpu(0x02310 >> 4 * leg & 0xf))
			turn_cycles(turns);
	while (linux_wait(ANY_CHILD, &status) > 0)
		failed |= status;
	linux_exit_group(failed ? 1 : 0);
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
