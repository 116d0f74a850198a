// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory.c - what several microarchitectures have alike of PEBS: perf's names for its events of
 * memory accesses, and how far from an overflow its counters are set. The names are Linux's, the
 * events those of Intel's event files.
 */
#include "pmu/uarch/intel.h"

/* MEM_TRANS_RETIRED.LOAD_LATENCY from the least latency on, MEM_INST_RETIRED.ALL_STORES. */
const struct uarch_named uarch_memory_haswell[] = {
	{"mem-loads", UARCH_SELECT(0xcd, 0x01), 3},
	{"mem-stores", UARCH_SELECT(0xd0, 0x82), 0},
	{NULL, 0, 0},
};

/* MEM_TRANS_RETIRED.STORE_SAMPLE instead. */
const struct uarch_named uarch_memory_lioncove[] = {
	{"mem-loads", UARCH_SELECT(0xcd, 0x01), 3},
	{"mem-stores", UARCH_SELECT(0xcd, 0x02), 0},
	{NULL, 0, 0},
};

/* And what has to stand before the loads in their group: LD_BLOCKS, without a name of its own. */
const struct uarch_named uarch_memory_goldencove[] = {
	{"mem-loads", UARCH_SELECT(0xcd, 0x01), 3},
	{"mem-stores", UARCH_SELECT(0xcd, 0x02), 0},
	{"mem-loads-aux", UARCH_LOADS_AUX, 0},
	{NULL, 0, 0},
};

/* MEM_UOPS_RETIRED.LOAD_LATENCY, STORE_LATENCY. */
const struct uarch_named uarch_memory_gracemont[] = {
	{"mem-loads", UARCH_SELECT(0xd0, 0x05), 3},
	{"mem-stores", UARCH_SELECT(0xd0, 0x06), 0},
	{NULL, 0, 0},
};

/* Linux has it so since 5.16. */
const struct uarch_setting uarch_setting_no_shadow[1] = {
	UARCH_SETTING(0, 0, 3, 128, 1, "precise_ip 3"),
};
