// SPDX-License-Identifier: BSD-2-Clause
/*
 * replay.c - `replay L1_KIB L1_WAYS LL_KIB LL_WAYS` replays a trace of `valgrind --tool=lackey
 * --trace-mem=yes` from standard input in vpmu/micro, with cachegrind's caches: two levels, LRU, no
 * prefetcher, physical addresses equal to virtual ones. Prints references and misses in the form of
 * cachegrind's summary. An instruction that loads and stores the same place counts as a load.
 */
#include "tests/unit/micro/core.h"

#include <inttypes.h>
#include <stdio.h>

static struct played_core *core;
static uint64_t instructions, loads, stores;

static void run_instruction(uint64_t va, unsigned bytes)
{
	const struct micro_block b = {
		.va = va,
		.physical = va,
		.physical_next = (va & ~4095ull) + 4096,
		.bytes = (uint16_t)bytes,
		.shift = 12,
	};

	instructions++;
	micro_block(core->micro, &b);
}

static void replay_line(const char *line)
{
	uint64_t va;
	unsigned bytes;
	char kind;

	if (sscanf(line, " %c %" SCNx64 ",%u", &kind, &va, &bytes) != 3)
		return;
	if (kind == 'I') {
		run_instruction(va, bytes);
	} else if (kind == 'S') {
		stores++;
		micro_store(core->micro, va, bytes, core);
	} else if (kind == 'L' || kind == 'M') {
		loads++;
		micro_load(core->micro, va, bytes, core);
	}
}

int main(int argc, char **argv)
{
	struct geometry g = *vpmu_geometry(VPMU_DEFAULT);
	const uint64_t *counts;
	char line[256];

	if (argc != 5)
		return 2;
	g.l1i.kib = g.l1d.kib = (uint32_t)atoi(argv[1]);
	g.l1i.ways = g.l1d.ways = (uint16_t)atoi(argv[2]);
	g.l2.kib = (uint32_t)atoi(argv[3]);
	g.l2.ways = (uint16_t)atoi(argv[4]);
	core = core_new(&g, CORE_ALONE);
	counts = core->counts;
	while (fgets(line, sizeof(line), stdin))
		replay_line(line);
	printf("I %" PRIu64 " D %" PRIu64 " I1 %" PRIu64 " D1 %" PRIu64 " LL %" PRIu64 "\n",
	       instructions, loads + stores, counts[EVENTS_L1I_MISSES],
	       counts[EVENTS_L1D_LOAD_MISSES] + counts[EVENTS_L1D_STORE_MISSES],
	       counts[EVENTS_L2_MISSES]);
	core_free(core, true);
	return ferror(stdin) || fclose(stdout) ? 1 : 0;
}
