// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_model_uarchs.c - the personalities side by side: their counters, missing registers, and some
 * events, by hand from the manuals.
 */
#include "lib/words/shape_words.h"
#include "tests/unit/vpmu/modelled_pmu.h"
#include "vpmu/model/model_priv.h"

#define FORMAT(m) PERF_CAP_PEBS_FMT((m)->uarch->perf_capabilities)

static const struct machine {
	const char *name;
	uint8_t version, off, on, fixed, width, pebs, lbr_depth;
	uint32_t signature;
} machines[] = {
	{"nhm", 3, 4, 4, 0x7, 48, 1, 16, 0x106a5},      {"nhmex", 3, 4, 4, 0x7, 48, 1, 16, 0x206e6},
	{"wsm", 3, 4, 4, 0x7, 48, 1, 16, 0x206c2},      {"wsmex", 3, 4, 4, 0x7, 48, 1, 16, 0x206f2},
	{"snb", 3, 8, 4, 0x7, 48, 1, 16, 0x206a7},      {"snbx", 3, 8, 4, 0x7, 48, 1, 16, 0x206d7},
	{"ivb", 3, 8, 4, 0x7, 48, 1, 16, 0x306a9},      {"ivbx", 3, 8, 4, 0x7, 48, 1, 16, 0x306e4},
	{"hsw", 3, 8, 4, 0x7, 48, 2, 16, 0x306c3},      {"hsx", 3, 8, 4, 0x7, 48, 2, 16, 0x306f2},
	{"bdw", 3, 8, 4, 0x7, 48, 2, 16, 0x306d4},      {"bdx", 3, 8, 4, 0x7, 48, 2, 16, 0x406f1},
	{"bde", 3, 8, 4, 0x7, 48, 2, 16, 0x50663},      {"skl", 4, 8, 4, 0x7, 48, 3, 32, 0x506e3},
	{"skx", 4, 8, 4, 0x7, 48, 3, 32, 0x50654},      {"clx", 4, 8, 4, 0x7, 48, 3, 32, 0x50657},
	{"icl", 5, 8, 8, 0xf, 48, 4, 32, 0x706e5},      {"icx", 5, 8, 8, 0xf, 48, 4, 32, 0x606a6},
	{"rkl", 5, 8, 8, 0xf, 48, 4, 32, 0xa0671},      {"tgl", 5, 8, 8, 0xf, 48, 4, 32, 0x806c1},
	{"adl", 5, 8, 8, 0xf, 48, 4, 32, 0x90672},      {"spr", 5, 8, 8, 0xf, 48, 4, 32, 0x806f8},
	{"emr", 5, 8, 8, 0xf, 48, 4, 32, 0xc06f2},      {"mtl", 5, 8, 8, 0xf, 48, 4, 32, 0xa06a4},
	{"gnr", 5, 8, 8, 0xf, 48, 4, 32, 0xa06d1},      {"lnl", 6, 10, 10, 0xf, 48, 6, 32, 0xb06d1},
	{"arl", 6, 10, 10, 0xf, 48, 6, 32, 0xc0662},    {"ptl", 6, 10, 10, 0xf, 48, 6, 32, 0xc06c0},
	{"slm", 3, 2, 2, 0x7, 40, 2, 8, 0x30678},       {"knl", 3, 2, 2, 0x7, 40, 2, 8, 0x50671},
	{"glm", 4, 4, 4, 0x7, 48, 3, 32, 0x506c9},      {"glp", 4, 4, 4, 0x7, 48, 3, 32, 0x706a1},
	{"tnt", 5, 4, 4, 0x7, 48, 4, 32, 0x90661},      {"adl_n", 5, 6, 6, 0x7, 48, 4, 32, 0xb06e0},
	{"srf", 5, 8, 8, 0x7, 48, 4, 32, 0xa06f3},      {"grr", 5, 8, 8, 0x7, 48, 4, 32, 0xb0660},
	{"cwf", 6, 8, 8, 0x77, 48, 6, 32, 0xd06d0},     {"k8", 0, 4, 4, 0, 48, 0, 0, 0x40f12},
	{"fam10h", 0, 4, 4, 0, 48, 0, 0, 0x100f43},     {"fam15h", 0, 6, 6, 0, 48, 0, 0, 0x600f12},
	{"fam16h", 0, 4, 4, 0, 48, 0, 0, 0x700f01},     {"zen1", 0, 6, 6, 0, 48, 0, 0, 0x800f11},
	{"zen2", 0, 6, 6, 0, 48, 0, 0, 0x870f10},       {"zen3", 0, 6, 6, 0, 48, 0, 16, 0xa20f10},
	{"zen4", 2, 6, 6, 0, 48, 0, 16, 0xa60f12},      {"zen5", 2, 6, 6, 0, 48, 0, 16, 0xb40f40},
	{"kvm_intel", 2, 8, 4, 0x7, 48, 0, 0, 0x50654}, {"kvm_amd", 0, 6, 6, 0, 48, 0, 0, 0xa00f11},
};
#define MACHINES (sizeof(machines) / sizeof(*machines))
_Static_assert(MACHINES == VPMU_NUMBERS, "a personality is left out");

static struct cpuid_regs ask_subleaf(const struct vpmu_model *m, uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {0};

	vpmu_model_cpuid(m, leaf, subleaf, &r);
	return r;
}

static struct cpuid_regs ask(const struct vpmu_model *m, uint32_t leaf)
{
	return ask_subleaf(m, leaf, 0);
}

TEST(test_machines)
{
	for (size_t i = 0; i < MACHINES; i++) {
		const struct machine *is = &machines[i];

		for (unsigned ht = 0; ht < 2; ht++) {
			const struct vpmu_model m = model_of(is->name, ht);

			assert_int_equal(m.layout.ngp, ht ? is->on : is->off);
			assert_int_equal(m.uarch->fixed, is->fixed);
			assert_int_equal(ask(&m, 1).eax, is->signature);
			assert_int_equal(m.uarch->version, is->version);
			assert_int_equal(m.uarch->width, is->width);
			assert_int_equal(FORMAT(&m), is->pebs);
			assert_int_equal(m.uarch->lbr_depth, is->lbr_depth);
			if (m.uarch->vendor == VPMU_AMD)
				continue;
			assert_int_equal(ask(&m, 0xa).eax & 0xffffff,
					 is->version | m.layout.ngp << 8 | is->width << 16);
			assert_int_equal(ask(&m, 0xa).edx & 0x1fff,
					 __builtin_ctz(~is->fixed) | is->width << 5);
			assert_int_equal(ask(&m, 0xa).ecx, is->version >= 5 ? is->fixed : 0);
		}
	}
}

/* Threads of a core: only cores with hyper-threading have two. */
TEST(test_threads)
{
	static const char *const single[] = {"slm", "glm", "glp", "tnt", "adl_n",  "srf",
					     "grr", "cwf", "lnl", "k8",  "fam10h", "fam15h"};
	static const char *const two[] = {"nhm", "spr", "icx", "zen1", "zen5"};

	for (size_t i = 0; i < sizeof(single) / sizeof(*single); i++)
		assert_int_equal(model_of(single[i], true).machine.threads, 1);
	for (size_t i = 0; i < sizeof(two) / sizeof(*two); i++)
		assert_int_equal(model_of(two[i], true).machine.threads, 2);
	assert_int_equal(model_of("knl", false).machine.threads, 1);
	assert_int_equal(model_of("knl", true).machine.threads, 4);
}

/* SDM vol. 2, "CPUID", leaves 01H, 04H and 0BH: a package of one core of four threads. */
TEST(test_four_threads)
{
	const struct vpmu_model m = model_of("knl", true);
	struct cpuid_regs r = {.ebx = 1 << 16};

	vpmu_model_cpuid(&m, 1, 0, &r);
	assert_int_equal(r.ebx >> 16 & 0xff, 4);
	assert_int_equal(r.edx >> 28 & 1, 1);
	r = (struct cpuid_regs){.ebx = 1};
	vpmu_model_cpuid(&m, 0xb, 0, &r);
	assert_int_equal(r.eax, 2);
	assert_int_equal(r.ebx, 4);
	assert_int_equal(r.ecx >> 8, 1); /* threads */
	assert_int_equal((ask(&m, 4).eax >> 14 & 0xfff) + 1, 4);
}

/* --- Leaf 23H --- */

/*
 * The values of real CPUs with both kinds of cores, with two exceptions. Architectural event 12 is
 * absent, and slots of a cycle are those of the modelled core.
 */
static const struct told {
	const char *name;
	bool small;
	struct cpuid_regs leaf_0ah;
	uint32_t subleaves, select, slots, counters, fixed, events, kind;
} tells[] = {
	{"adl", false, {0x07300605, 0, 0x7, 0x8603}, 0, 0, 0, 0, 0, 0, 0x40000001},
	{"adl", true, {0x07300605, 0, 0x7, 0x8603}, 0, 0, 0, 0, 0, 0, 0x20000001},
	{"mtl", false, {0x07300805, 0, 0x7, 0x8603}, 0xb, 0, 0, 0xff, 0xf, 0xdff, 0x40000002},
	{"mtl", true, {0x07300805, 0, 0x7, 0x8603}, 0xb, 0, 5, 0xff, 0x7, 0x7f, 0x20000002},
	{"lnl", false, {0x0c300806, 0x280, 0x7, 0x8603}, 0xb, 3, 0, 0x3ff, 0xf, 0xdff, 0x40000003},
	{"lnl", true, {0x0c300806, 0x280, 0x7, 0x8603}, 0xf, 3, 5, 0xff, 0x77, 0xf7f, 0x20000003},
	{"arl", false, {0x0c300806, 0x280, 0x7, 0x8603}, 0xb, 3, 0, 0x3ff, 0xf, 0xdff, 0x40000003},
	{"arl", true, {0x0c300806, 0x280, 0x7, 0x8603}, 0xf, 3, 5, 0xff, 0x77, 0xf7f, 0x20000003},
};

static void assert_told(const struct vpmu_model *m, const struct told *is)
{
	const struct cpuid_regs zero = {0}, leaf = ask(m, 0xa), first = ask_subleaf(m, 0x23, 0),
				last = ask_subleaf(m, 0x23, 4);

	assert_memory_equal(&leaf, &is->leaf_0ah, sizeof(leaf));
	assert_int_equal(ask(m, 0).eax >= 0x23, !!is->subleaves);
	assert_int_equal(ask_subleaf(m, 7, 1).eax >> 8 & 1, !!is->subleaves);
	assert_int_equal(ask(m, 7).eax, !!is->subleaves);
	assert_true(first.eax == is->subleaves && first.ebx == is->select);
	assert_true(first.ecx == is->slots && first.edx == 0);
	assert_int_equal(ask_subleaf(m, 0x23, 1).eax, is->counters);
	assert_int_equal(ask_subleaf(m, 0x23, 1).ebx, is->fixed);
	assert_int_equal(ask_subleaf(m, 0x23, 3).eax, is->events);
	assert_memory_equal(&last, &zero, sizeof(last));
	assert_int_equal(ask(m, 0x1a).eax, is->kind);
}

TEST(test_leaf_23h)
{
	for (size_t i = 0; i < sizeof(tells) / sizeof(*tells); i++) {
		const struct vpmu_uarch *large = vpmu_uarch_find(tells[i].name);
		struct vpmu_model m;

		vpmu_model_init(&m, tells[i].small ? large->small : large, false, CPI);
		vpmu_model_beside(&m, tells[i].small ? large : large->small);
		assert_told(&m, &tells[i]);
	}
}

/* Fixed counters of a CPU with one kind of core: leaf 0AH has all of them, with the gap. */
TEST(test_fixed_counters_with_a_gap)
{
	struct vpmu_model m = model_of("cwf", false);
	const uint64_t on = 3, all = 0x3330333;

	assert_int_equal(ask(&m, 0xa).ecx, 0x77);
	assert_int_equal(ask(&m, 0xa).edx & 0x1f, 3);
	assert_int_equal(ask(&m, 0xa).ebx, 0x80);
	write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, all);
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_FIXED_CTR_CTRL, on << 12), VPMU_GP);
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_FIXED_CTR0 + 3, 0), VPMU_GP);
	assert_true(vpmu_model_wrmsr_faults(&m, MSR_IA32_FIXED_CTR0 + 3, 0));
	assert_false(vpmu_model_wrmsr_faults(&m, MSR_IA32_FIXED_CTR0 + 4, 0));
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << 35), VPMU_GP);
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 0x77ull << 32);
	assert_int_equal(m.derived.nlive, 6);
}

/* Fixed counters 4 to 6 count the same as general counters with the same event, at any level. */
TEST(test_fixed_counters_of_slots)
{
	static const uint64_t selectors[] = {SEL(0x73, 0x00), SEL(0x9c, 0x01), SEL(0xc2, 0x02)};
	static const enum events_level levels[] = {EVENTS_LEVEL_NONE, EVENTS_LEVEL_MODEL};

	for (unsigned level = 0; level < 2; level++) {
		struct vpmu_model m = model_of("cwf", false);

		vpmu_model_counts(&m, levels[level]);
		for (unsigned i = 0; i < 3; i++) {
			write_msr(&m, MSR_IA32_PERFEVTSEL0 + i, selectors[i]);
			write_msr(&m, MSR_IA32_FIXED_CTR_CTRL, 3ull << 4 * (4 + i));
			write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1ull << i | 1ull << (36 + i));
			assert_int_equal(m.derived.nlive, 2);
			assert_memory_equal(&m.derived.live[0].rate, &m.derived.live[1].rate,
					    sizeof(m.derived.live[0].rate));
			assert_true(m.derived.live[0].rate.num);
		}
	}
}

/* --- Version 6 --- */

static void assert_alias(struct vpmu_model *m, uint32_t one, uint32_t other, uint64_t value)
{
	write_msr(m, one, value);
	assert_int_equal(read_msr(m, other), value);
	write_msr(m, other, value - 1);
	assert_int_equal(read_msr(m, one), value - 1);
}

TEST(test_aliases)
{
	struct vpmu_model m = model_of("lnl", false), old = model_of("mtl", false);
	uint64_t v;

	for (unsigned i = 0; i < m.layout.ngp; i++) {
		assert_alias(&m, MSR_IA32_PMC_GP0_CTR + 4 * i, MSR_IA32_A_PMC0 + i, MASK48 - i);
		assert_alias(&m, MSR_IA32_PMC_GP0_CFG_A + 4 * i, MSR_IA32_PERFEVTSEL0 + i,
			     SEL(0xc0, 0x01));
	}
	for (unsigned i = 0; i < 4; i++)
		assert_alias(&m, MSR_IA32_PMC_FX0_CTR + 4 * i, MSR_IA32_FIXED_CTR0 + i, MASK48 - i);
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_PMC_GP0_CTR, MASK48 + 1), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&m, MSR_IA32_PMC_FX0_CTR + 1, &v), VPMU_NOT_OURS);
	assert_int_equal(vpmu_model_rdmsr(&m, MSR_IA32_PMC_FX0_CTR + 16, &v), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&old, MSR_IA32_PMC_GP0_CTR, &v), VPMU_GP);
}

/* UMASK2 is part of the event, but no event of these cores uses it. EQ is a further condition. */
TEST(test_wide_selectors)
{
	const uint64_t umask2 = 1ull << 40, eq = 1ull << 36;
	static const struct {
		uint64_t sel;
		bool counts;
	} rows[] = {
		{SEL(0x3c, 0x00), true},
		{SEL(0x3c, 0x00) | 1ull << 40, false},
		{SEL(0x3c, 0x00) | 1ull << 36, true}, /* without a counter mask there is no EQ */
		{SEL(0x3c, 0x00) | 1ull << 36 | CMASK(1), true},
		{SEL(0x3c, 0x00) | 1ull << 36 | CMASK(2), false},
		{SEL(0xa4, 0x01) | CMASK(5), true}, /* slots, of which each cycle has six */
		{SEL(0xa4, 0x01) | 1ull << 36 | CMASK(5), false},
		{SEL(0xa4, 0x01) | 1ull << 36 | CMASK(6), true},
	};
	struct vpmu_model old = model_of("mtl", false);

	assert_int_equal(vpmu_model_wrmsr(&old, MSR_IA32_PERFEVTSEL0, umask2), VPMU_GP);
	assert_int_equal(vpmu_model_wrmsr(&old, MSR_IA32_PERFEVTSEL0, eq), VPMU_GP);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = model_of("lnl", false);

		write_msr(&m, MSR_IA32_PERFEVTSEL0, rows[i].sel);
		assert_int_equal(read_msr(&m, MSR_IA32_PERFEVTSEL0), rows[i].sel);
		write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1);
		run_model(&m, VPMU_OS, 1000);
		assert_int_equal(read_msr(&m, MSR_IA32_PMC0) > 0, rows[i].counts);
	}
}

/* --- Absent features --- */

TEST(test_absent_registers)
{
	static const struct {
		const char *name;
		uint32_t msr;
	} rows[] = {
		{"nhm", MSR_OFFCORE_RSP_1},
		{"wsmex", MSR_OFFCORE_RSP_1},
		{"nhm", MSR_IA32_A_PMC0},
		{"snb", MSR_IA32_A_PMC0},
		{"nhm", MSR_IA32_PMC0 + 4},
		{"snb", MSR_IA32_PERF_GLOBAL_STATUS_SET},
		{"bdw", MSR_PEBS_FRONTEND},
		{"clx", MSR_TSX_FORCE_ABORT},
		{"clx", MSR_PEBS_DATA_CFG},
		{"spr", MSR_IA32_PMC0 + 8},
		{"slm", MSR_PEBS_LD_LAT},
		{"glp", MSR_PEBS_LD_LAT},
		{"glp", MSR_PEBS_DATA_CFG},
		{"tnt", MSR_PEBS_FRONTEND},
		{"k8", MSR_AMD_IBS_FETCH_CTL},
		{"k8", MSR_AMD_PERF_CTL0},
		{"fam10h", MSR_AMD_PERF_CTL0},
		{"fam16h", MSR_AMD_PERF_CTL0},
		{"fam10h", MSR_AMD_IBS_FETCH_CTL + 11}, /* branch target */
		{"fam15h", MSR_AMD_IBS_FETCH_CTL + 12}, /* extended fetch control */
		{"zen3", MSR_AMD_PERF_CNTR_GLOBAL_CTL},
		{"zen3", MSR_AMD_LBR_SELECT},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = model_of(rows[i].name, false);
		uint64_t v;

		vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
		if (vpmu_model_rdmsr(&m, rows[i].msr, &v) != VPMU_GP ||
		    vpmu_model_wrmsr(&m, rows[i].msr, 0) != VPMU_GP)
			fail_msg("%s: %#x is there", rows[i].name, rows[i].msr);
	}
}

/* The counters after the eighth. */
TEST(test_ten_counters)
{
	struct vpmu_model m = model_of("lnl", false);

	write_msr(&m, MSR_IA32_PERFEVTSEL0 + 9, SEL(0xc0, 0x00));
	write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1 << 9);
	run_model(&m, VPMU_USR, 123);
	assert_int_equal(read_msr(&m, MSR_IA32_PMC0 + 9), 123);
	assert_int_equal(read_msr(&m, MSR_IA32_A_PMC0 + 9), 123);
	/* Format 6 has reset values of more than eight. */
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_PEBS_ENABLE, 1 << 9), VPMU_DONE);
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_PEBS_ENABLE, 1 << 10), VPMU_GP);
}

TEST(test_amd_features)
{
	const uint32_t ibs = 1 << 10, core = 1 << 23, northbridge = 1 << 24, l3 = 1 << 28;
	static const struct {
		const char *name;
		uint32_t features, ibs, v2;
	} rows[] = {
		{"k8", 0, 0, 0},
		{"fam10h", ibs, 0x1f, 0},
		{"fam15h", ibs | core | northbridge, 0xff, 0},
		{"fam16h", ibs | northbridge | l3, 0xff, 0},
		{"zen1", ibs | core | northbridge | l3, 0x3ff, 0},
		{"zen3", ibs | core | northbridge | l3, 0x3ff, 0},
		{"zen4", ibs | core | northbridge | l3, 0xbff, 1},
		{"zen5", ibs | core | northbridge | l3, 0x81bff, 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct vpmu_model m = model_of(rows[i].name, true);

		assert_int_equal(ask(&m, 0x80000001).ecx & (ibs | core | northbridge | l3),
				 rows[i].features);
		assert_int_equal(ask(&m, 0x8000001b).eax, rows[i].ibs);
		assert_int_equal(ask(&m, 0x80000022).eax & 1, rows[i].v2);
		assert_int_equal(ask(&m, 0x80000000).eax >= 0x80000022, rows[i].v2);
	}
}

/* --- Counting --- */

/* Without a master switch a selector starts the counter, and PMIs come, too. */
TEST(test_no_switch)
{
	static const char *const names[] = {"k8", "fam10h", "fam15h", "fam16h", "zen1", "zen3"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct vpmu_model m = model_of(names[i], false);

		write_msr(&m, general_counter_msr(&m, 3), -100ull & MASK48);
		write_msr(&m, general_selector_msr(&m, 3), SEL(0xc0, 0x00) | EVTSEL_INT);
		assert_int_equal(vpmu_model_until(&m, VPMU_USR), 100);
		run_model(&m, VPMU_USR, 99);
		assert_false(vpmu_model_deliver(&m));
		run_model(&m, VPMU_USR, 1);
		assert_true(vpmu_model_deliver(&m));
		assert_int_equal(read_msr(&m, general_counter_msr(&m, 3)), 0);
	}
}

/* If 32 bits can be written, a counter without sampling is set as far from its overflow as
 * possible, and counts cycles all the same. The same holds for 40 bits. */
TEST(test_far_enough)
{
	static const struct {
		const char *name;
		uint32_t msr;
		uint64_t start;
	} rows[] = {
		{"snb", MSR_IA32_PMC0, -0x7fffffffull},
		{"slm", MSR_IA32_A_PMC0, (1ull << 39) + 1},
		{"skx", MSR_IA32_A_PMC0, (1ull << 47) + 1},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = model_of(rows[i].name, true);

		write_msr(&m, rows[i].msr, rows[i].start);
		assert_false(vpmu_counter_samples(&m, &m.regs.gp[0]));
		write_msr(&m, rows[i].msr,
			  m.uarch->width == 40 ? (1ull << 40) - 100 : -100ull & MASK48);
		assert_true(vpmu_counter_samples(&m, &m.regs.gp[0]));
	}
}

/* Nehalem's bits of off-core responses differ from the later ones. */
TEST(test_old_offcore)
{
	static const struct {
		uint64_t value;
		int16_t term[4];
	} rows[] = {
		/* Loads and their prefetches: hits in the last level, memory, both; code from
		   memory. */
		{0x0701,
		 {EVENTS_LLC_READS + 1, -(EVENTS_LLC_READ_MISSES + 1), EVENTS_PREFETCH_MISSES + 1,
		  -(EVENTS_PREFETCH_LLC_MISSES + 1)}},
		{0x4001, {EVENTS_LLC_READ_MISSES + 1, EVENTS_PREFETCH_LLC_MISSES + 1}},
		{0x4701, {EVENTS_LLC_READS + 1, EVENTS_PREFETCH_MISSES + 1}},
		{0x4004, {EVENTS_LLC_CODE_MISSES + 1}},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = model_of("nhm", false);

		vpmu_model_counts(&m, EVENTS_LEVEL_MODEL);
		write_msr(&m, MSR_OFFCORE_RSP_0, rows[i].value);
		write_msr(&m, MSR_IA32_PERFEVTSEL0 + 2, SEL(0xb7, 0x01));
		write_msr(&m, MSR_IA32_PERF_GLOBAL_CTRL, 1 << 2);
		assert_int_equal(m.derived.nlive, 1);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(m.derived.live[0].rate.sum.term[k], rows[i].term[k]);
	}
}

/* By hand, from the manuals: SDM vol. 3B, "Performance Monitoring Events"; BKDGs, PPRs. */
TEST(test_events)
{
	static const struct {
		const char *name;
		uint64_t sel;
		enum vpmu_counts counts;
		uint16_t counters;
	} rows[] = {
		{"nhm", SEL(0x0b, 0x01), VPMU_COUNTS_LOADS, 0xf},
		{"nhm", SEL(0x0b, 0x02), VPMU_COUNTS_STORES, 0xf},
		{"nhm", SEL(0x51, 0x01), VPMU_COUNTS_L1_REPLACED, 0x3},
		{"wsm", SEL(0xcb, 0x01), VPMU_COUNTS_L1_HITS, 0xf},
		{"snb", SEL(0xd0, 0x81), VPMU_COUNTS_LOADS, 0xf},
		{"snb", SEL(0xd1, 0x04), VPMU_COUNTS_LLC_HITS, 0xf},
		{"ivb", SEL(0x85, 0x01), VPMU_COUNTS_CODE_WALKS, 0xff},
		{"bdw", SEL(0x48, 0x01), VPMU_COUNTS_PENDING_SUM, 0x4},
		{"clx", SEL(0xd1, 0x20), VPMU_COUNTS_LLC_MISSES, 0xf},
		{"tgl", SEL(0xa4, 0x01), VPMU_COUNTS_ALL_SLOTS, 0xff},
		{"spr", SEL(0xae, 0x01), VPMU_COUNTS_ISSUED, 0xff},
		{"gnr", SEL(0xc4, 0x11), VPMU_COUNTS_CONDITIONAL, 0xff},
		{"lnl", SEL(0xc0, 0x00), VPMU_COUNTS_INSTRUCTIONS, 0x3ff},
		{"slm", SEL(0xc4, 0x7e), VPMU_COUNTS_CONDITIONAL, 0x3},
		{"glm", SEL(0xd0, 0x81), VPMU_COUNTS_LOADS, 0xf},
		{"srf", SEL(0xc4, 0xf7), VPMU_COUNTS_RETURNS, 0xff},
		{"fam10h", SEL(0x7e, 0x07), VPMU_COUNTS_DEMAND_AND_WALKS_TO_LLC, 0xf},
		{"fam15h", SEL(0x80, 0x00), VPMU_COUNTS_CODE_LINES, 0x7},
		{"zen1", SEL(0x60, 0xc8), VPMU_COUNTS_DATA_TO_L2, 0x3f},
		{"zen5", SEL(0xd1, 0x00), VPMU_COUNTS_CONDITIONAL, 0x3f},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct vpmu_model m = model_of(rows[i].name, false);
		uint16_t counters = 0;

		for (unsigned k = 0; k < m.layout.ngp; k++) {
			const struct vpmu_event *event = vpmu_model_event(&m, k, rows[i].sel);

			counters |= event ? 1 << k : 0;
			if (event && event->counts != rows[i].counts)
				fail_msg("%s: %#llx is another event", rows[i].name,
					 (unsigned long long)rows[i].sel);
		}
		assert_int_equal(counters, rows[i].counters);
	}
}

/* --- Other counters --- */

static struct vpmu_model shaped_model(struct vpmu_uarch shaped[2], const char *name,
				      const char *counters)
{
	struct vpmu_shape shape = {0};
	struct vpmu_model m;

	assert_int_equal(shape_parse(counters, &shape, NULL), 0);
	assert_int_equal(vpmu_uarch_shape(shaped, vpmu_uarch_find(name), &shape, NULL), 0);
	vpmu_model_init(&m, shaped, true, CPI);
	return m;
}

TEST(test_shapes)
{
	static const struct {
		const char *name, *counters;
		uint32_t eax, edx;
	} rows[] = {
		{"skx", "gp:3", 0x300304, 3 | 48 << 5},
		{"skx", "width:40,gp:8", 0x280804, 3 | 40 << 5},
		{"icl", "fixed:2", 0x300805, 2 | 48 << 5},
		{"icl", "version:2,fixed:3", 0x300802, 3 | 48 << 5},
		{"hsw", "version:1", 0x300401, 0 | 48 << 5},
	};
	struct vpmu_uarch shaped[2];
	uint64_t v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_model m = shaped_model(shaped, rows[i].name, rows[i].counters);
		const struct cpuid_regs r = ask(&m, 0xa);

		assert_int_equal(r.eax & 0xffffff, rows[i].eax);
		assert_int_equal(r.edx & 0x1fff, rows[i].edx);
		assert_int_equal(vpmu_model_rdmsr(&m, MSR_IA32_PMC0 + m.layout.ngp, &v), VPMU_GP);
		assert_int_equal(vpmu_model_rdmsr(&m, MSR_IA32_PERF_GLOBAL_CTRL, &v),
				 m.uarch->version > 1 ? VPMU_DONE : VPMU_GP);
		/* Without the counter of slots there are no shares of slots. */
		assert_int_equal(m.uarch->metrics, 0);
	}
	/* Both kinds of cores of a hybrid. */
	shaped_model(shaped, "adl", "gp:5");
	assert_int_equal(shaped[0].gp[0], 5);
	assert_ptr_equal(shaped[0].small, &shaped[1]);
	assert_int_equal(shaped[1].gp[1], 5);
	assert_int_equal(shaped[1].core_type, VPMU_ATOM);
}

/* A feature that came with a version is absent in earlier ones. */
TEST(test_shapes_of_version_6)
{
	struct vpmu_uarch shaped[2];
	struct vpmu_model m = shaped_model(shaped, "cwf", "version:5,gp:4");
	uint64_t v;

	assert_int_equal(ask(&m, 0x23).eax, 0xb);
	assert_int_equal(ask(&m, 0x23).ebx, 0);
	assert_int_equal(ask_subleaf(&m, 0x23, 1).eax, 0xf);
	assert_int_equal(vpmu_model_wrmsr(&m, MSR_IA32_PERFEVTSEL0, EVTSEL_INTEL_EQ), VPMU_GP);
	assert_int_equal(vpmu_model_rdmsr(&m, MSR_IA32_PMC_GP0_CFG_B + 2 * PMC_STEP, &v), VPMU_GP);
	m = shaped_model(shaped, "cwf", "version:4");
	assert_int_equal(ask(&m, 0x23).eax, 0);
	assert_int_equal(ask_subleaf(&m, 7, 1).eax >> 8 & 1, 0);
	m = shaped_model(shaped, "cwf", "gp:4");
	assert_int_equal(ask_subleaf(&m, 0x23, 2).eax, 0xc);
	m = shaped_model(shaped, "cwf", "fixed:1");
	assert_int_equal(ask_subleaf(&m, 0x23, 2).ebx, 1);
}

TEST(test_bad_shapes)
{
	static const char *const words[][2] = {
		{"gp:0", "gp wants a number from 1 to 10: '0'"},
		{"gp:11", "gp wants a number from 1 to 10: '11'"},
		{"gp", "gp wants a number from 1 to 10: ''"},
		{"fixed:5", "fixed wants a number from 0 to 4: '5'"},
		{"width:31", "width wants a number from 32 to 48: '31'"},
		{"gp:2,version:6", "version wants a number from 1 to 5: '6'"},
		{"", "there is no ''; there are gp:N, fixed:N, width:N, version:N"},
		{"gp:2,", "there is no ''; there are gp:N, fixed:N, width:N, version:N"},
		{"pebs:2", "there is no 'pebs'; there are gp:N, fixed:N, width:N, version:N"},
	};
	struct vpmu_uarch shaped[2];
	struct vpmu_shape shape = {0};
	struct reason why;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		assert_int_not_equal(shape_parse(words[i][0], &shape, &why), 0);
		assert_string_equal(why.text, words[i][1]);
	}
	shape = (struct vpmu_shape){0};
	assert_int_equal(shape_parse("version:1,fixed:1", &shape, &why), 0);
	assert_int_not_equal(vpmu_uarch_shape(shaped, vpmu_uarch_find("skx"), &shape, &why), 0);
	assert_string_equal(why.text, "fixed:1 wants version:2 or later");
}

/* APM vol. 3: PerfCtrExtCore announces six counters instead of four, and PerfMonV2 any number. */
TEST(test_shapes_of_amd)
{
	static const struct {
		const char *name, *counters, *refused;
		unsigned ngp;
		bool core;
	} rows[] = {
		{"zen2", "gp:4", NULL, 4, false},
		{"zen2", "gp:6,width:48,fixed:0", NULL, 6, true},
		{"k8", "gp:6", NULL, 6, true},
		{"k8", "width:48", NULL, 4, false},
		{"zen4", "gp:3", NULL, 3, true},
		{"zen5", "gp:4", NULL, 4, true},
		{"zen2", "gp:5", "before PerfMonV2 CPUID tells that there are 4 counters or 6", 0,
		 false},
		{"zen4", "gp:7", "AMD's cores have registers for 6 counters", 0, false},
		{"zen4", "width:40",
		 "AMD's counters have 48 bits, and CPUID does not tell it otherwise", 0, false},
		{"zen4", "fixed:1", "AMD's CPUs have no fixed counters", 0, false},
		{"zen4", "version:2", "version is one of Intel's architecture", 0, false},
	};
	struct vpmu_uarch shaped[2];
	uint64_t v;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct vpmu_shape shape = {0};
		struct vpmu_model m;
		struct reason why;

		if (rows[i].refused) {
			assert_int_equal(shape_parse(rows[i].counters, &shape, &why), 0);
			assert_int_not_equal(vpmu_uarch_shape(shaped, vpmu_uarch_find(rows[i].name),
							      &shape, &why),
					     0);
			assert_string_equal(why.text, rows[i].refused);
			continue;
		}
		m = shaped_model(shaped, rows[i].name, rows[i].counters);
		assert_int_equal(m.layout.ngp, rows[i].ngp);
		assert_int_equal(ask(&m, 0x80000001).ecx >> 23 & 1, rows[i].core);
		assert_int_equal(ask(&m, 0x80000022).ebx & 0xf,
				 m.uarch->version >= 2 ? rows[i].ngp : 0);
		assert_int_equal(vpmu_model_rdmsr(&m, MSR_AMD_PERF_CTL0, &v),
				 rows[i].core ? VPMU_DONE : VPMU_GP);
		assert_int_equal(vpmu_model_rdpmc(&m, m.layout.ngp - 1, &v), VPMU_DONE);
		assert_int_equal(vpmu_model_rdpmc(&m, m.layout.ngp, &v), VPMU_GP);
	}
}

/* Compares two lists of the microarchitectures with PerfMonV2. */
TEST(test_perfmon_v2_is_told_alike)
{
	size_t n;
	const struct vpmu_uarch *const *all = vpmu_uarch_list(&n);

	for (size_t i = 0; i < n; i++) {
		const struct vpmu_shape three = {.given = 1 << SHAPE_GP, .value = {[SHAPE_GP] = 3}};
		struct reason why;

		assert_int_equal(!shape_check(&three, all[i]->name, &why),
				 all[i]->vendor == VPMU_INTEL || all[i]->version >= 2);
	}
}
