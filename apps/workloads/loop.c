// SPDX-License-Identifier: BSD-2-Clause
/* loop.c - registers loop_code.S. */
#include "linux/program/workload.h"

void workload_loop(void);

static const struct workload loop = {
	.name = "loop",
	.usage = "[N]",
	.summary = "N turns (1000000) of two instructions: instructions:u is exactly 2 * N + 5",
	.entry = workload_loop,
	.params = {{"N", WORKLOAD_NUMBER, 1000000, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(loop);
