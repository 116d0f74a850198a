// SPDX-License-Identifier: BSD-2-Clause
/*
 * generic.c - the rows that hold for every model of a vendor: the architectural events, and Intel's
 * fixed counters. SDM vol. 3, "Pre-defined Architectural Performance Events" and "Fixed-function
 * Performance Counters"; APM vol. 2, "Performance Monitoring Counters".
 */
#include "pmu/uarch/uarch.h"

/*
 * The selects with code 0 name fixed counters only, as Intel's event files do. ref-cycles also has
 * a general event, but in another unit.
 */
#define FIXED(select, counters, name) UARCH_ROW(select, UARCH_PLAIN, counters, name, UARCH_SDM)

const struct uarch_constraint uarch_intel_fixed[] = {
	FIXED(UARCH_SELECT(0xc0, 0), UARCH_FIXED(0) | UARCH_GENERAL, "INST_RETIRED.ANY"),
	FIXED(UARCH_SELECT(0x3c, 0), UARCH_FIXED(1) | UARCH_GENERAL, "CPU_CLK_UNHALTED.THREAD"),
	FIXED(UARCH_SELECT(0, 1), UARCH_FIXED(0), "INST_RETIRED.ANY"),
	FIXED(UARCH_SELECT(0, 2), UARCH_FIXED(1), "CPU_CLK_UNHALTED.THREAD"),
	FIXED(UARCH_SELECT(0, 3), UARCH_FIXED(2), "CPU_CLK_UNHALTED.REF_TSC"),
	FIXED(UARCH_SELECT(0, 4), UARCH_FIXED(3), "TOPDOWN.SLOTS"),
	FIXED(UARCH_SELECT(0, 5), UARCH_FIXED(4), "TOPDOWN_BAD_SPECULATION.ALL"),
	FIXED(UARCH_SELECT(0, 6), UARCH_FIXED(5), "TOPDOWN_FE_BOUND.ALL"),
	FIXED(UARCH_SELECT(0, 7), UARCH_FIXED(6), "TOPDOWN_RETIRING.ALL"),
	UARCH_ROW(0, UARCH_CODE, 0, "no event has code 0", UARCH_SDM),
};

const size_t uarch_intel_nfixed = UARCH_COUNT(uarch_intel_fixed);

const struct uarch uarch_intel_generic = {
	.name = "generic",
	.aliases = "",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.gp = 4,
	.gp_ht = 4,
	.fixed = 0x07,
	.width = 48,
	.fixed_width = 48,
	.generic = {UARCH_INTEL_ARCHITECTURAL},
	.note = "the CPU's model is not known: architectural events only, no counter constraints",
};

/* The four events that have had these numbers on every AMD CPU since K7. */
const struct uarch uarch_amd_generic = {
	.name = "generic",
	.aliases = "",
	.pfm = "",
	.vendor = CPU_VENDOR_AMD,
	.gp = 4,
	.gp_ht = 4,
	.width = 48,
	.generic =
		{
			[PERF_COUNT_HW_CPU_CYCLES] = UARCH_SELECT(0x76, 0x00),
			[PERF_COUNT_HW_INSTRUCTIONS] = UARCH_SELECT(0xc0, 0x00),
			[PERF_COUNT_HW_BRANCH_INSTRUCTIONS] = UARCH_SELECT(0xc2, 0x00),
			[PERF_COUNT_HW_BRANCH_MISSES] = UARCH_SELECT(0xc3, 0x00),
		},
	.note = "the CPU's model is not known: cycles, instructions and branches only, no counter "
		"constraints",
};
