// SPDX-License-Identifier: BSD-2-Clause
/*
 * personality_large.c - Intel's large cores, in CPUs of one kind of core. Sources: SDM vol. 3,
 * "Performance Monitoring" and "Last Branch, Interrupt, and Exception Recording"; vol. 4,
 * "Model-Specific Registers"; Intel's published event files for valid bits of MSR_OFFCORE_RSP_x and
 * MSR_PEBS_FRONTEND.
 */
#include "vpmu/model/personality.h"

/* Four general counters for each thread, eight for a core whose other thread is off. */
#define SHARED_8(version) ARCHITECTURAL(version, 8, 4), .width = 48, .slots = 4

/* Last branches. */
#define LBR_3  .lbr_format = LBR_FORMAT_EIP_FLAGS, .lbr_depth = 16, .lbr_flags = 1
#define LBR_4  .lbr_format = LBR_FORMAT_EIP_FLAGS2, .lbr_depth = 16, .lbr_flags = 1
#define LBR_5  .lbr_format = LBR_FORMAT_INFO, .lbr_depth = 32
#define LBR_32 .lbr_format = LBR_FORMAT_ARCHITECTURAL, .lbr_depth = 32

#define HSW_TLBS DESCRIPTORS(0x76036301, 0x00f0b0ff, 0x00c10000)
#define SKX_TLBS DESCRIPTORS(0x76036301, 0x00f0b6ff, 0x00c30000)

/* --- Nehalem to Broadwell: their off-core requests of data are those of L1D's prefetcher, too ---
 */

#define PREFETCHED_LOADS .offcore_prefetch = 1 << 0

#define NEHALEM                                                                        \
	ARCHITECTURAL(3, 4, 4),                                                        \
		.width = 48, .slots = 4, LBR_3, .offcore_old = true, PREFETCHED_LOADS, \
		.perf_capabilities = PERF_CAP_FREEZE_SMM | PEBS_RECORDS(1),            \
		.has = VPMU_INTEL_MSRS | VPMU_PREFETCHERS | VPMU_OLD_SOURCES, HSW_TLBS

#define SANDY_BRIDGE SHARED_8(3), LBR_3, PREFETCHED_LOADS, HSW_TLBS
#define HASWELL                                                                          \
	SHARED_8(3), LBR_4, PREFETCHED_LOADS,                                            \
		.offcore_bits = {0x3fffff8fff, 0x3fffff8fff}, .offcore_remote = 7 << 27, \
		.perf_capabilities = FULL_WRITES | PEBS_RECORDS(2), HSW_TLBS
#define OLD_CLIENT (CLIENT | VPMU_PREFETCHERS | VPMU_OLD_SOURCES)
#define OLD_SERVER (SERVER | VPMU_PREFETCHERS | VPMU_OLD_SOURCES)

PERSONALITY(nhm) = {
	IDENTITY(nhm),
	.title = "Nehalem",
	.brand = "Intel Core i7-920 (perf0 vpmu)",
	.signature = 0x000106a5,
	NEHALEM,
	.offcore_bits = {0xffff, 0},
	EVENTS_OF(nehalemep),
};

PERSONALITY(nhmex) = {
	IDENTITY(nhmex),
	.title = "Nehalem-EX",
	.brand = "Intel Xeon X7560 (perf0 vpmu)",
	.signature = 0x000206e6,
	NEHALEM,
	.offcore_bits = {0xffff, 0},
	EVENTS_OF(nehalemex),
};

PERSONALITY(wsm) = {
	IDENTITY(wsm),
	.title = "Westmere",
	.brand = "Intel Xeon X5650 (perf0 vpmu)",
	.signature = 0x000206c2,
	NEHALEM,
	.offcore_bits = {0xffff, 0xffff},
	EVENTS_OF(westmereep_dp),
};

PERSONALITY(wsmex) = {
	IDENTITY(wsmex),
	.title = "Westmere-EX",
	.brand = "Intel Xeon E7-4870 (perf0 vpmu)",
	.signature = 0x000206f2,
	NEHALEM,
	.offcore_bits = {0xffff, 0},
	EVENTS_OF(westmereex),
};

PERSONALITY(snb) = {
	IDENTITY(snb),
	.title = "Sandy Bridge",
	.brand = "Intel Core i7-2600 (perf0 vpmu)",
	.signature = 0x000206a7,
	SANDY_BRIDGE,
	.perf_capabilities = PERF_CAP_FREEZE_SMM | PEBS_RECORDS(1),
	.offcore_bits = {0x3f807f8fff, 0x3f807f8fff},
	.has = OLD_CLIENT & ~VPMU_RAPL_MEMORY,
	EVENTS_OF(sandybridge),
};

PERSONALITY(snbx) = {
	IDENTITY(snbx),
	.title = "Sandy Bridge-EP",
	.brand = "Intel Xeon E5-2670 (perf0 vpmu)",
	.signature = 0x000206d7,
	SANDY_BRIDGE,
	.perf_capabilities = PERF_CAP_FREEZE_SMM | PEBS_RECORDS(1),
	.offcore_bits = {0x3fffff8fff, 0x3fffff8fff},
	.offcore_remote = 0xffull << 23,
	.has = (OLD_CLIENT & ~VPMU_RAPL_GRAPHICS),
	EVENTS_OF(jaketown),
};

PERSONALITY(ivb) = {
	IDENTITY(ivb),
	.title = "Ivy Bridge",
	.brand = "Intel Core i7-3770 (perf0 vpmu)",
	.signature = 0x000306a9,
	SANDY_BRIDGE,
	.perf_capabilities = FULL_WRITES | PEBS_RECORDS(1),
	.offcore_bits = {0x3fffff8fff, 0x3fffff8fff},
	.has = OLD_CLIENT & ~VPMU_RAPL_MEMORY,
	EVENTS_OF(ivybridge),
};

PERSONALITY(ivbx) = {
	IDENTITY(ivbx),
	.title = "Ivy Bridge-EP",
	.brand = "Intel Xeon E5-2697 v2 (perf0 vpmu)",
	.signature = 0x000306e4,
	SANDY_BRIDGE,
	.perf_capabilities = FULL_WRITES | PEBS_RECORDS(1),
	.offcore_bits = {0x3fffff8fff, 0x3fffff8fff},
	.offcore_remote = 0xffull << 23,
	.has = (OLD_CLIENT & ~VPMU_RAPL_GRAPHICS),
	EVENTS_OF(ivytown),
};

PERSONALITY(hsw) = {
	IDENTITY(hsw),
	.title = "Haswell",
	.brand = "Intel Core i7-4770 (perf0 vpmu)",
	.signature = 0x000306c3,
	HASWELL,
	.has = OLD_CLIENT,
	EVENTS_OF(haswell),
};

PERSONALITY(hsx) = {
	IDENTITY(hsx),
	.title = "Haswell-EP",
	.brand = "Intel Xeon E5-2680 v3 (perf0 vpmu)",
	.signature = 0x000306f2,
	HASWELL,
	.has = OLD_SERVER,
	EVENTS_OF(haswellx),
};

PERSONALITY(bdw) = {
	IDENTITY(bdw),
	.title = "Broadwell",
	.brand = "Intel Core i7-5600U (perf0 vpmu)",
	.signature = 0x000306d4,
	HASWELL,
	.has = OLD_CLIENT,
	EVENTS_OF(broadwell),
};

PERSONALITY(bdx) = {
	IDENTITY(bdx),
	.title = "Broadwell-EP",
	.brand = "Intel Xeon E5-2680 v4 (perf0 vpmu)",
	.signature = 0x000406f1,
	HASWELL,
	.has = OLD_SERVER,
	EVENTS_OF(broadwellx),
};

PERSONALITY(bde) = {
	IDENTITY(bde),
	.title = "Broadwell-DE",
	.brand = "Intel Xeon D-1540 (perf0 vpmu)",
	.signature = 0x00050663,
	HASWELL,
	.has = OLD_SERVER,
	EVENTS_OF(broadwellde),
};

/* --- Skylake --- */

#define SKYLAKE                                                                           \
	SHARED_8(4), LBR_5, .offcore_bits = {0x3fffff8fff, 0x3fffff8fff},                 \
			    .frontend_bits = 0x7fff17, .offcore_remote = 7 << 27,         \
			    .perf_capabilities = FULL_WRITES | PEBS_RECORDS(3), SKX_TLBS, \
			    .pt = true
#define SKYLAKE_SERVER (SERVER | VPMU_RAPL_NO_CORES | HWP | VPMU_UNCORE_SKX | VPMU_PREFETCHERS)

PERSONALITY(skl) = {
	IDENTITY(skl),
	.title = "Skylake",
	.brand = "Intel Core i7-6700 (perf0 vpmu)",
	.signature = 0x000506e3,
	SKYLAKE,
	.tsx_force_abort = true,
	.has = CLIENT | VPMU_RAPL_PLATFORM | HWP | VPMU_PREFETCHERS,
	EVENTS_OF(skylake),
};

PERSONALITY(skx) = {
	IDENTITY(skx),
	.title = "Skylake-SP",
	.brand = "Intel Xeon Gold 6130 (perf0 vpmu)",
	.signature = 0x00050654,
	SKYLAKE,
	.tsx_force_abort = true,
	.has = SKYLAKE_SERVER,
	EVENTS_OF(skylakex),
};

PERSONALITY(clx) = {
	IDENTITY(clx),
	.title = "Cascade Lake-SP",
	.brand = "Intel Xeon Gold 6230 (perf0 vpmu)",
	.signature = 0x00050657,
	SKYLAKE,
	.has = SKYLAKE_SERVER,
	EVENTS_OF(cascadelakex),
};

/* --- Ice Lake --- */

#define ICE_LAKE                                                                 \
	.version = 5, .gp = {8, 8}, .fixed = FIXED_4, .lvtpc_masks = true,       \
	.arch_events = EVENTS_8, .width = 48, .slots = 5, .metrics = 4, LBR_5,   \
	.offcore_bits = {0x3fffffbfff, 0x3fffffbfff}, .offcore_remote = 7 << 27, \
	.frontend_bits = 0x7fff17, .pebs_extended = true, .pt = true,            \
	.perf_capabilities = FULL_WRITES | PERF_CAP_METRICS | BASELINE, BY_LEAVES
#define NEW_CLIENT (CLIENT | VPMU_RAPL_PLATFORM | HWP | VPMU_PREFETCHERS)
#define NEW_SERVER (SERVER | VPMU_RAPL_PLATFORM | HWP | VPMU_PREFETCHERS)

PERSONALITY(icl) = {
	IDENTITY(icl),
	.title = "Ice Lake",
	.brand = "Intel Core i7-1065G7 (perf0 vpmu)",
	.signature = 0x000706e5,
	ICE_LAKE,
	.has = NEW_CLIENT,
	EVENTS_OF(icelake),
};

PERSONALITY(icx) = {
	IDENTITY(icx),
	.title = "Ice Lake-SP",
	.brand = "Intel Xeon Gold 6338 (perf0 vpmu)",
	.signature = 0x000606a6,
	ICE_LAKE,
	.has = NEW_SERVER,
	EVENTS_OF(icelakex),
};

PERSONALITY(rkl) = {
	IDENTITY(rkl),
	.title = "Rocket Lake",
	.brand = "Intel Core i9-11900K (perf0 vpmu)",
	.signature = 0x000a0671,
	ICE_LAKE,
	.has = NEW_CLIENT,
	EVENTS_OF(rocketlake),
};

PERSONALITY(tgl) = {
	IDENTITY(tgl),
	.title = "Tiger Lake",
	.brand = "Intel Core i7-1165G7 (perf0 vpmu)",
	.signature = 0x000806c1,
	ICE_LAKE,
	.has = NEW_CLIENT,
	EVENTS_OF(tigerlake),
};

/* --- Golden Cove and Redwood Cove, of servers --- */

#define GOLDEN_COVE_SERVER                                                                   \
	.version = 5, .gp = {8, 8}, .fixed = FIXED_4, .lvtpc_masks = true,                   \
	.arch_events = EVENTS_8, .width = 48, .slots = 6, .metrics = 8, LBR_32,              \
	.offcore_bits = {0x3fffffffff, 0x3fffffffff}, .offcore_remote = 0x33 << 24,          \
	.latency_parts = true, .frontend_bits = 0x7fff1f, .pebs_extended = true, .pt = true, \
	.perf_capabilities = FULL_WRITES | PERF_CAP_METRICS | BASELINE, BY_LEAVES,           \
	.has = NEW_SERVER

PERSONALITY(spr) = {
	IDENTITY(spr),
	.title = "Sapphire Rapids",
	.brand = "Intel Xeon 8480+ (perf0 vpmu)",
	.signature = 0x000806f8,
	GOLDEN_COVE_SERVER,
	EVENTS_OF(sapphirerapids),
};

PERSONALITY(emr) = {
	IDENTITY(emr),
	.title = "Emerald Rapids",
	.brand = "Intel Xeon 8592+ (perf0 vpmu)",
	.signature = 0x000c06f2,
	GOLDEN_COVE_SERVER,
	EVENTS_OF(emeraldrapids),
};

PERSONALITY(gnr) = {
	IDENTITY(gnr),
	.title = "Granite Rapids",
	.brand = "Intel Xeon 6980P (perf0 vpmu)",
	.signature = 0x000a06d1,
	GOLDEN_COVE_SERVER,
	EVENTS_OF(graniterapids),
};
