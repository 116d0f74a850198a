// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_cache.c - CPUID's leaves of caches and TLBs, from the rows of geometry.c instead of the
 * machine below: SDM vol. 2, "CPUID", leaves 2, 4, 18H and 8000_0006H; APM vol. 3, "CPUID",
 * 8000_0005h, 8000_0006h, 8000_0019h and 8000_001Dh.
 */
#include "vpmu/model/geometry.h"
#include "vpmu/model/model_priv.h"

#include "lib/bits.h"

#define LENGTH(a) (sizeof(a) / sizeof(*(a)))

enum cache_type { CACHE_DATA = 1, CACHE_CODE, CACHE_UNIFIED };
#define CACHES 4

const struct geometry *vpmu_geometry_of(const struct vpmu_uarch *uarch)
{
	const struct geometry *g = vpmu_geometry(uarch->name);

	return g && uarch->core_type == VPMU_ATOM ? g->small : g;
}

/* --- Which CPUs share --- */

static uint32_t package_of(const struct vpmu_model *m)
{
	return m->machine.package > m->machine.threads ? m->machine.package : m->machine.threads;
}

static uint32_t sharers(const struct vpmu_model *m, uint8_t shared)
{
	switch (shared) {
	case GEOMETRY_PACKAGE:
		return package_of(m);
	case GEOMETRY_MODULE:
		return vpmu_geometry_module(package_of(m));
	default:
		return m->machine.threads;
	}
}

/* `n` rounded up to a power of two: the APIC ids that it takes. */
static uint32_t ids(uint32_t n)
{
	return 1u << bits_to_number(n);
}

/* --- Caches, a subleaf for each --- */

struct told_cache {
	const struct geometry_cache *cache;
	enum cache_type type;
	uint32_t level;
};

static struct told_cache cache_of(const struct geometry *g, uint32_t subleaf)
{
	const struct told_cache caches[CACHES] = {
		{&g->l1d, CACHE_DATA, 1},
		{&g->l1i, CACHE_CODE, 1},
		{&g->l2, CACHE_UNIFIED, 2},
		{&g->llc, CACHE_UNIFIED, 3},
	};

	return subleaf < CACHES ? caches[subleaf] : (struct told_cache){.cache = NULL};
}

/* The fields that both vendors have: all but the numbers of CPUs. */
static struct told_cache tell_cache(const struct vpmu_model *m, uint32_t subleaf,
				    struct cpuid_regs *r)
{
	const uint32_t self_initializing = 1u << 8, inclusive = 1u << 1, complex_index = 1u << 2;
	const struct told_cache t = cache_of(m->geometry, subleaf);
	uint32_t sets;

	*r = (struct cpuid_regs){0};
	if (!t.cache)
		return t;
	sets = vpmu_geometry_sets(t.cache);
	r->eax = t.type | t.level << 5 | self_initializing;
	r->ebx = (GEOMETRY_LINE - 1) | (t.cache->ways - 1u) << 22;
	r->ecx = sets - 1;
	r->edx = t.cache->holds == GEOMETRY_INCLUSIVE ? inclusive : 0;
	r->edx |= sets & (sets - 1) ? complex_index : 0;
	return t;
}

static void intel_caches(const struct vpmu_model *m, uint32_t subleaf, struct cpuid_regs *r)
{
	const uint32_t most_cores = 64;
	const struct told_cache t = tell_cache(m, subleaf, r);
	uint32_t cores;

	if (!t.cache)
		return;
	cores = ids((package_of(m) + m->machine.threads - 1) / m->machine.threads);
	cores = cores > most_cores ? most_cores : cores;
	r->eax |= (ids(sharers(m, t.cache->shared)) - 1) << 14 | (cores - 1) << 26;
}

static void amd_caches(const struct vpmu_model *m, uint32_t subleaf, struct cpuid_regs *r)
{
	const struct told_cache t = tell_cache(m, subleaf, r);

	if (t.cache)
		r->eax |= (sharers(m, t.cache->shared) - 1) << 14;
}

/* --- TLBs of Intel's --- */

enum tlb_type { TLB_NONE, TLB_DATA, TLB_CODE, TLB_UNIFIED, TLB_LOADS, TLB_STORES };

struct told_tlb {
	const struct geometry_tlb *rows;
	enum tlb_type type;
	uint32_t level;
};

static void tell_tlb(const struct vpmu_model *m, const struct told_tlb *t,
		     const struct geometry_tlb *row, struct cpuid_regs *r)
{
	const uint32_t full = row->ways == row->entries, size_4k = 1, size_2m = 2, size_4m = 4,
		       size_1g = 8;

	r->ebx = (uint32_t)row->ways << 16;
	r->ebx |= row->pages & GEOMETRY_4K ? size_4k : 0;
	r->ebx |= row->pages & GEOMETRY_2M ? size_2m | size_4m : 0;
	r->ebx |= row->pages & GEOMETRY_1G ? size_1g : 0;
	r->ecx = row->entries / row->ways;
	r->edx = t->type | t->level << 5 | full << 8 | (ids(m->machine.threads) - 1) << 14;
}

/* Leaf 18H: a subleaf for each TLB; subleaf 0 has their number, too. */
static void intel_tlbs(const struct vpmu_model *m, uint32_t subleaf, struct cpuid_regs *r)
{
	const struct geometry *g = m->geometry;
	const struct told_tlb tlbs[] = {
		{g->itlb, TLB_CODE, 1},
		{g->dtlb, g->store_tlb[0].entries ? TLB_LOADS : TLB_DATA, 1},
		{g->store_tlb, TLB_STORES, 1},
		{g->stlb, TLB_UNIFIED, 2},
	};
	uint32_t n = 0;

	*r = (struct cpuid_regs){0};
	for (size_t i = 0; i < LENGTH(tlbs); i++)
		for (unsigned k = 0; k < GEOMETRY_TLBS; k++)
			if (tlbs[i].rows[k].entries && n++ == subleaf)
				tell_tlb(m, &tlbs[i], &tlbs[i].rows[k], r);
	if (!subleaf)
		r->eax = n - 1;
}

/* --- The older leaves of AMD's --- */

/* The ways as 8000_0006h encodes them; `other`: for a number without a code. */
static uint32_t ways_code(uint32_t ways, uint32_t entries, uint32_t other)
{
	static const uint8_t codes[] = {
		[1] = 1,   [2] = 2,   [4] = 4,   [6] = 5,   [8] = 6,   [16] = 8,
		[32] = 10, [48] = 11, [64] = 12, [96] = 13, [128] = 14};
	const uint32_t full = 15;

	if (ways && ways == entries)
		return full;
	return ways < LENGTH(codes) && (codes[ways] || !ways) ? codes[ways] : other;
}

#define BY_LEAF_1D 9
#define BY_LEAF_4  7

static const struct geometry_tlb *part_for(const struct geometry_tlb *rows, uint8_t size)
{
	static const struct geometry_tlb none;

	for (unsigned i = 0; i < GEOMETRY_TLBS; i++)
		if (rows[i].pages & size)
			return &rows[i];
	return &none;
}

/* A first-level TLB: ways in 8 bits, entries in 8. */
static uint32_t short_tlb(const struct geometry_tlb *rows, uint8_t size)
{
	const struct geometry_tlb *t = part_for(rows, size);
	const uint32_t full = 0xff;

	return (t->ways == t->entries ? full : t->ways) << 8 | t->entries;
}

/* A TLB of any level: ways in 4 bits, entries in 12. */
static uint32_t long_tlb(const struct geometry_tlb *rows, uint8_t size)
{
	const struct geometry_tlb *t = part_for(rows, size);

	return ways_code(t->ways, t->entries, BY_LEAF_1D) << 12 | t->entries;
}

static uint32_t short_cache(const struct geometry_cache *cache)
{
	return cache->kib << 24 | (uint32_t)cache->ways << 16 | 1 << 8 | GEOMETRY_LINE;
}

static uint32_t long_ways(const struct geometry_cache *cache, uint32_t other)
{
	return ways_code(cache->ways, 0, other) << 12 | GEOMETRY_LINE;
}

static void amd_first_level(const struct geometry *g, struct cpuid_regs *r)
{
	r->eax = short_tlb(g->dtlb, GEOMETRY_2M) << 16 | short_tlb(g->itlb, GEOMETRY_2M);
	r->ebx = short_tlb(g->dtlb, GEOMETRY_4K) << 16 | short_tlb(g->itlb, GEOMETRY_4K);
	r->ecx = short_cache(&g->l1d);
	r->edx = short_cache(&g->l1i);
}

static void amd_second_level(const struct geometry *g, struct cpuid_regs *r)
{
	const uint32_t one_line = 1 << 8, llc_unit = 512;

	r->eax = long_tlb(g->stlb, GEOMETRY_2M) << 16 | long_tlb(g->stlb_code, GEOMETRY_2M);
	r->ebx = long_tlb(g->stlb, GEOMETRY_4K) << 16 | long_tlb(g->stlb_code, GEOMETRY_4K);
	r->ecx = g->l2.kib << 16 | long_ways(&g->l2, BY_LEAF_1D) | one_line;
	r->edx = g->llc.kib / llc_unit << 18 | long_ways(&g->llc, BY_LEAF_1D) | one_line;
}

static void amd_large_pages(const struct geometry *g, struct cpuid_regs *r)
{
	*r = (struct cpuid_regs){
		.eax = long_tlb(g->dtlb, GEOMETRY_1G) << 16 | long_tlb(g->itlb, GEOMETRY_1G),
	};
}

/* --- All --- */

void vpmu_cpuid_caches(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf,
		       struct cpuid_regs *r)
{
	const struct geometry *g = m->geometry;

	if (is_amd(m)) {
		if (leaf == 2 || leaf == 4)
			*r = (struct cpuid_regs){0};
		else if (leaf == 0x80000005)
			amd_first_level(g, r);
		else if (leaf == 0x80000006)
			amd_second_level(g, r);
		else if (leaf == 0x80000019)
			amd_large_pages(g, r);
		else if (leaf == 0x8000001d)
			amd_caches(m, subleaf, r);
	} else if (leaf == 2) {
		*r = m->uarch->descriptors;
	} else if (leaf == 4) {
		intel_caches(m, subleaf, r);
	} else if (leaf == VPMU_TLB_LEAF && vpmu_cpuid_tells_tlbs(m)) {
		intel_tlbs(m, subleaf, r);
	} else if (leaf == 0x80000006) {
		*r = (struct cpuid_regs){.ecx = g->l2.kib << 16 | long_ways(&g->l2, BY_LEAF_4)};
	}
}

bool vpmu_cpuid_tells_tlbs(const struct vpmu_model *m)
{
	const uint32_t by_leaf_18h = 0xfe << 16;

	return (m->uarch->descriptors.eax & 0xff << 16) == by_leaf_18h;
}
