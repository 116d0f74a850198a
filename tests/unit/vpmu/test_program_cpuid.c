// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_program_cpuid.c - the CPU that programs find with --cpu-features: the features of the level
 * as compilers name them, the same whatever the machine answers, and a check of the machine.
 */
#include "tests/unit/test.h"
#include "vpmu/svm/program_cpuid.h"

#include <string.h>

static struct cpuid_regs program_answer(unsigned level, uint32_t leaf, uint32_t subleaf,
					uint32_t machine)
{
	struct cpuid_regs r = {machine, machine, machine, machine};

	program_cpuid(level, leaf, subleaf, &r);
	return r;
}

/* The features of each level: System V ABI, AMD64, "Micro-Architecture Levels". */
static const struct {
	const char *name;
	unsigned level;
	uint32_t leaf;
	unsigned reg, bit; /* EAX, EBX, ECX, EDX */
} features[] = {
	{"CMOV", 1, 1, 3, 15},
	{"CX8", 1, 1, 3, 8},
	{"FPU", 1, 1, 3, 0},
	{"FXSR", 1, 1, 3, 24},
	{"MMX", 1, 1, 3, 23},
	{"SSE", 1, 1, 3, 25},
	{"SSE2", 1, 1, 3, 26},
	{"CMPXCHG16B", 2, 1, 2, 13},
	{"LAHF", 2, 0x80000001, 2, 0},
	{"POPCNT", 2, 1, 2, 23},
	{"SSE3", 2, 1, 2, 0},
	{"SSE4.1", 2, 1, 2, 19},
	{"SSE4.2", 2, 1, 2, 20},
	{"SSSE3", 2, 1, 2, 9},
	{"AVX", 3, 1, 2, 28},
	{"AVX2", 3, 7, 1, 5},
	{"BMI1", 3, 7, 1, 3},
	{"BMI2", 3, 7, 1, 8},
	{"F16C", 3, 1, 2, 29},
	{"FMA", 3, 1, 2, 12},
	{"LZCNT", 3, 0x80000001, 2, 5},
	{"MOVBE", 3, 1, 2, 22},
	{"XSAVE", 3, 1, 2, 26},
	{"AVX512F", 4, 7, 1, 16},
	{"RDRAND", 4, 1, 2, 30},
	{"a hypervisor", 4, 1, 2, 31},
	{"ERMS", 4, 7, 1, 9},
	{"hyper-threading", 4, 1, 3, 28},
};

static bool has(unsigned level, size_t i)
{
	const struct cpuid_regs r = program_answer(level, features[i].leaf, 0, UINT32_MAX);
	const uint32_t reg[] = {r.eax, r.ebx, r.ecx, r.edx};

	return reg[features[i].reg] >> features[i].bit & 1;
}

TEST(test_a_level_has_its_features_alone)
{
	for (unsigned level = 1; level <= PROGRAM_LEVELS; level++)
		for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
			if (has(level, i) != (features[i].level <= level))
				fail_msg("level %u: %s", level, features[i].name);
}

/* Only ids, widths of addresses and OSXSAVE, which follows CR4, are the machine's. */
TEST(test_answers_do_not_depend_on_the_machine)
{
	static const uint32_t leaves[] = {
		0,          1,          2,          4,          5,          6,          7,
		0xa,        0xb,        0xd,        0x14,       0x18,       0x1a,       0x1c,
		0x23,       0x40000000, 0x80000000, 0x80000001, 0x80000002, 0x80000004, 0x80000005,
		0x80000006, 0x80000007, 0x80000008, 0x8000001d, 0x80000022};

	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		for (uint32_t subleaf = 0; subleaf < 5; subleaf++) {
			struct cpuid_regs none = program_answer(3, leaves[i], subleaf, 0),
					  all = program_answer(3, leaves[i], subleaf, UINT32_MAX);

			all.eax &= leaves[i] == 0x80000008 ? ~0xffffu : ~0u;
			all.ebx &= leaves[i] == 1 ? ~0xff000000u : ~0u;
			all.ecx &= leaves[i] == 1 ? ~(1u << 27) : ~0u;
			all.edx &= leaves[i] == 0xb && subleaf < 2 ? 0 : ~0u;
			assert_memory_equal(&none, &all, sizeof(all));
		}
}

TEST(test_leaves_of_vpmu_stay)
{
	assert_int_equal(program_answer(2, 0x4fff0000, 0, 7).ebx, 7);
	assert_int_equal(program_answer(2, 0x4fff0010, 0, 7).eax, 7);
}

/* libc takes the size of a cache from ways, parts, bytes of a line and sets. */
TEST(test_caches_are_those_of_a_nehalem)
{
	static const uint32_t kib[] = {32, 32, 256, 8192};

	for (uint32_t i = 0; i < 4; i++) {
		const struct cpuid_regs r = program_answer(1, 4, i, 0);

		assert_int_equal(((r.ebx >> 22) + 1) * ((r.ebx >> 12 & 0x3ff) + 1) *
					 ((r.ebx & 0xfff) + 1) * (r.ecx + 1),
				 kib[i] * 1024);
	}
	assert_int_equal(program_answer(1, 4, 4, UINT32_MAX).eax, 0);
}

TEST(test_brand_names_the_level)
{
	char text[2 * sizeof(struct cpuid_regs) + 1] = "";
	struct cpuid_regs r = program_answer(2, 0x80000002, 0, UINT32_MAX);

	memcpy(text, &r, sizeof(r));
	r = program_answer(2, 0x80000003, 0, UINT32_MAX);
	memcpy(text + sizeof(r), &r, sizeof(r));
	assert_string_equal(text, "x86-64-v2 of perf0");
}

static uint32_t missing_leaf, missing_ecx, missing_ebx;

static struct cpuid_regs a_machine(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r = {~0u, ~0u, ~0u, ~0u};

	(void)subleaf;
	if (leaf == missing_leaf) {
		r.ecx &= ~missing_ecx;
		r.ebx &= ~missing_ebx;
	}
	return r;
}

TEST(test_machine_needs_all_features)
{
	assert_true(program_level_runs(3, a_machine));
	missing_leaf = 1, missing_ecx = 1u << 23; /* POPCNT */
	assert_true(program_level_runs(1, a_machine));
	assert_false(program_level_runs(2, a_machine));
	missing_leaf = 7, missing_ebx = 1u << 5; /* AVX2 */
	assert_true(program_level_runs(2, a_machine));
	assert_false(program_level_runs(3, a_machine));
	missing_leaf = 0x80000001, missing_ecx = 1u << 5; /* LZCNT */
	assert_true(program_level_runs(2, a_machine));
	assert_false(program_level_runs(3, a_machine));
}
