// SPDX-License-Identifier: BSD-2-Clause
/* sleep_workload.c - the CPU halts for a while. */
#include "apps/workloads/crt.h"

#include "lib/time.h"

static void workload_sleep(uint64_t ns)
{
	linux_sleep_ns(ns);
	linux_exit_group(0);
}

static const struct workload sleep = {
	.name = "sleep",
	.usage = "[SECONDS]",
	.summary = "halts for SECONDS (0.1)",
	.entry = WORKLOAD_CODE(workload_sleep),
	.params = {{"SECONDS", WORKLOAD_SECONDS, NSEC_PER_SEC / 10, 0, 3600 * NSEC_PER_SEC}},
};
WORKLOAD_ENTRY(sleep);
