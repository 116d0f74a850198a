// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_caches.c - CPUID's data about caches and TLBs, decoded independently, equals the rows
 * of vpmu/model/geometry.c. The model can run all rows.
 */
#include "tests/unit/vpmu/modelled_pmu.h"
#include "vpmu/model/geometry.h"

#define CPUS 8

static struct cpuid_regs cache_leaf(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};

	vpmu_model_cpuid(m, leaf, subleaf, &r);
	return r;
}

static uint32_t field(uint32_t v, unsigned low, unsigned high)
{
	return v >> low & (uint32_t)((1ull << (high - low + 1)) - 1);
}

static struct vpmu_model large_core(const char *name, bool ht)
{
	struct vpmu_model m = model_of(name, ht);

	m.machine.package = CPUS;
	return m;
}

/* Type, level, size, ways, sets, inclusive. */
static void check_cache(struct cpuid_regs r, const struct geometry_cache *c, uint32_t type,
			uint32_t level)
{
	const uint32_t line = field(r.ebx, 0, 11) + 1, parts = field(r.ebx, 12, 21) + 1,
		       ways = field(r.ebx, 22, 31) + 1, sets = r.ecx + 1;

	assert_int_equal(field(r.eax, 0, 4), type);
	assert_int_equal(field(r.eax, 5, 7), level);
	assert_int_equal(line, 64);
	assert_int_equal(parts, 1);
	assert_int_equal(ways, c->ways);
	assert_int_equal(line * ways * sets, c->kib * 1024);
	assert_int_equal(field(r.edx, 1, 1), c->holds == GEOMETRY_INCLUSIVE);
	assert_int_equal(field(r.eax, 9, 9), 0);
}

static void check_caches(const struct vpmu_model *m, const struct geometry *g, uint32_t leaf)
{
	check_cache(cache_leaf(m, leaf, 0), &g->l1d, 1, 1);
	check_cache(cache_leaf(m, leaf, 1), &g->l1i, 2, 1);
	check_cache(cache_leaf(m, leaf, 2), &g->l2, 3, 2);
	check_cache(cache_leaf(m, leaf, 3), &g->llc, 3, 3);
	for (uint32_t i = 4; i < 8; i++)
		assert_int_equal(cache_leaf(m, leaf, i).eax, 0);
}

static uint32_t sharing(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf)
{
	return field(cache_leaf(m, leaf, subleaf).eax, 14, 25) + 1;
}

TEST(test_caches)
{
	size_t n;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&n);

	for (size_t i = 0; i < n; i++) {
		const struct vpmu_model m = large_core(list[i]->name, !list[i]->core_type);
		const uint32_t leaf = list[i]->vendor == VPMU_AMD ? 0x8000001d : 4;

		check_caches(&m, vpmu_geometry(list[i]->name), leaf);
		assert_int_equal(sharing(&m, leaf, 0), m.machine.threads);
		assert_int_equal(sharing(&m, leaf, 2),
				 vpmu_geometry(list[i]->name)->l2.shared == GEOMETRY_MODULE
					 ? vpmu_geometry_module(CPUS)
					 : m.machine.threads);
		assert_int_equal(sharing(&m, leaf, 3), CPUS);
		if (leaf == 4)
			assert_int_equal(field(cache_leaf(&m, 4, 0).eax, 26, 31) + 1,
					 CPUS / m.machine.threads);
		else
			assert_int_equal(cache_leaf(&m, 4, 0).eax | cache_leaf(&m, 2, 0).eax, 0);
	}
}

/* Small cores form a module if their ids allow it. */
TEST(test_modules)
{
	static const struct {
		unsigned cpus, module;
	} rows[] = {{2, 1}, {3, 2}, {4, 2}, {6, 1}, {8, 4}, {12, 2}, {16, 4}, {24, 4}};
	const struct vpmu_uarch *adl = vpmu_uarch_find("adl");
	struct vpmu_model m;

	vpmu_model_init(&m, adl->small, false, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		m.machine.package = rows[i].cpus;
		check_caches(&m, vpmu_geometry("adl")->small, 4);
		assert_int_equal(vpmu_geometry_module(rows[i].cpus), rows[i].module);
		assert_int_equal(sharing(&m, 4, 2), rows[i].module);
		for (unsigned cpu = (rows[i].cpus + 1) / 2; cpu < rows[i].cpus; cpu++)
			assert_true(cpu / rows[i].module * rows[i].module >=
				    (rows[i].cpus + 1) / 2);
	}
}

/* --- Leaf 18H --- */

static uint32_t sizes_of(uint8_t pages)
{
	return (pages & GEOMETRY_4K ? 1u : 0) | (pages & GEOMETRY_2M ? 6u : 0) |
	       (pages & GEOMETRY_1G ? 8u : 0);
}

static uint32_t check_tlbs(const struct vpmu_model *m, const struct geometry_tlb *rows,
			   uint32_t type, uint32_t level, uint32_t subleaf)
{
	for (unsigned i = 0; i < GEOMETRY_TLBS && rows[i].entries; i++, subleaf++) {
		const struct cpuid_regs r = cache_leaf(m, 0x18, subleaf);

		assert_int_equal(field(r.edx, 0, 4), type);
		assert_int_equal(field(r.edx, 5, 7), level);
		assert_int_equal(field(r.edx, 8, 8), rows[i].ways == rows[i].entries);
		assert_int_equal(field(r.ebx, 0, 3), sizes_of(rows[i].pages));
		assert_int_equal(field(r.ebx, 16, 31), rows[i].ways);
		assert_int_equal(field(r.ebx, 16, 31) * r.ecx, rows[i].entries);
	}
	return subleaf;
}

static void check_leaf_18(const struct vpmu_model *m, const struct geometry *g)
{
	const bool apart = g->store_tlb[0].entries;
	uint32_t n = 0;

	n = check_tlbs(m, g->itlb, 2, 1, n);
	n = check_tlbs(m, g->dtlb, apart ? 4 : 1, 1, n);
	n = check_tlbs(m, g->store_tlb, 5, 1, n);
	n = check_tlbs(m, g->stlb, 3, 2, n);
	assert_int_equal(cache_leaf(m, 0x18, 0).eax, n - 1);
	assert_int_equal(cache_leaf(m, 0x18, n).edx, 0);
	assert_int_equal(cache_leaf(m, 2, 0).eax, 0x00feff01);
}

TEST(test_tlbs)
{
	const struct vpmu_model icl = large_core("icl", true), adl = large_core("adl", false),
				skx = large_core("skx", true);
	struct vpmu_model small;

	vpmu_model_init(&small, adl.uarch->small, false, 1);
	check_leaf_18(&icl, vpmu_geometry("icl"));
	check_leaf_18(&adl, vpmu_geometry("adl"));
	check_leaf_18(&small, vpmu_geometry("adl")->small);
	assert_int_equal(cache_leaf(&skx, 0x18, 0).edx, 0);
}

/* --- Leaf 2: SDM vol. 2, "Encoding of CPUID Leaf 2 Descriptors" --- */

static const struct descriptor {
	uint8_t code;
	bool code_tlb;
	uint16_t entries, ways;
	uint8_t size;
} described[] = {
	{0x63, false, 32, 4, GEOMETRY_2M}, {0x63, false, 4, 4, GEOMETRY_1G},
	{0x03, false, 64, 4, GEOMETRY_4K}, {0x76, true, 8, 8, GEOMETRY_2M},
	{0xb0, true, 128, 4, GEOMETRY_4K}, {0xb6, true, 128, 8, GEOMETRY_4K},
};

static bool has_descriptor(const struct cpuid_regs *r, uint8_t code)
{
	const uint32_t regs[] = {r->eax & ~0xffu, r->ebx, r->ecx, r->edx};

	for (unsigned i = 0; i < 16; i++)
		if ((regs[i / 4] >> i % 4 * 8 & 0xff) == code)
			return true;
	return false;
}

static bool has_row(const struct geometry_tlb *rows, const struct descriptor *d)
{
	for (unsigned i = 0; i < GEOMETRY_TLBS; i++)
		if (rows[i].entries == d->entries && rows[i].ways == d->ways &&
		    rows[i].pages == d->size)
			return true;
	return false;
}

TEST(test_descriptors)
{
	static const char *const names[] = {"hsw", "skx"};

	for (size_t k = 0; k < 2; k++) {
		const struct vpmu_model m = large_core(names[k], true);
		const struct geometry *g = vpmu_geometry(names[k]);
		const struct cpuid_regs r = cache_leaf(&m, 2, 0);

		assert_int_equal(r.eax & 0xff, 1);
		assert_true(has_descriptor(&r, 0xff)); /* caches by leaf 4 */
		assert_false(has_descriptor(&r, 0xfe));
		for (size_t i = 0; i < sizeof(described) / sizeof(*described); i++)
			assert_int_equal(
				has_descriptor(&r, described[i].code),
				has_row(described[i].code_tlb ? g->itlb : g->dtlb, &described[i]));
		assert_int_equal(has_descriptor(&r, 0xc1), g->stlb[0].entries == 1024);
		assert_int_equal(has_descriptor(&r, 0xc3),
				 g->stlb[0].entries == 1536 && g->stlb[1].entries == 16);
	}
}

/* --- AMD's older leaves --- */

TEST(test_amd)
{
	const struct vpmu_model m = large_core("zen4", true);
	const struct geometry *g = vpmu_geometry("zen4");
	struct cpuid_regs r = cache_leaf(&m, 0x80000005, 0);

	assert_int_equal(r.ecx, g->l1d.kib << 24 | (uint32_t)g->l1d.ways << 16 | 0x140);
	assert_int_equal(r.edx, g->l1i.kib << 24 | (uint32_t)g->l1i.ways << 16 | 0x140);
	assert_int_equal(r.ebx, 0xff48ff40); /* 72 and 64, fully associative */
	assert_int_equal(r.eax, r.ebx);
	r = cache_leaf(&m, 0x80000006, 0);
	assert_int_equal(r.ecx, 1024 << 16 | 6 << 12 | 0x140); /* 6: 8 ways */
	assert_int_equal(r.edx, 16 << 18 | 8 << 12 | 0x140);   /* 8 MiB; 8: 16 ways */
	assert_int_equal(r.ebx, 0x9c006200); /* 3072, see 8000_001D; 512, 8 ways */
	assert_int_equal(cache_leaf(&m, 0x80000019, 0).eax, 0xf048f040);
	assert_int_equal(cache_leaf(&m, 0x80000019, 0).ebx, 0);
}

TEST(test_intel_second_level)
{
	const struct vpmu_model skx = large_core("skx", true), adl = large_core("adl", false);

	assert_int_equal(cache_leaf(&skx, 0x80000006, 0).ecx, 1024 << 16 | 8 << 12 | 64);
	assert_int_equal(cache_leaf(&adl, 0x80000006, 0).ecx, 1280 << 16 | 7 << 12 | 64);
	assert_int_equal(cache_leaf(&skx, 0x80000006, 0).edx, 0);
	assert_int_equal(cache_leaf(&skx, 0x80000005, 0).ecx, 0);
}

/* --- The rows --- */

static void check_row_tlbs(const struct geometry_tlb *rows)
{
	uint8_t pages = 0;

	for (unsigned i = 0; i < GEOMETRY_TLBS; i++) {
		const unsigned sets = rows[i].entries ? rows[i].entries / rows[i].ways : 1;

		assert_int_equal(rows[i].entries, sets * rows[i].ways);
		assert_int_equal(sets & (sets - 1), 0);
		assert_int_equal(pages & rows[i].pages, 0);
		pages |= rows[i].pages;
	}
	assert_true(!rows[0].entries || pages & GEOMETRY_4K);
}

static void check_geometry(const struct geometry *g, const struct vpmu_uarch *u)
{
	const struct geometry_branches *b = &g->branches;

	if (!strcmp(g->name, u->name))
		assert_string_equal(g->title, u->title);
	assert_int_equal(g->width, u->slots);
	check_row_tlbs(g->itlb);
	check_row_tlbs(g->dtlb);
	check_row_tlbs(g->store_tlb);
	check_row_tlbs(g->stlb);
	check_row_tlbs(g->stlb_code);
	assert_true(g->dtlb[0].entries && g->itlb[0].entries && g->stlb[0].entries);
	assert_true(g->l1d.cycles < g->l2.cycles && g->l2.cycles < g->llc.cycles &&
		    g->llc.cycles < g->memory_cycles);
	assert_in_range(b->tables, 1, GEOMETRY_TABLES);
	for (unsigned i = 1; i < b->tables; i++)
		assert_true(b->history[i] > b->history[i - 1]);
	assert_in_range(b->returns, 1, 64);
	assert_in_range(g->fills, 1, 64);
}

TEST(test_rows)
{
	size_t n;
	const struct vpmu_uarch *const *list = vpmu_uarch_list(&n);

	for (size_t i = 0; i < n; i++) {
		check_geometry(vpmu_geometry(list[i]->name), list[i]);
		assert_int_equal(!vpmu_geometry(list[i]->name)->small, !list[i]->small);
		if (list[i]->small)
			check_geometry(vpmu_geometry(list[i]->name)->small, list[i]->small);
	}
	assert_null(vpmu_geometry("p6"));
}
