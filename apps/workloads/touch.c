// SPDX-License-Identifier: BSD-2-Clause
/* touch.c - writes and reads one variable, for tests of breakpoints on data. */
#include "apps/workloads/crt.h"

/* Global and volatile: its address is in the symbol table, and each access is one instruction. */
extern volatile uint64_t workload_touched;
volatile uint64_t workload_touched;

static void workload_touch(uint64_t n)
{
	while (n--) {
		workload_touched = n;
		(void)workload_touched;
	}
	linux_exit_group(0);
}

static const struct workload touch = {
	.name = "touch",
	.usage = "[N]",
	.summary = "writes the variable workload_touched N times (1000), and reads it as often",
	.entry = WORKLOAD_CODE(workload_touch),
	.params = {{"N", WORKLOAD_NUMBER, 1000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(touch);
