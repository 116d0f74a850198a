// SPDX-License-Identifier: BSD-2-Clause
/*
 * geometry.c - the rows. Sources, by the title of the section:
 *
 * ORM: Intel 64 and IA-32 Architectures Optimization Reference Manual: "The Haswell
 * Microarchitecture", "Skylake Server Microarchitecture", "Ice Lake Client Microarchitecture",
 * "Alder Lake Performance Hybrid Architecture" (Golden Cove, Gracemont); there the tables "Cache
 * Parameters" and "TLB Parameters". Sizes of the last level: the product's page at ark.intel.com.
 *
 * SOG: AMD, Software Optimization Guide for the Zen4 Microarchitecture (57647): "Cache", "Memory
 * Address Translation", "Branch Prediction", "Retire Control Unit", "Load-Store Unit".
 *
 * LLVM: its machine models (X86Sched*.td), for the penalty of a misprediction. TMA: Intel's
 * published formulas of top-down analysis, for the cost of a hit in the STLB, and for page walkers:
 * tma_info_memory_tlb_page_walks_utilization divides by their number.
 *
 * Walks read page tables through L1D on Intel's cores, which count its hits
 * (PAGE_WALKER_LOADS.DTLB_L1 of Haswell), and through L2 on AMD's (BKDG for family 10h, event 07Dh:
 * requests to L2 by walks of page tables). "not looked up": from memory, without a source.
 *
 * "chosen": no manual has the value, or it depends on clocks and memory. It is then a round value
 * within the range that is reported for such a core: latencies of the last level and of memory, the
 * time between two lines, and all sizes of predictors but AMD's return stack. Intel does not
 * describe its predictors; histories of up to 93 and 194 branches are from H. Yavarzadeh et al.,
 * "Half&Half" (2023).
 */
#include "vpmu/model/geometry.h"

#include "lib/string.h"

#include <stdbool.h>

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

#define CACHE(size, n, latency, what, whose)                                               \
	{                                                                                  \
		.kib = (size), .ways = (n), .cycles = (latency), .holds = GEOMETRY_##what, \
		.shared = GEOMETRY_##whose                                                 \
	}
#define TLB(n, w, sizes)                                      \
	{                                                     \
		.entries = (n), .ways = (w), .pages = (sizes) \
	}
#define FULL(n, sizes) TLB(n, n, sizes)

/*
 * Prefetchers. ORM, "Data Prefetching", of Sandy Bridge and later, and SDM vol. 4 of
 * MSR_MISC_FEATURE_CONTROL. Small cores: its bits 0 and 2 for Goldmont; there is no public
 * description of the further ones of Gracemont. SOG, "Prefetching of Data". Unknown, and not there:
 * what Golden Cove's bit 5 (AMP) and Zen's L1 region prefetcher do in detail.
 */
#define CORE_PREFETCHERS \
	(GEOMETRY_L1_NEXT | GEOMETRY_L1_STRIDE | GEOMETRY_L2_STREAM | GEOMETRY_L2_PAIR)
#define ATOM_PREFETCHERS (GEOMETRY_L1_NEXT | GEOMETRY_L2_STREAM)
#define ZEN_PREFETCHERS \
	(GEOMETRY_L1_STREAM | GEOMETRY_L1_STRIDE | GEOMETRY_L2_STREAM | GEOMETRY_L2_UP_DOWN)

/* ORM, "Data Prefetch to L1 Caches": up to 2 KiB. */
#define CORE_STRIDES                         \
	{                                    \
		.most_lines = 32, .ahead = 1 \
	}

#define SMALL_LARGE (GEOMETRY_4K | GEOMETRY_2M)

/* ORM "TLB Parameters of the Haswell Microarchitecture"; Skylake has the same DTLB. */
#define DTLB_64                                                                          \
	{                                                                                \
		TLB(64, 4, GEOMETRY_4K), TLB(32, 4, GEOMETRY_2M), TLB(4, 4, GEOMETRY_1G) \
	}

/* ORM, Gracemont; its last level is that of the large cores. */
static const struct geometry gracemont = {
	.name = "adl",
	.title = "Alder Lake, a small core",
	.l1i = CACHE(64, 8, 3, APART, CORE),
	.l1d = CACHE(32, 8, 3, APART, CORE),
	.l2 = CACHE(2048, 16, 17, APART, MODULE),
	.llc = CACHE(30720, 12, 75, APART, PACKAGE), /* cycles: chosen */
	.itlb = {FULL(64, GEOMETRY_ALL)},
	.dtlb = {FULL(32, GEOMETRY_ALL)},
	.stlb = {TLB(2048, 4, SMALL_LARGE), FULL(8, GEOMETRY_1G)},
	.stlb_cycles = 8, /* chosen */
	.walkers = 2,     /* not looked up */
	.walks_begin = GEOMETRY_WALKS_L1D,
	.memory_cycles = 330, /* chosen */
	.line_cycles = 12,    /* chosen */
	.width = 5,
	.fills = 12, /* chosen */
	.prefetchers = ATOM_PREFETCHERS,
	.branches = {.base_bits = 13, /* chosen, all of them */
		     .tables = 4,
		     .table_bits = 10,
		     .history = {5, 13, 34, 80},
		     .target_bits = 8,
		     .returns = 16},
};

/* ORM, Golden Cove: the common part of Alder Lake's large cores and of servers. */
#define GOLDEN_COVE                                                                                \
	.l1i = CACHE(32, 8, 5, APART, CORE), .l1d = CACHE(48, 12, 5, APART, CORE),                 \
	.itlb = {TLB(256, 8, GEOMETRY_4K), TLB(32, 8, GEOMETRY_2M)},                               \
	.dtlb = {TLB(96, 6, GEOMETRY_4K), TLB(32, 4, GEOMETRY_2M), FULL(8, GEOMETRY_1G)},          \
	.store_tlb = {FULL(16, GEOMETRY_ALL)},                                                     \
	.stlb = {TLB(2048, 16, SMALL_LARGE), TLB(1024, 8, GEOMETRY_1G)},                           \
	.stlb_cycles = 7,                                             /* TMA */                    \
		.walkers = 4,                                         /* TMA */                    \
		.walks_begin = GEOMETRY_WALKS_L1D, .line_cycles = 10, /* chosen */                 \
		.width = 6, .fills = 16, .prefetchers = CORE_PREFETCHERS, .strides = CORE_STRIDES, \
	.branches = {.base_bits = 14, /* chosen, but for three of the histories */                 \
		     .tables = 6,                                                                  \
		     .table_bits = 11,                                                             \
		     .history = {5, 13, 34, 66, 110, 194},                                         \
		     .target_bits = 10,                                                            \
		     .returns = 24}

static const struct geometry geometries[] = {
	{
		.name = "hsw",
		.title = "Haswell",
		.l1i = CACHE(32, 8, 4, APART, CORE),
		.l1d = CACHE(32, 8, 4, APART, CORE),
		.l2 = CACHE(256, 8, 11, APART, CORE),
		.llc = CACHE(8192, 16, 36, INCLUSIVE, PACKAGE), /* cycles: chosen */
		.itlb = {TLB(128, 4, GEOMETRY_4K), FULL(8, GEOMETRY_2M)},
		.dtlb = DTLB_64,
		.stlb = {TLB(1024, 8, SMALL_LARGE)},
		.stlb_cycles = 8, /* TMA */
		.walkers = 1,     /* TMA */
		.walks_begin = GEOMETRY_WALKS_L1D,
		.memory_cycles = 230, /* chosen */
		.line_cycles = 14,    /* chosen */
		.width = 4,
		.fills = 10,
		.prefetchers = CORE_PREFETCHERS,
		.strides = CORE_STRIDES,
		.branches = {.base_bits = 12, /* chosen, all of them */
			     .tables = 4,
			     .table_bits = 10,
			     .history = {4, 10, 24, 60},
			     .target_bits = 8,
			     .returns = 16},
	},
	{
		.name = "skx",
		.title = "Skylake-SP",
		.l1i = CACHE(32, 8, 4, APART, CORE),
		.l1d = CACHE(32, 8, 4, APART, CORE),
		.l2 = CACHE(1024, 16, 14, APART, CORE),
		.llc = CACHE(22528, 11, 60, VICTIM, PACKAGE), /* ORM: 50 to 70 cycles */
		.itlb = {TLB(128, 8, GEOMETRY_4K), FULL(8, GEOMETRY_2M)},
		.dtlb = DTLB_64,
		.stlb = {TLB(1536, 12, SMALL_LARGE), TLB(16, 4, GEOMETRY_1G)},
		.stlb_cycles = 9, /* TMA */
		.walkers = 2,     /* TMA */
		.walks_begin = GEOMETRY_WALKS_L1D,
		.memory_cycles = 250, /* chosen */
		.line_cycles = 14,    /* chosen */
		.width = 4,
		.fills = 12,
		.prefetchers = CORE_PREFETCHERS,
		.strides = CORE_STRIDES,
		.branches = {.base_bits = 13, /* chosen, but for the longest history */
			     .tables = 4,
			     .table_bits = 10,
			     .history = {5, 13, 34, 93},
			     .target_bits = 9,
			     .returns = 16},
	},
	{
		.name = "icl",
		.title = "Ice Lake",
		.l1i = CACHE(32, 8, 5, APART, CORE),
		.l1d = CACHE(48, 12, 5, APART, CORE),
		.l2 = CACHE(512, 8, 13, APART, CORE),
		.llc = CACHE(8192, 16, 42, INCLUSIVE, PACKAGE), /* cycles: chosen */
		.itlb = {TLB(128, 8, GEOMETRY_4K), FULL(16, GEOMETRY_2M)},
		.dtlb = {TLB(64, 4, GEOMETRY_4K), TLB(32, 4, GEOMETRY_2M), FULL(8, GEOMETRY_1G)},
		.store_tlb = {FULL(16, GEOMETRY_ALL)},
		.stlb = {TLB(2048, 16, SMALL_LARGE), TLB(1024, 8, GEOMETRY_1G)},
		.stlb_cycles = 7, /* TMA */
		.walkers = 2,     /* TMA */
		.walks_begin = GEOMETRY_WALKS_L1D,
		.memory_cycles = 300, /* chosen */
		.line_cycles = 12,    /* chosen */
		.width = 5,
		.fills = 12,
		.prefetchers = CORE_PREFETCHERS,
		.strides = CORE_STRIDES,
		.branches = {.base_bits = 13, /* chosen, but for the longest history */
			     .tables = 5,
			     .table_bits = 11,
			     .history = {5, 13, 34, 66, 194},
			     .target_bits = 9,
			     .returns = 24},
	},
	{
		.name = "adl",
		.title = "Alder Lake",
		.small = &gracemont,
		GOLDEN_COVE,
		.l2 = CACHE(1280, 10, 15, APART, CORE),
		.llc = CACHE(30720, 12, 70, APART, PACKAGE), /* cycles: chosen */
		.memory_cycles = 350,                        /* chosen */
	},
	{
		.name = "spr",
		.title = "Sapphire Rapids",
		GOLDEN_COVE,
		.l2 = CACHE(2048, 16, 15, APART, CORE),
		.llc = CACHE(107520, 15, 80, VICTIM, PACKAGE), /* cycles: chosen */
		.memory_cycles = 400,                          /* chosen */
	},
	{
		.name = "zen4",
		.title = "Zen 4",
		.l1i = CACHE(32, 8, 4, APART, CORE),
		.l1d = CACHE(32, 8, 4, APART, CORE),
		.l2 = CACHE(1024, 8, 14, INCLUSIVE, CORE),
		/* One core had so much of the 32 MiB of eight, beside other machines' load. */
		.llc = CACHE(8192, 16, 50, VICTIM, PACKAGE),
		.itlb = {FULL(64, GEOMETRY_ALL)},
		.dtlb = {FULL(72, GEOMETRY_ALL)},
		.stlb = {TLB(3072, 24, SMALL_LARGE)},
		.stlb_code = {TLB(512, 8, SMALL_LARGE)},
		.stlb_cycles = 7, /* SOG */
		.walkers = 6,     /* not looked up */
		.walks_begin = GEOMETRY_WALKS_L2,
		.memory_cycles = 550, /* measured on family 25, model 17, with pages of 2 MiB */
		/* Measured: reading 512 KiB in their order; 4 MiB in any order, and in theirs
		 * (2.5); 128 MiB in theirs; lines of 256 pages; strides of loads that wait for each
		 * other. */
		.l2_line_cycles = 2,
		.llc_line_cycles = 5,
		.llc_ahead_cycles = 3,
		.line_cycles = 8,
		.stlb_lookup_cycles = 2,
		.strides = {.most_lines = 2048, .ahead = 8, .leaves_page = true},
		.width = 6,
		.fills = 24, /* SOG: miss address buffers */
		.prefetchers = ZEN_PREFETCHERS,
		.branches = {.base_bits = 14, /* chosen, but for the return stack */
			     .tables = 6,
			     .table_bits = 11,
			     .history = {5, 13, 34, 66, 110, 194},
			     .target_bits = 10,
			     .returns = 32},
	},
};

/* Personalities that use another one's core: its cache sizes, TLBs and widths stand for theirs,
 * though some differ. */
static const struct {
	const char *name, *as;
	bool small; /* its small cores */
} families[] = {
	{"nhm", "hsw", false},     {"nhmex", "hsw", false},     {"wsm", "hsw", false},
	{"wsmex", "hsw", false},   {"snb", "hsw", false},       {"snbx", "hsw", false},
	{"ivb", "hsw", false},     {"ivbx", "hsw", false},      {"hsx", "hsw", false},
	{"bdw", "hsw", false},     {"bdx", "hsw", false},       {"bde", "hsw", false},
	{"skl", "skx", false},     {"clx", "skx", false},       {"icx", "icl", false},
	{"rkl", "icl", false},     {"tgl", "icl", false},       {"emr", "spr", false},
	{"gnr", "spr", false},     {"mtl", "adl", false},       {"lnl", "adl", false},
	{"arl", "adl", false},     {"ptl", "adl", false},       {"slm", "adl", true},
	{"knl", "adl", true},      {"glm", "adl", true},        {"glp", "adl", true},
	{"tnt", "adl", true},      {"adl_n", "adl", true},      {"srf", "adl", true},
	{"grr", "adl", true},      {"cwf", "adl", true},        {"k8", "zen4", false},
	{"fam10h", "zen4", false}, {"fam15h", "zen4", false},   {"fam16h", "zen4", false},
	{"zen1", "zen4", false},   {"zen2", "zen4", false},     {"zen3", "zen4", false},
	{"zen5", "zen4", false},   {"kvm_intel", "skx", false}, {"kvm_amd", "zen4", false},
};
_Static_assert(LENGTH(geometries) + LENGTH(families) == VPMU_NUMBERS,
	       "a personality without a geometry");

static const struct geometry *own_geometry(const char *name)
{
	for (size_t i = 0; i < LENGTH(geometries); i++)
		if (!strcmp(geometries[i].name, name))
			return &geometries[i];
	return NULL;
}

const struct geometry *vpmu_geometry(const char *name)
{
	const struct geometry *own;

	for (size_t i = 0; i < LENGTH(families); i++)
		if (!strcmp(families[i].name, name)) {
			own = own_geometry(families[i].as);
			return families[i].small ? own->small : own;
		}
	return own_geometry(name);
}

uint32_t vpmu_geometry_sets(const struct geometry_cache *cache)
{
	return cache->kib * 1024 / GEOMETRY_LINE / cache->ways;
}

unsigned vpmu_geometry_module(unsigned cpus)
{
	const unsigned first = (cpus + 1) / 2, most = 4;
	unsigned n = 1;

	while (n < most && first && first % (2 * n) == 0)
		n *= 2;
	return n;
}
