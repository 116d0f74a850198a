// SPDX-License-Identifier: BSD-2-Clause
/*
 * skymont.c - Skymont: the small cores of Lunar and Arrow Lake. Source: Intel's event files
 * `lunarlake_skymont` and `arrowlake_skymont`, column Counter. There is no hyper-threading. There
 * is no fixed counter 3. Fixed counters 4, 5 and 6 count three parts of the top-down method, and so
 * do general events. The files allow these events general counters only, but the count is the same.
 */
#include "pmu/uarch/intel.h"

static const struct uarch_constraint constraints[] = {
	UARCH_ROW(UARCH_SELECT(0x73, 0x00), UARCH_PLAIN, UARCH_FIXED(4) | UARCH_GENERAL,
		  "TOPDOWN_BAD_SPECULATION.ALL_P", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0x9c, 0x01), UARCH_PLAIN, UARCH_FIXED(5) | UARCH_GENERAL,
		  "TOPDOWN_FE_BOUND.ALL_P", UARCH_SDM),
	UARCH_ROW(UARCH_SELECT(0xc2, 0x02), UARCH_PLAIN, UARCH_FIXED(6) | UARCH_GENERAL,
		  "TOPDOWN_RETIRING.ALL_P", UARCH_SDM),
};

const struct uarch uarch_skymont = {
	.name = "skymont",
	.aliases = "lnl_e lnl-e arl_e arl-e lunarlake_e lunarlake_skymont arrowlake_skymont skt",
	.pfm = "",
	.vendor = CPU_VENDOR_INTEL,
	.models = {{.family = 6, .first = 0xbd, .last = 0xbd, .core = UARCH_ATOM},
		   {.family = 6, .first = 0xc5, .last = 0xc5, .core = UARCH_ATOM, .native = 3},
		   {.family = 6, .first = 0xc6, .last = 0xc6, .core = UARCH_ATOM}},
	.like = &uarch_crestmont,
	.fixed = 0x77,
	UARCH_CONSTRAINTS(constraints),
};
