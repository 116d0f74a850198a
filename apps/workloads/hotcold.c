// SPDX-License-Identifier: BSD-2-Clause
/* hotcold.c - registers hotcold_code.S. */
#include "linux/program/workload.h"

void workload_hotcold(void);

static const struct workload hotcold = {
	.name = "hotcold",
	.usage = "[N]",
	.summary =
		"N turns (5000): 3000 instructions in hot(), 1000 in cold(), 4 around; 3 at the end",
	.entry = workload_hotcold,
	.params = {{"N", WORKLOAD_NUMBER, 5000, 1, UINT64_MAX}},
};
WORKLOAD_ENTRY(hotcold);
