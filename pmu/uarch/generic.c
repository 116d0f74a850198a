// SPDX-License-Identifier: BSD-2-Clause
/*
 * generic.c - what holds for every model of a vendor: the architectural events, and Intel's fixed
 * counters. SDM vol. 3, "Pre-defined Architectural Performance Events" and "Fixed-function
 * Performance Counters"; APM vol. 2, "Performance Monitoring Counters".
 */
#include "pmu/uarch/uarch.h"

/*
 * A fixed counter knows no counter mask, no inversion, no edge: only the plain event may use it.
 * The selects with code 0 name fixed counters only, as Intel's event files do; ref-cycles has a
 * general event, but its unit is another one.
 */
#define FIXED_PLAIN (UARCH_FULL | EVTSEL_EDGE | EVTSEL_ANY)

const struct uarch_constraint uarch_intel_fixed[] = {
	{UARCH_SELECT(0xc0, 0), FIXED_PLAIN, UARCH_FIXED(0) | UARCH_GENERAL, "INST_RETIRED.ANY"},
	{UARCH_SELECT(0x3c, 0), FIXED_PLAIN, UARCH_FIXED(1) | UARCH_GENERAL,
	 "CPU_CLK_UNHALTED.THREAD"},
	{UARCH_SELECT(0, 1), FIXED_PLAIN, UARCH_FIXED(0), "INST_RETIRED.ANY"},
	{UARCH_SELECT(0, 2), FIXED_PLAIN, UARCH_FIXED(1), "CPU_CLK_UNHALTED.THREAD"},
	{UARCH_SELECT(0, 3), FIXED_PLAIN, UARCH_FIXED(2), "CPU_CLK_UNHALTED.REF_TSC"},
	{UARCH_SELECT(0, 4), FIXED_PLAIN, UARCH_FIXED(3), "TOPDOWN.SLOTS"},
	{0, UARCH_CODE, 0, "no event has code 0"},
};

const size_t uarch_intel_nfixed = sizeof(uarch_intel_fixed) / sizeof(uarch_intel_fixed[0]);

const struct uarch uarch_intel_generic = {
	.name = "generic",
	.vendor = CPU_VENDOR_INTEL,
	.generic = UARCH_INTEL_ARCHITECTURAL,
	.note = "the CPU's model is not known: architectural events only, no counter constraints",
};

/* The four events that every AMD CPU since K7 has had under these numbers. */
const struct uarch uarch_amd_generic = {
	.name = "generic",
	.vendor = CPU_VENDOR_AMD,
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
