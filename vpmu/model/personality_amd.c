// SPDX-License-Identifier: BSD-2-Clause
/*
 * personality_amd.c - AMD's cores. Sources: APM vol. 2, "Performance Monitoring Counters" and
 * "Instruction-Based Sampling"; the BKDGs of families 10h, 15h and 16h, the PPRs of families 17h,
 * 19h and 1Ah.
 *
 * Up to Zen 3 there is neither a global control nor a status register (version 0). Up to family
 * 16h, except 15h, there are four counters. Cores before Zen do not report their power.
 */
#include "vpmu/model/personality.h"

/*
 * CPUID 8000_001Bh EAX. Each row has the bits of the one before. Family 10h: FFV, fetches, ops, the
 * count can be read and set, counts ops. 15h adds: branch target, 27 bits, invalid RIPs. Zen: fused
 * branches, extended fetch control. Zen 4: L3 misses only. Zen 5: slow loads only, page sizes.
 */
#define IBS_FAM10H 0x01f
#define IBS_FAM15H 0x0ff
#define IBS_ZEN    0x3ff
#define IBS_ZEN4   0xbff
#define IBS_ZEN5   0x81bff

#define AMD(n) .gp = {n, n}, .width = 48, .slots = 6
#define OLD    AMD(4), .threads = 1
#define UNCORE VPMU_AMD_MSRS | VPMU_ZEN | VPMU_ZEN_UNCORE
#define ZEN    AMD(6), .amd_core = true, .ibs = IBS_ZEN
#define PERFMON_V2                                               \
	AMD(6), .version = 2, .amd_core = true, .lbr_depth = 16, \
		.has = UNCORE | VPMU_DF_V2 | VPMU_ZEN_POWER

PERSONALITY(k8) = {
	IDENTITY(k8),
	.title = "K8",
	.brand = "AMD Opteron 2218 (perf0 vpmu)",
	.signature = 0x00040f12,
	OLD,
	.has = VPMU_AMD_MSRS | VPMU_C1E,
	EVENTS_OF(k8),
};

PERSONALITY(fam10h) = {
	IDENTITY(fam10h),
	.title = "K10",
	.brand = "AMD Phenom II X4 955 (perf0 vpmu)",
	.signature = 0x00100f43,
	OLD,
	.has = VPMU_AMD_MSRS | VPMU_C1E,
	.ibs = IBS_FAM10H,
	.errata = VPMU_IBS_CLEAR_MAXIMUM,
	EVENTS_OF(fam10h),
};

PERSONALITY(fam15h) = {
	IDENTITY(fam15h),
	.title = "Bulldozer",
	.brand = "AMD Opteron 6272 (perf0 vpmu)",
	.signature = 0x00600f12,
	AMD(6),
	.amd_core = true,
	.threads = 1,
	.has = VPMU_AMD_MSRS | VPMU_NORTHBRIDGE,
	.ibs = IBS_FAM15H,
	EVENTS_OF(fam15h),
};

PERSONALITY(fam16h) = {
	IDENTITY(fam16h),
	.title = "Jaguar",
	.brand = "AMD A6-5200 (perf0 vpmu)",
	.signature = 0x00700f01,
	OLD,
	.has = VPMU_AMD_MSRS | VPMU_NORTHBRIDGE | VPMU_L2_SHARED,
	.ibs = IBS_FAM15H,
	.errata = VPMU_IBS_FETCH_RESTART,
	EVENTS_OF(fam16h),
};

PERSONALITY(zen1) = {
	IDENTITY(zen1),
	.title = "Zen 1",
	.brand = "AMD Ryzen 7 1700 (perf0 vpmu)",
	.signature = 0x00800f11,
	ZEN,
	.errata = VPMU_IBS_FETCH_RESTART,
	.has = UNCORE | VPMU_L3_MASKS,
	EVENTS_OF(zen1),
};

PERSONALITY(zen2) = {
	IDENTITY(zen2),
	.title = "Zen 2",
	.brand = "AMD Ryzen 9 3900X (perf0 vpmu)",
	.signature = 0x00870f10,
	ZEN,
	.errata = VPMU_IBS_FETCH_RESTART,
	.has = UNCORE | VPMU_L3_MASKS,
	EVENTS_OF(zen2),
};

PERSONALITY(zen3) = {
	IDENTITY(zen3),
	.title = "Zen 3",
	.brand = "AMD Ryzen 9 5950X (perf0 vpmu)",
	.signature = 0x00a20f10,
	ZEN,
	.lbr_depth = 16,
	.brs = true,
	.has = UNCORE,
	EVENTS_OF(zen3),
};

PERSONALITY(zen4) = {
	IDENTITY(zen4),          .title = "Zen 4", .brand = "AMD Ryzen 9 7950X (perf0 vpmu)",
	.signature = 0x00a60f12, PERFMON_V2,       .ibs = IBS_ZEN4,
	EVENTS_OF(zen4),
};

PERSONALITY(zen5) = {
	IDENTITY(zen5),          .title = "Zen 5", .brand = "AMD Ryzen 9 9950X (perf0 vpmu)",
	.signature = 0x00b40f40, PERFMON_V2,       .ibs = IBS_ZEN5,
	EVENTS_OF(zen5),
};
