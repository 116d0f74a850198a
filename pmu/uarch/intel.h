/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * intel.h - macros for the tables of Intel's microarchitectures, the extra registers that most of
 * them have, and the two errata that several of them share.
 *
 * Sources: SDM vol. 3, "Off-core Response Performance Monitoring", "Load Latency Performance
 * Monitoring Facility", "Filtering of Last Branch Records". The bits that may be set are from SDM
 * vol. 4 and Linux's perf, and include all that Intel's event files set (column MSRValue). Column
 * MSRIndex has the register that each event needs.
 */
#ifndef PMU_UARCH_INTEL_H
#define PMU_UARCH_INTEL_H

#include "pmu/uarch/rows.h"

/* IA32_LBR_CTL without LBREn: OS, USR, CALL_STACK, and the filters 22:16. */
#define ARCH_LBR_BITS 0x7f000eull

/* "Extended PEBS": every counter that exists can sample precisely. */
#define UARCH_EVERY UINT64_MAX

#define UARCH_EXTRA(code, umask, register_, number, bits, other, by_both, name_, source_)         \
	{                                                                                         \
		.match = UARCH_SELECT(code, umask), .mask = UARCH_EXACT, .valid = (bits),         \
		.alternative = (other), .msr = (number), .reg = (register_), .shared = (by_both), \
		.source = (source_), .name = (name_)                                              \
	}

/* An event with one off-core response register; an event with two, either of which serves. */
#define UARCH_OFFCORE(code, umask, bits, by_both)                                      \
	UARCH_EXTRA(code, umask, UARCH_OFFCORE_0, MSR_OFFCORE_RSP_0, bits, 0, by_both, \
		    "OFFCORE_RESPONSE_0", UARCH_SDM)
#define UARCH_OFFCORE_PAIR(code0, umask0, bits0, code1, umask1, bits1, by_both)             \
	UARCH_EXTRA(code0, umask0, UARCH_OFFCORE_0, MSR_OFFCORE_RSP_0, bits0,               \
		    UARCH_SELECT(code1, umask1), by_both, "OFFCORE_RESPONSE_0", UARCH_SDM), \
		UARCH_EXTRA(code1, umask1, UARCH_OFFCORE_1, MSR_OFFCORE_RSP_1, bits1,       \
			    UARCH_SELECT(code0, umask0), by_both, "OFFCORE_RESPONSE_1", UARCH_SDM)

/*
 * Sandy and Ivy Bridge for servers, by OFFCORE_RESPONSE_0: any response, beyond the last level;
 * memory, remote memory.
 */
#define UARCH_SANDYBRIDGE_OFFCORE_CACHES                                                         \
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x10081, 0x3fffc00081),          \
		UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x10102, 0x3fffc00102), \
		UARCH_CACHE_OFFCORE(LL, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x10030,             \
				    0x3fffc00030),                                               \
		UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0xb7, 0x01), 0x1fffc00081,          \
				    0x1fff800081),                                               \
		UARCH_CACHE_OFFCORE(NODE, WRITE, UARCH_SELECT(0xb7, 0x01), 0x1fffc00102,         \
				    0x1fff800102),                                               \
		UARCH_CACHE_OFFCORE(NODE, PREFETCH, UARCH_SELECT(0xb7, 0x01), 0x1fffc00030,      \
				    0x1fff800030)

/* From Skylake to Ice Lake, by OFFCORE_RESPONSE_0: any response, beyond the last level; local
 * memory, remote memory. */
#define UARCH_SKYLAKE_OFFCORE_CACHES                                                         \
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0xb7, 0x01), 0x3fc0010001, 0x3ffc020001), \
		UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0xb7, 0x01), 0x3fc0010002,       \
				    0x3ffc020002),                                           \
		UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0xb7, 0x01), 0x1fc4000001,      \
				    0x1ff8000001),                                           \
		UARCH_CACHE_OFFCORE(NODE, WRITE, UARCH_SELECT(0xb7, 0x01), 0x1fc4000002,     \
				    0x1ff8000002)

/* From Golden Cove on, by OCR: any response, L3_MISS; local memory, remote. */
#define UARCH_GOLDENCOVE_OFFCORE_CACHES                                                 \
	UARCH_CACHE_OFFCORE(LL, READ, UARCH_SELECT(0x2a, 0x01), 0x10001, 0x3fbfc00001), \
		UARCH_CACHE_OFFCORE(LL, WRITE, UARCH_SELECT(0x2a, 0x01), 0x3f3ffc0002,  \
				    0x3f3fc00002),                                      \
		UARCH_CACHE_OFFCORE(NODE, READ, UARCH_SELECT(0x2a, 0x01), 0x10c000001,  \
				    0x3fb3000001)

#define UARCH_LATENCY(code, umask, name, by_both)                                               \
	UARCH_EXTRA(code, umask, UARCH_LOAD_LATENCY, MSR_PEBS_LD_LAT, 0xffff, 0, by_both, name, \
		    UARCH_PERFMON)
#define UARCH_FRONT(code, umask, bits, name)                                              \
	UARCH_EXTRA(code, umask, UARCH_FRONTEND, MSR_PEBS_FRONTEND, bits, 0, false, name, \
		    UARCH_PERFMON)

#define UARCH_SETTING(match_, mask_, precise_, least_, step_, name_)                          \
	{                                                                                     \
		.match = (match_), .mask = (mask_), .precise = (precise_), .least = (least_), \
		.step = (step_), .source = UARCH_FIELD, .name = (name_)                       \
	}
/* No setting: the parent's rows do not hold, and a counter may have any period. */
#define UARCH_NO_SETTING UARCH_SETTING(0, 0, 0, 0, 1, NULL)
/* precise_ip 3 on cores where every event can be precise. */
extern const struct uarch_setting uarch_setting_no_shadow[1];

/* The auxiliary event of load latencies. */
#define UARCH_LOADS_AUX UARCH_SELECT(0x03, 0x82)
extern const struct uarch_named uarch_memory_haswell[], uarch_memory_goldencove[],
	uarch_memory_lioncove[], uarch_memory_gracemont[];

#define INST_RETIRED_ALL UARCH_SELECT(0xc0, 0x01)
/* The last branch records, `n` of them: since Nehalem, and on small cores before Goldmont. */
#define UARCH_LBR(n)     .lbr = {.depth = (n), .from = MSR_LBR_FROM0, .to = MSR_LBR_TO0}
#define UARCH_OLD_LBR(n) .lbr = {.depth = (n), .from = MSR_LBR_OLD_FROM0, .to = MSR_LBR_OLD_TO0}

/*
 * A row for branch records, which need the register, and for no event: no select with mask 0 equals
 * 1.
 */
#define UARCH_BRANCHES(number, bits, by_both)                                                     \
	{                                                                                         \
		.match = 1, .mask = 0, .valid = (bits), .msr = (number), .reg = UARCH_LBR_SELECT, \
		.shared = (by_both), .source = UARCH_SDM, .name = "branch records"                \
	}

/* The parent's register for that event does not exist, or the event does not need it. */
#define UARCH_NO_EXTRA(code, umask)                                     \
	{                                                               \
		.match = UARCH_SELECT(code, umask), .mask = UARCH_EXACT \
	}

#define UARCH_ERRATUM(trouble_, match_, mask_, counters_, name_, since_, until_, source_)       \
	{                                                                                       \
		.trouble = (trouble_), .source = (source_), .match = (match_), .mask = (mask_), \
		.counters = (counters_), .name = (name_), .since = (since_), .until = (until_)  \
	}

/*
 * Events 0xd0 to 0xd3 leak into the sibling's counter of the same number, and lose counts to it.
 * Linux has this since 4.1-rc1; 4.1-rc7 relaxed the limit that keeps a hyper-thread from starving.
 */
#define UARCH_HT_LEAK(name)                                                                        \
	UARCH_ERRATUM(UARCH_HT_EXCLUSIVE, 0xd0, 0xfc, UARCH_LOW4, name, UARCH_LINUX_RC(4, 1, 1),   \
		      0, UARCH_UPDATE),                                                            \
		UARCH_ERRATUM(UARCH_HT_LIMIT_ALL, 0, 0, UARCH_LOW4, name, UARCH_LINUX_RC(4, 1, 1), \
			      UARCH_LINUX_RC(4, 1, 7), UARCH_FIELD),                               \
		UARCH_ERRATUM(UARCH_HT_LIMIT, 0, 0, UARCH_LOW4, name, UARCH_LINUX_RC(4, 1, 7), 0,  \
			      UARCH_FIELD)
#define UARCH_FORBIDS(match, mask, name, since, until) \
	UARCH_ERRATUM(UARCH_FORBIDDEN, match, mask, 0, name, since, until, UARCH_FIELD)

#define UARCH_TSX_COUNTER(name) \
	UARCH_ERRATUM(UARCH_TSX_TAKES, 0, 0, 0x08, name, UARCH_LINUX_RC(5, 1, 1), 0, UARCH_UPDATE)

#endif
