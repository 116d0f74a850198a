// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpuid.c - pmu_caps_detect() on made-up CPUs and on vpmu's personalities. Each made-up CPU is
 * a table of CPUID results. cpuid.c is compiled into this file, with CPUID and MSRs from the
 * tables.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/model/model.h"

#include <string.h>

#include "tests/unit/test.h"

struct answer {
	uint32_t leaf, subleaf;
	struct cpuid_regs r;
};

#define MAX_ANSWERS 24

struct cpu {
	struct answer answers[MAX_ANSWERS]; /* a leaf of 0 with EAX 0 ends the table */
	bool has_capabilities;
	uint64_t capabilities;
};

static const struct cpu *cpu;
static struct vpmu_model *model; /* on top of `cpu`, if set */

static struct cpuid_regs table_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {0};

	for (size_t i = 0; i < MAX_ANSWERS; i++)
		if (cpu->answers[i].leaf == leaf && cpu->answers[i].subleaf == subleaf)
			if (!r.eax && !r.ebx && !r.ecx && !r.edx)
				r = cpu->answers[i].r;
	if (model)
		vpmu_model_cpuid(model, leaf, subleaf, &r);
	return r;
}

static bool table_rdmsr_safe(uint32_t msr, uint64_t *value)
{
	*value = 0;
	if (model)
		return vpmu_model_rdmsr(model, msr, value) == VPMU_DONE;
	if (msr != MSR_IA32_PERF_CAPABILITIES)
		return false;
	*value = cpu->has_capabilities ? cpu->capabilities : 0;
	return cpu->has_capabilities;
}

static bool table_wrmsr_safe(uint32_t msr, uint64_t value)
{
	return model && vpmu_model_wrmsr(model, msr, value) == VPMU_DONE;
}

#define insn_cpuid        table_cpuid
#define wrmsr_safe        table_wrmsr_safe
#define rdmsr_safe        table_rdmsr_safe
#define cpuid_fact        tested_fact
#define pmu_caps_detect   tested_detect
#define cpuid_place       tested_place
#define cpuid_is_emulated tested_is_emulated
#include "arch/x86/portable/cpuid.c"

#define INTEL(highest)                                              \
	{                                                           \
		0, 0,                                               \
		{                                                   \
			highest, 0x756e6547, 0x6c65746e, 0x49656e69 \
		}                                                   \
	}
#define AMD(highest)                                                \
	{                                                           \
		0, 0,                                               \
		{                                                   \
			highest, 0x68747541, 0x444d4163, 0x69746e65 \
		}                                                   \
	}

static struct pmu_caps detect(const struct cpu *of)
{
	struct pmu_caps caps;

	memset(&caps, 0xee, sizeof(caps));
	cpu = of;
	model = NULL;
	tested_detect(&caps);
	return caps;
}

TEST(test_bare_cpu)
{
	static const struct cpu bare = {.answers = {{0, 0, {1, 0x746e6543, 0x736c7561, 0x48727561}},
						    {1, 0, {.eax = 0x000006f1}}}};
	struct pmu_caps caps = detect(&bare);

	assert_int_equal(caps.vendor, CPU_VENDOR_OTHER);
	assert_string_equal(caps.vendor_id, "CentaurHauls");
	assert_int_equal(caps.version, 0);
	assert_int_equal(caps.gp_mask, 0);
	assert_int_equal(caps.fixed_mask, 0);
	assert_false(caps.pdcm || caps.pdcm_readable || caps.hypervisor || caps.hybrid);
	assert_int_equal(caps.threads_per_core, 1);
	assert_string_equal(caps.brand, "");
}

TEST(test_skylake)
{
	static const struct cpu skylake = {
		.answers = {INTEL(0x16),
			    {1, 0, {.eax = 0x000906ea, .ecx = 1u << 15 | 1u << 31}},
			    {7, 0, {.ebx = 1u << 25 | 1u << 11, .edx = 1u << 13}},
			    {0xa, 0, {0x07300404, 0x00000021, 0, 0x00000603}},
			    {0xb, 0, {1, 2, 0x100, 0}},
			    {0x14, 0, {1, 0xf, 7, 0}},
			    {0x15, 0, {2, 216, 24000000, 0}},
			    {0x16, 0, {2600, 4300, 100, 0}},
			    {0x80000000, 0, {.eax = 0x80000008}},
			    {0x80000002, 0, {0x20202020, 0x65726f43, 0x00000020, 0}}},
		.has_capabilities = true,
		.capabilities = 0x33c5,
	};
	struct pmu_caps caps = detect(&skylake);

	assert_int_equal(caps.vendor, CPU_VENDOR_INTEL);
	assert_string_equal(caps.vendor_id, "GenuineIntel");
	assert_string_equal(caps.brand, "Core");
	assert_int_equal(caps.family, 6);
	assert_int_equal(caps.model, 0x9e);
	assert_int_equal(caps.stepping, 10);
	assert_true(caps.hypervisor && caps.pt && caps.rtm && caps.tsx_force_abort);
	assert_int_equal(caps.version, 4);
	assert_int_equal(caps.gp_mask, 0xf);
	assert_int_equal(caps.gp_width, 48);
	assert_int_equal(caps.fixed_mask, 0x7);
	assert_int_equal(caps.fixed_width, 48);
	assert_int_equal(caps.events_length, 7);
	assert_int_equal(caps.events_absent, 0x21);
	assert_false(caps.any_thread_deprecated);
	assert_true(caps.pdcm && caps.pdcm_readable);
	assert_int_equal(caps.perf_capabilities, 0x33c5);
	assert_int_equal(caps.pt_ebx, 0xf);
	assert_int_equal(caps.pt_ecx, 7);
	assert_int_equal(caps.tsc_numerator, 216);
	assert_int_equal(caps.crystal_hz, 24000000);
	assert_int_equal(caps.base_mhz, 2600);
	assert_int_equal(caps.threads_per_core, 2);
}

TEST(test_pdcm_that_cannot_be_read)
{
	static const struct cpu locked = {
		.answers = {INTEL(0xa), {1, 0, {.eax = 0x000906ea, .ecx = 1u << 15}}}};
	struct pmu_caps caps = detect(&locked);

	assert_true(caps.pdcm);
	assert_false(caps.pdcm_readable);
	assert_int_equal(caps.perf_capabilities, 0);
}

TEST(test_fixed_counters_with_a_hole)
{
	/* Version 5: one contiguous fixed counter, and number 2 by the bitmap. */
	static const struct cpu holes = {
		.answers = {INTEL(0xa), {0xa, 0, {0x08300805, 0, 1u << 2, 0x8601}}}};
	/* Version 1 has no fixed counters, whatever EDX holds. */
	static const struct cpu old = {
		.answers = {INTEL(0xa), {0xa, 0, {0x07280201, 0, 0, 0x603}}}};
	struct pmu_caps caps = detect(&holes);

	assert_int_equal(caps.fixed_mask, 1u << 0 | 1u << 2);
	assert_int_equal(caps.gp_mask, 0xff);
	assert_true(caps.any_thread_deprecated);
	caps = detect(&old);
	assert_int_equal(caps.fixed_mask, 0);
	assert_int_equal(caps.gp_mask, 3);
	assert_int_equal(caps.gp_width, 40);
}

TEST(test_leaf_0x23_replaces_leaf_0xa)
{
	static const struct cpu sierra = {.answers = {INTEL(0x23),
						      {7, 1, {.eax = 1u << 8}},
						      {0xa, 0, {0x08300806, 0, 0x7, 0x8603}},
						      {0x23, 0, {0xf, 0x3, 0, 0}},
						      {0x23, 1, {0xfd, 0x77, 0, 0}},
						      {0x23, 2, {0xfc, 0, 0x33, 0}},
						      {0x23, 3, {0xffffffef, 0, 0, 0}}}};
	struct pmu_caps caps = detect(&sierra);

	assert_int_equal(caps.gp_mask, 0xfd);
	assert_int_equal(caps.fixed_mask, 0x77);
	assert_int_equal(caps.acr_mask, 0xfc);
	assert_int_equal(caps.acr_causes, 0x33);
	assert_int_equal(caps.events_absent, 0x10);
	assert_int_equal(caps.events_length, 32);
	assert_true(caps.umask2 && caps.eq_bit);
}

TEST(test_leaf_0x23_is_not_believed_without_its_bit)
{
	static const struct cpu shy = {.answers = {INTEL(0x23),
						   {0xa, 0, {0x07300404, 0, 0, 0x603}},
						   {0x23, 0, {0x3, 0x3, 0, 0}},
						   {0x23, 1, {0xff, 0xff, 0, 0}}}};
	struct pmu_caps caps = detect(&shy);

	assert_int_equal(caps.gp_mask, 0xf);
	assert_int_equal(caps.fixed_mask, 0x7);
	assert_false(caps.umask2);
}

TEST(test_hybrid_with_lbr)
{
	static const struct cpu alder = {.answers = {INTEL(0x20),
						     {7, 0, {.edx = 1u << 15 | 1u << 19}},
						     {0x1a, 0, {.eax = 0x40000001}},
						     {0x1c, 0, {0x4000000b, 7, 7, 0}}}};
	struct pmu_caps caps = detect(&alder);

	assert_true(caps.hybrid && caps.arch_lbr);
	assert_int_equal(caps.core_type, 0x40);
	assert_int_equal(caps.native_model, 1);
	assert_int_equal(caps.lbr_depths, 0xb);
	assert_int_equal(caps.lbr_ebx, 7);
}

TEST(test_leaves_above_the_highest_read_zero)
{
	/* For a leaf above the highest an Intel CPU returns the data of the highest. */
	static const struct cpu low = {.answers = {INTEL(0x7),
						   {0xa, 0, {0x07300404, 0, 0, 0x603}},
						   {0x80000000, 0, {.eax = 0x80000001}},
						   {0x80000022, 0, {.eax = 1, .ebx = 6}}}};
	struct pmu_caps caps = detect(&low);

	assert_int_equal(caps.version, 0);
	assert_int_equal(caps.gp_mask, 0);
	assert_int_equal(caps.amd_core, 0);
	assert_false(caps.perfmon_v2);
}

TEST(test_zen4)
{
	static const struct cpu zen4 = {
		.answers = {AMD(0x10),
			    {1, 0, {.eax = 0x00a60f12}},
			    {0x80000000, 0, {.eax = 0x80000028}},
			    {0x80000001,
			     0,
			     {.ecx = 1u << 10 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 28}},
			    {0x8000001b, 0, {.eax = 0xbff}},
			    {0x8000001e, 0, {.ebx = 0x100}},
			    {0x80000022,
			     0,
			     {.eax = 0x7, .ebx = 12u << 16 | 16u << 10 | 16u << 4 | 6}}}};
	struct pmu_caps caps = detect(&zen4);

	assert_int_equal(caps.vendor, CPU_VENDOR_AMD);
	assert_int_equal(caps.family, 0x19);
	assert_int_equal(caps.model, 0x61);
	assert_int_equal(caps.stepping, 2);
	assert_true(caps.perfctr_core && caps.perfctr_nb && caps.perfctr_llc);
	assert_true(caps.perfmon_v2 && caps.lbr_v2 && caps.lbr_pmc_freeze);
	assert_int_equal(caps.amd_core, 6);
	assert_int_equal(caps.amd_lbr_depth, 16);
	assert_int_equal(caps.amd_nb, 16);
	assert_int_equal(caps.amd_umc, 12);
	assert_true(caps.ibs);
	assert_int_equal(caps.ibs_caps, 0xbff);
	assert_int_equal(caps.threads_per_core, 2);
}

TEST(test_facts_of_any_width)
{
	static const struct cpu ones = {
		.answers = {INTEL(1), {1, 0, {0x80000001, 0xffffffff, 0, 0}}}};

	cpu = &ones;
	model = NULL;
	assert_int_equal(tested_fact(CPUID_FACT(1, 0, EAX, 31, 31)), 1);
	assert_int_equal(tested_fact(CPUID_FACT(1, 0, EAX, 1, 30)), 0);
	assert_int_equal(tested_fact(CPUID_FACT(1, 0, EBX, 0, 31)), 0xffffffff);
	assert_int_equal(tested_fact(CPUID_FACT(1, 0, EBX, 4, 7)), 0xf);
	assert_int_equal(tested_fact(CPUID_FACT(2, 0, EBX, 0, 31)), 0);
}

/* QEMU's EPYC without a PMU, the base of vpmu's personalities. */
static const struct cpu qemu = {.answers = {AMD(0xd),
					    {1, 0, {.eax = 0x00800f12, .ecx = 1u << 31}},
					    {0x80000000, 0, {.eax = 0x8000001e}},
					    {0x80000001, 0, {.eax = 0x00800f12}}}};

static const struct {
	const char *name;
	enum cpu_vendor vendor;
	uint8_t version;
	uint32_t gp_ht_on, gp_ht_off, fixed;
	uint16_t family, model;
	uint8_t amd_core;
} personalities[] = {
	{"hsw", CPU_VENDOR_INTEL, 3, 0xf, 0xff, 0x7, 6, 0x3c, 0},
	{"skx", CPU_VENDOR_INTEL, 4, 0xf, 0xff, 0x7, 6, 0x55, 0},
	{"icl", CPU_VENDOR_INTEL, 5, 0xff, 0xff, 0xf, 6, 0x7e, 0},
	{"srf", CPU_VENDOR_INTEL, 5, 0xff, 0xff, 0x7, 6, 0xaf, 0},
	{"lnl", CPU_VENDOR_INTEL, 6, 0x3ff, 0x3ff, 0xf, 6, 0xbd, 0},
	{"cwf", CPU_VENDOR_INTEL, 6, 0xff, 0xff, 0x77, 6, 0xdd, 0},
	{"zen4", CPU_VENDOR_AMD, 0, 0, 0, 0, 0x19, 0x61, 6},
};

static struct pmu_caps detect_under_vpmu(const char *name, bool ht_on)
{
	struct vpmu_model m;
	struct pmu_caps caps;

	vpmu_model_init(&m, vpmu_uarch_find(name), ht_on, 1);
	cpu = &qemu;
	model = &m;
	tested_detect(&caps);
	model = NULL;
	return caps;
}

static struct cpu_place place_of(const struct cpu *of)
{
	struct cpu_place place;

	cpu = of;
	model = NULL;
	tested_place(&place);
	return place;
}

static void assert_place(const struct cpu *of, uint32_t package, uint32_t core, uint32_t thread)
{
	const struct cpu_place place = place_of(of);

	assert_int_equal(place.package, package);
	assert_int_equal(place.core, core);
	assert_int_equal(place.thread, thread);
}

/* Id 0x1d3: bit 0 is the thread, 1 to 6 the core (with modules in between), the rest the package.
 */
TEST(test_place_by_leaf_1f_with_modules)
{
	static const struct cpu c = {.answers = {
					     INTEL(0x1f),
					     {0x0b, 0, {1, 2, 0x100, 0x1d3}},
					     {0x0b, 1, {4, 8, 0x201, 0x1d3}},
					     {0x1f, 0, {1, 2, 0x100, 0x1d3}},
					     {0x1f, 1, {3, 8, 0x201, 0x1d3}},
					     {0x1f, 2, {7, 128, 0x302, 0x1d3}},
				     }};

	assert_place(&c, 3, 0x29, 1);
	assert_int_equal(place_of(&c).apic_id, 0x1d3);
}

TEST(test_place_by_leaf_b)
{
	static const struct cpu with_ht = {.answers = {
						   INTEL(0x0b),
						   {0x0b, 0, {1, 2, 0x100, 0x1b}},
						   {0x0b, 1, {4, 8, 0x201, 0x1b}},
					   }};
	static const struct cpu without = {.answers = {
						   INTEL(0x0b),
						   {0x0b, 0, {0, 1, 0x100, 6}},
						   {0x0b, 1, {3, 8, 0x201, 6}},
					   }};

	assert_place(&with_ht, 1, 5, 1);
	assert_place(&without, 0, 6, 0);
}

/* Leaf 1 has 8 bits of the id and the number of ids of a package. AMD has the number of its bits.
 */
TEST(test_place_without_levels)
{
	static const struct cpu amd = {.answers = {
					       AMD(1),
					       {1, 0, {0, 0x1b080000, 0, 1 << 28}},
					       {0x80000000, 0, {0x8000001e, 0, 0, 0}},
					       {0x80000001, 0, {0, 0, 1 << 22, 0}},
					       {0x80000008, 0, {0, 0, 4 << 12, 0}},
					       {0x8000001e, 0, {0, 1 << 8, 0, 0}},
				       }};
	static const struct cpu intel = {.answers = {
						 INTEL(1),
						 {1, 0, {0, 0x05040000, 0, 1 << 28}},
					 }};
	static const struct cpu one = {.answers = {INTEL(1), {1, 0, {0, 0x03000000, 0, 0}}}};

	assert_place(&amd, 1, 5, 1);
	assert_place(&intel, 1, 1, 0);
	assert_place(&one, 3, 0, 0);
}

TEST(test_siblings)
{
	const struct cpu_place a = {.package = 1, .core = 2},
			       b = {.package = 1, .core = 2, .thread = 1};
	const struct cpu_place c = {.package = 0, .core = 2}, d = {.package = 1, .core = 3};

	assert_true(cpu_siblings(&a, &a));
	assert_true(cpu_siblings(&a, &b));
	assert_false(cpu_siblings(&a, &c));
	assert_false(cpu_siblings(&a, &d));
}

TEST(test_vpmu_personalities)
{
	for (size_t i = 0; i < sizeof(personalities) / sizeof(personalities[0]); i++) {
		struct pmu_caps on = detect_under_vpmu(personalities[i].name, true);
		struct pmu_caps off = detect_under_vpmu(personalities[i].name, false);

		assert_int_equal(on.vendor, personalities[i].vendor);
		assert_int_equal(on.version, personalities[i].version);
		assert_int_equal(on.gp_mask, personalities[i].gp_ht_on);
		assert_int_equal(off.gp_mask, personalities[i].gp_ht_off);
		assert_int_equal(on.fixed_mask, personalities[i].fixed);
		assert_int_equal(on.family, personalities[i].family);
		assert_int_equal(on.model, personalities[i].model);
		assert_int_equal(on.amd_core, personalities[i].amd_core);
		assert_int_equal(on.perfmon_v2, personalities[i].amd_core != 0);
		assert_int_equal(on.pdcm_readable, personalities[i].vendor == CPU_VENDOR_INTEL);
		assert_true(strlen(on.brand) > 0);
	}
}

/* On a CPU with both kinds of cores, leaf 0xA has the counters that all cores have. */
TEST(test_cores_of_both_kinds)
{
	const struct vpmu_uarch *large = vpmu_uarch_find("adl");
	struct vpmu_model m;
	struct pmu_caps caps;

	cpu = &qemu;
	model = &m;
	for (unsigned beside = 0; beside < 2; beside++) {
		vpmu_model_init(&m, large, true, 1);
		if (beside)
			vpmu_model_beside(&m, large->small);
		assert_int_equal(tested_fact(CPUID_FACT(0x0a, 0, EAX, 8, 15)), beside ? 6 : 8);
		assert_int_equal(tested_fact(CPUID_FACT(0x0a, 0, EDX, 0, 4)), beside ? 3 : 4);
		assert_int_equal(tested_fact(CPUID_FACT(0x0a, 0, ECX, 0, 31)), beside ? 7 : 0xf);
		tested_detect(&caps);
		assert_int_equal(caps.gp_mask, 0xff);
		assert_int_equal(caps.fixed_mask, 0xf);
	}
	vpmu_model_init(&m, large->small, true, 1);
	vpmu_model_beside(&m, large->small);
	tested_detect(&caps);
	assert_int_equal(caps.gp_mask, 0x3f);
	assert_int_equal(caps.fixed_mask, 7);
	model = NULL;
}

/* Leaf 0x23 has the counters of this core. */
TEST(test_cores_of_both_kinds_by_leaf_0x23)
{
	const struct vpmu_uarch *large = vpmu_uarch_find("arl");
	struct vpmu_model m;
	struct pmu_caps caps;

	cpu = &qemu;
	model = &m;
	vpmu_model_init(&m, large, true, 1);
	vpmu_model_beside(&m, large->small);
	tested_detect(&caps);
	assert_int_equal(caps.gp_mask, 0x3ff);
	assert_int_equal(caps.fixed_mask, 0xf);
	assert_int_equal(caps.events_absent & 0x1fff, 0x1200);
	vpmu_model_init(&m, large->small, true, 1);
	vpmu_model_beside(&m, large);
	tested_detect(&caps);
	assert_int_equal(caps.gp_mask, 0xff);
	assert_int_equal(caps.fixed_mask, 0x77);
	assert_int_equal(caps.events_absent & 0x1fff, 0x1080);
	assert_true(caps.umask2 && caps.eq_bit);
	assert_int_equal(caps.native_model, 3);
	model = NULL;
}

/* The bit of hypervisors reveals vpmu. If vpmu hides that bit, its own leaf does. */
TEST(test_emulated)
{
	static const struct cpu real = {.answers = {INTEL(1), {1, 0, {0x000006f1, 0, 0, 0}}}},
				hypervised = {.answers = {INTEL(1), {1, 0, {.ecx = 1u << 31}}}},
				hidden = {.answers = {INTEL(1),
						      {VPMU_CPUID_LEAF,
						       VPMU_CPUID_MARK,
						       {0, 0x66726570, 0x70762030, 0x0000756d}}}};

	model = NULL;
	cpu = &real;
	assert_false(tested_is_emulated());
	cpu = &hypervised;
	assert_true(tested_is_emulated());
	cpu = &hidden;
	assert_true(tested_is_emulated());
}
