// SPDX-License-Identifier: BSD-2-Clause
/*
 * personality_small.c - Intel's small cores, and hybrids, whose cores have one thread each.
 * Sources: as in personality_large.c. Branch records of Knights Landing report mispredictions,
 * although their format is plain addresses. Silvermont, its base, has that format without them.
 */
#include "vpmu/model/personality.h"

/* --- Small cores alone --- */

#define SMALL(version_, n) ARCHITECTURAL(version_, n, n), .slots = 5, .threads = 1
#define NO_TLBS            DESCRIPTORS(0x0000ff01, 0x000000f0, 0)
#define FIRST_COUNTER      .pebs_counters = 0x01
#define SMALL_CLIENT       (CLIENT | VPMU_PREFETCHERS)
#define SMALL_SERVER       (SERVER | VPMU_PREFETCHERS)
#define ADAPTIVE \
	.pt = true, .pebs_extended = true, .perf_capabilities = FULL_WRITES | BASELINE, BY_LEAVES
#define LBR_8  .lbr_format = LBR_FORMAT_LIP, .lbr_depth = 8
#define LBR_32 .lbr_format = LBR_FORMAT_ARCHITECTURAL, .lbr_depth = 32

PERSONALITY(slm) = {
	IDENTITY(slm),
	.title = "Silvermont",
	.brand = "Intel Atom E3845 (perf0 vpmu)",
	.signature = 0x00030678,
	SMALL(3, 2),
	.width = 40,
	.offcore_bits = {0x768005ffff, 0x368005ffff},
	FIRST_COUNTER,
	LBR_8,
	.lbr_old = true,
	.perf_capabilities = FULL_WRITES | PEBS_RECORDS(2),
	NO_TLBS,
	.has = VPMU_INTEL_MSRS | VPMU_RAPL | VPMU_RAPL_CORES,
	EVENTS_OF(silvermont),
};

PERSONALITY(knl) = {
	IDENTITY(knl),
	.title = "Knights Landing",
	.brand = "Intel Xeon Phi 7210 (perf0 vpmu)",
	.signature = 0x00050671,
	ARCHITECTURAL(3, 2, 2),
	.threads = 4,
	.slots = 5,
	.width = 40,
	.offcore_bits = {0x799ffbbfff, 0x399ffbffff},
	FIRST_COUNTER,
	LBR_8,
	.lbr_flags = 1,
	.perf_capabilities = FULL_WRITES | PEBS_RECORDS(2),
	NO_TLBS,
	.has = SERVER,
	EVENTS_OF(knightslanding),
};

PERSONALITY(glm) = {
	IDENTITY(glm),
	.title = "Goldmont",
	.brand = "Intel Pentium N4200 (perf0 vpmu)",
	.signature = 0x000506c9,
	SMALL(4, 4),
	.width = 48,
	.pt = true,
	.lbr_format = LBR_FORMAT_TIME,
	.lbr_depth = 32,
	.lbr_flags = 1,
	.offcore_bits = {0x760005ffbf, 0x360005ffbf},
	FIRST_COUNTER,
	.perf_capabilities = FULL_WRITES | PEBS_RECORDS(3),
	NO_TLBS,
	.has = SMALL_CLIENT,
	EVENTS_OF(goldmont),
};

PERSONALITY(glp) = {
	IDENTITY(glp),
	.title = "Goldmont Plus",
	.brand = "Intel Pentium N5000 (perf0 vpmu)",
	.signature = 0x000706a1,
	SMALL(4, 4),
	.width = 48,
	.pt = true,
	.lbr_format = LBR_FORMAT_INFO2,
	.lbr_depth = 32,
	.offcore_bits = {0x760005ffbf, 0x360005ffbf},
	.pebs_extended = true,
	.perf_capabilities = FULL_WRITES | PEBS_RECORDS(3),
	NO_TLBS,
	.has = SMALL_CLIENT,
	EVENTS_OF(goldmontplus),
};

PERSONALITY(tnt) = {
	IDENTITY(tnt),
	.title = "Tremont",
	.brand = "Intel Atom x6425E (perf0 vpmu)",
	.signature = 0x00090661,
	SMALL(5, 4),
	.width = 48,
	.lbr_format = LBR_FORMAT_INFO2,
	.lbr_depth = 32,
	.offcore_bits = {0x800ff0ffffff9fff, 0xff0ffffff9fff},
	ADAPTIVE,
	.has = SMALL_CLIENT,
	EVENTS_OF(elkhartlake),
};

#define GRACEMONT_OFFCORE .offcore_bits = {0xc03fffffffff, 0xc03fffffffff}
#define CRESTMONT_OFFCORE .offcore_bits = {0x800ff3ffffffffff, 0xff3ffffffffff}
#define LARGE_RECORDS(format) \
	.perf_capabilities = FULL_WRITES | PERF_CAP_METRICS | ADAPTIVE_RECORDS(format)

/*
 * The common part of one kind of core, in any CPU. CPUID's leaf 23H is as in Meteor, Lunar and
 * Arrow Lake, but for architectural event 12: inserted branch records are not counted here. Skymont
 * has no fixed counter of slots. It has those of bad speculation, front end and retiring, and auto
 * counter reload of general counters 2 to 7 and fixed counters 0 and 1.
 */
#define SMALL_CORE_5                                             \
	.version = 5, .fixed = FIXED_3, .arch_events = EVENTS_7, \
	.perf_capabilities = FULL_WRITES | BASELINE
#define GRACEMONT SMALL_CORE_5, .sources = VPMU_SOURCES_GRACEMONT
#define CRESTMONT \
	SMALL_CORE_5, .extended = true, .tells_slots = true, .sources = VPMU_SOURCES_CRESTMONT
#define GOLDEN_COVE .version = 5, .fixed = FIXED_4, .arch_events = EVENTS_8, LARGE_RECORDS(4)
#define REDWOOD_COVE \
	.version = 5, .fixed = FIXED_4, .arch_events = 0x0dff, .extended = true, LARGE_RECORDS(4)
#define LION_COVE                                                                \
	.version = 6, .fixed = FIXED_4, .arch_events = 0x0dff, .extended = true, \
	.wide_select = true, LARGE_RECORDS(6), .sources = VPMU_SOURCES_LION_COVE
#define SKYMONT                                                                                    \
	.version = 6, .fixed = 0x77, .arch_events = 0x0f7f, .extended = true, .tells_slots = true, \
	.wide_select = true, .reloads = 0x3000000fc,                                               \
	.perf_capabilities = FULL_WRITES | ADAPTIVE_RECORDS(6), .sources = VPMU_SOURCES_CRESTMONT

#define SMALL_SERVER_8                                                                          \
	.gp = {8, 8}, .width = 48, .lvtpc_masks = true, .slots = 5, .threads = 1, LBR_32,       \
	CRESTMONT_OFFCORE, .latency_parts = true, .pt = true, .pebs_extended = true, BY_LEAVES, \
	.has = SMALL_SERVER | VPMU_RAPL_PLATFORM | HWP

PERSONALITY(adl_n) = {
	IDENTITY(adl_n),
	.title = "Gracemont",
	.brand = "Intel N100 (perf0 vpmu)",
	.signature = 0x000b06e0,
	SMALL(5, 6),
	.width = 48,
	LBR_32,
	.sources = VPMU_SOURCES_GRACEMONT,
	GRACEMONT_OFFCORE,
	.latency_parts = true,
	ADAPTIVE,
	.has = SMALL_CLIENT | VPMU_RAPL_PLATFORM | HWP,
	EVENTS_OF(alderlake_gracemont),
};

PERSONALITY(srf) = {
	IDENTITY(srf),           .title = "Sierra Forest", .brand = "Intel Xeon 6780E (perf0 vpmu)",
	.signature = 0x000a06f3, SMALL_SERVER_8,           CRESTMONT,
	EVENTS_OF(sierraforest),
};

PERSONALITY(grr) = {
	IDENTITY(grr),           .title = "Grand Ridge", .brand = "Intel Atom P6900 (perf0 vpmu)",
	.signature = 0x000b0660, SMALL_SERVER_8,         CRESTMONT,
	EVENTS_OF(grandridge),
};

PERSONALITY(cwf) = {
	IDENTITY(cwf),
	.title = "Clearwater F.",
	.brand = "Intel Xeon 6990E+ (perf0 vpmu)",
	.signature = 0x000d06d0,
	SMALL_SERVER_8,
	SKYMONT,
	EVENTS_OF(clearwaterforest),
};

/* --- Hybrids --- */

#define HYBRID_CLIENT (CLIENT | VPMU_RAPL_PLATFORM | HWP | VPMU_PREFETCHERS_CORE)

/* The common part of all cores of a hybrid. */
#define HYBRID                                                                                 \
	.width = 48, .lvtpc_masks = true, .pt = true, LBR_32, .has = HYBRID_CLIENT, BY_LEAVES, \
	.pebs_extended = true, .latency_parts = true

#define SMALL_CORE(n) HYBRID, .core_type = VPMU_ATOM, .gp = {n, n}, .slots = 5
#define LARGE_CORE(n)                                                           \
	HYBRID, .core_type = VPMU_CORE, .gp = {n, n}, .slots = 6, .metrics = 8, \
		.offcore_remote = 0x33 << 24, .frontend_bits = 0x7fff1f

#define ADL                                                                                  \
	IDENTITY(adl), .brand = "Intel Core i9-12900 (perf0 vpmu)", .signature = 0x00090672, \
		       .native_model = 1

static const struct vpmu_uarch adl_small = {
	ADL,
	.title = "Alder Lake, a small core",
	SMALL_CORE(6),
	GRACEMONT,
	GRACEMONT_OFFCORE,
	EVENTS_OF(alderlake_gracemont),
};

PERSONALITY(adl) = {
	ADL,
	.title = "Alder Lake",
	.small = &adl_small,
	LARGE_CORE(8),
	GOLDEN_COVE,
	.offcore_bits = {0x3fffffffff, 0x3fffffffff},
	EVENTS_OF(alderlake_goldencove),
};

#define MTL                                                                                      \
	IDENTITY(mtl), .brand = "Intel Core Ultra 7 155H (perf0 vpmu)", .signature = 0x000a06a4, \
		       .native_model = 2

static const struct vpmu_uarch mtl_small = {
	MTL,
	.title = "Meteor Lake, a small core",
	SMALL_CORE(8),
	CRESTMONT,
	CRESTMONT_OFFCORE,
	EVENTS_OF(meteorlake_crestmont),
};

PERSONALITY(mtl) = {
	MTL,
	.title = "Meteor Lake",
	.small = &mtl_small,
	LARGE_CORE(8),
	REDWOOD_COVE,
	.offcore_bits = {0x3fffffffff, 0x3fffffffff},
	EVENTS_OF(meteorlake_redwoodcove),
};

#define LNL                                                                                      \
	IDENTITY(lnl), .brand = "Intel Core Ultra 7 258V (perf0 vpmu)", .signature = 0x000b06d1, \
		       .native_model = 3

static const struct vpmu_uarch lnl_small = {
	LNL,
	.title = "Lunar Lake, a small core",
	SMALL_CORE(8),
	SKYMONT,
	CRESTMONT_OFFCORE,
	EVENTS_OF(lunarlake_skymont),
};

PERSONALITY(lnl) = {
	LNL,
	.title = "Lunar Lake",
	.small = &lnl_small,
	LARGE_CORE(10),
	LION_COVE,
	.offcore_bits = {0xfffffffffff, 0xfffffffffff},
	EVENTS_OF(lunarlake_lioncove),
};

#define ARL                                                                                      \
	IDENTITY(arl), .brand = "Intel Core Ultra 9 285K (perf0 vpmu)", .signature = 0x000c0662, \
		       .native_model = 3

static const struct vpmu_uarch arl_small = {
	ARL,
	.title = "Arrow Lake, a small core",
	SMALL_CORE(8),
	SKYMONT,
	CRESTMONT_OFFCORE,
	EVENTS_OF(arrowlake_skymont),
};

PERSONALITY(arl) = {
	ARL,
	.title = "Arrow Lake",
	.small = &arl_small,
	LARGE_CORE(10),
	LION_COVE,
	.offcore_bits = {0xfffffffffff, 0xfffffffffff},
	EVENTS_OF(arrowlake_lioncove),
};

#define PTL                                                                                       \
	IDENTITY(ptl), .brand = "Intel Core Ultra X9 388H (perf0 vpmu)", .signature = 0x000c06c0, \
		       .native_model = 1

static const struct vpmu_uarch ptl_small = {
	PTL,
	.title = "Panther Lake, a small core",
	SMALL_CORE(8),
	SKYMONT,
	CRESTMONT_OFFCORE,
	EVENTS_OF(pantherlake_darkmont),
};

PERSONALITY(ptl) = {
	PTL,
	.title = "Panther Lake",
	.small = &ptl_small,
	LARGE_CORE(10),
	LION_COVE,
	.offcore_bits = {0xfffffffffff, 0xfffffffffff},
	EVENTS_OF(pantherlake_cougarcove),
};
