// SPDX-License-Identifier: BSD-2-Clause
/*
 * memory_events.c - rows about PEBS that several microarchitectures share: perf's names for their
 * events of memory accesses, and the least distance of a counter from its overflow. The names are
 * Linux's; the events are from Intel's event files.
 */
#include "pmu/uarch/intel.h"

/* MEM_TRANS_RETIRED.LOAD_LATENCY with the least latency, MEM_INST_RETIRED.ALL_STORES. */
const struct uarch_named uarch_memory_haswell[] = {
	{"mem-loads", UARCH_SELECT(0xcd, 0x01), 3},
	{"mem-stores", UARCH_SELECT(0xd0, 0x82), 0},
	{NULL, 0, 0},
};

/* As Haswell, with MEM_TRANS_RETIRED.STORE_SAMPLE for stores. */
const struct uarch_named uarch_memory_lioncove[] = {
	{"mem-loads", UARCH_SELECT(0xcd, 0x01), 3},
	{"mem-stores", UARCH_SELECT(0xcd, 0x02), 0},
	{NULL, 0, 0},
};

/*
 * As Lion Cove, with the event that has to come before the loads in their group: LD_BLOCKS, with a
 * unit mask that has no name.
 */
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

/* Linux has this setting since 5.16. */
const struct uarch_setting uarch_setting_no_shadow[1] = {
	UARCH_SETTING(0, 0, 3, 128, 1, "precise_ip 3"),
};
