// SPDX-License-Identifier: BSD-2-Clause
/* regions_workload.c - marks parts of its work as regions, which `stat` counts apart. */
#include "apps/workloads/crt.h"

/* Two instructions a turn. */
static void turn_in_region(uint64_t turns)
{
	__asm__ volatile("1: dec %[turns]\n\t"
			 "jnz 1b"
			 : [turns] "+r"(turns)
			 :
			 : "cc");
}

/* One region lies inside another, and one is entered often. */
static void workload_regions(uint64_t turns)
{
	perf0_region_begin("all");
	perf0_region_begin("first");
	turn_in_region(turns);
	perf0_region_end("first");
	for (int i = 0; i < 10; i++) {
		perf0_region_begin("often");
		turn_in_region(turns);
		perf0_region_end("often");
	}
	perf0_region_end("all");
	perf0_region_begin("left open");
	linux_exit_group(perf0_region_end("never begun") == 0);
}

static const struct workload regions = {
	.name = "regions",
	.usage = "[N]",
	.summary = "11 loops of N turns (1000), marked as regions 'all', 'first' and 'often'",
	.entry = WORKLOAD_CODE(workload_regions),
	.params = {{"N", WORKLOAD_NUMBER, 1000, 1, UINT64_MAX}},
};
WORKLOAD_ENTRY(regions);
