// SPDX-License-Identifier: BSD-2-Clause
/*
 * program_cpuid.c - see program_cpuid.h. SDM vol. 2, "CPUID"; features of levels: System V ABI,
 * AMD64, "Micro-Architecture Levels".
 */
#include "vpmu/svm/program_cpuid.h"

#include "lib/string.h"

#include <stddef.h>

#define BIT(n)    (1u << (n))
#define LENGTH(a) (sizeof(a) / sizeof(*(a)))
#define LETTERS(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define VPMU_LEAVES     0x4fff0000u /* those of include/perf0/vpmu.h */
#define VPMU_LEAVES_END 0x50000000u
#define ANY             (-1)
#define ALL_LEVELS      1

#define APIC_ID       0xff000000u /* leaf 1, EBX */
#define OSXSAVE       BIT(27)     /* leaf 1, ECX: as the system has set CR4 */
#define ADDRESS_BITS  0xffffu     /* leaf 80000008H, EAX */
#define X2APIC_ID     (~0u)       /* leaf 0BH, EDX */
#define BRAND_FIRST   0x80000002u
#define BRAND_LAST    0x80000004u
#define INVARIANT_TSC BIT(8)

/* FPU, PSE, TSC, MSR, PAE, MCE, CX8, APIC, SEP, MTRR, PGE, MCA, CMOV, PAT, PSE-36, CLFSH,
 * MMX, FXSR, SSE, SSE2. */
#define FEATURES_EDX 0x078bfbf9u
/* SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT. */
#define V2_ECX (BIT(0) | BIT(9) | BIT(13) | BIT(19) | BIT(20) | BIT(23))
/* FMA, MOVBE, XSAVE, AVX, F16C. */
#define V3_ECX (V2_ECX | BIT(12) | BIT(22) | BIT(26) | BIT(28) | BIT(29))
/* BMI1, AVX2, BMI2. */
#define V3_LEAF_7_EBX (BIT(3) | BIT(5) | BIT(8))
/* LAHF; LZCNT. */
#define V2_EXTENDED_ECX BIT(0)
#define V3_EXTENDED_ECX (V2_EXTENDED_ECX | BIT(5))
/* SYSCALL, NX, LM. */
#define EXTENDED_EDX (BIT(11) | BIT(20) | BIT(29))

/* Family 6: models 15 (Core 2), 26 (Nehalem), 60 (Haswell), as libc knows them. */
#define CORE2_SIGNATURE   0x6fbu
#define NEHALEM_SIGNATURE 0x106a5u
#define HASWELL_SIGNATURE 0x306c3u

/* Leaf 4: type and level, of one CPU each; ways, 64 bytes a line; sets. */
#define CACHE(type, level, ways, sets)                                                     \
	{                                                                                  \
		.eax = (type) | (level) << 5 | BIT(8), .ebx = ((ways)-1) << 22 | (64 - 1), \
		.ecx = (uint32_t)(sets)-1                                                  \
	}

/* Leaf 0DH: x87, SSE and AVX, in the standard form. */
#define AVX_OFFSET 576u
#define AVX_BYTES  256u
#define STATE_SIZE (AVX_OFFSET + AVX_BYTES)
#define STATES     7u

/* The last row of a leaf and subleaf whose level is not above the wanted one counts. `keep`: bits
 * that the machine's answer has. */
struct program_row {
	uint32_t leaf;
	int subleaf; /* or ANY */
	unsigned level;
	struct cpuid_regs value, keep;
};

static const struct program_row rows[] = {
	{0, ANY, ALL_LEVELS,
	 .value = {.eax = 0xd,
		   .ebx = LETTERS('G', 'e', 'n', 'u'),
		   .edx = LETTERS('i', 'n', 'e', 'I'),
		   .ecx = LETTERS('n', 't', 'e', 'l')}},
	{1, ANY, 1, .value = {.eax = CORE2_SIGNATURE, .ebx = 0x10800, .edx = FEATURES_EDX},
	 .keep = {.ebx = APIC_ID}},
	{1, ANY, 2,
	 .value = {.eax = NEHALEM_SIGNATURE, .ebx = 0x10800, .ecx = V2_ECX, .edx = FEATURES_EDX},
	 .keep = {.ebx = APIC_ID}},
	{1, ANY, 3,
	 .value = {.eax = HASWELL_SIGNATURE, .ebx = 0x10800, .ecx = V3_ECX, .edx = FEATURES_EDX},
	 .keep = {.ebx = APIC_ID, .ecx = OSXSAVE}},
	/* All is in leaf 4. */
	{2, ANY, ALL_LEVELS, .value = {.eax = 0xff01}},
	{4, 0, ALL_LEVELS, .value = CACHE(1u, 1u, 8u, 64)},
	{4, 1, ALL_LEVELS, .value = CACHE(2u, 1u, 8u, 64)},
	{4, 2, ALL_LEVELS, .value = CACHE(3u, 2u, 8u, 512)},
	{4, 3, ALL_LEVELS, .value = CACHE(3u, 3u, 16u, 8192)},
	{7, 0, 3, .value = {.ebx = V3_LEAF_7_EBX}},
	/* One thread, one core. */
	{0xb, 0, ALL_LEVELS, .value = {.ebx = 1, .ecx = 0x100}, .keep = {.edx = X2APIC_ID}},
	{0xb, 1, ALL_LEVELS, .value = {.ebx = 1, .ecx = 0x201}, .keep = {.edx = X2APIC_ID}},
	{0xd, 0, 3, .value = {.eax = STATES, .ebx = STATE_SIZE, .ecx = STATE_SIZE}},
	{0xd, 2, 3, .value = {.eax = AVX_BYTES, .ebx = AVX_OFFSET}},
	{0x80000000, ANY, ALL_LEVELS, .value = {.eax = 0x80000008}},
	{0x80000001, ANY, 1, .value = {.edx = EXTENDED_EDX}},
	{0x80000001, ANY, 2, .value = {.ecx = V2_EXTENDED_ECX, .edx = EXTENDED_EDX}},
	{0x80000001, ANY, 3, .value = {.ecx = V3_EXTENDED_ECX, .edx = EXTENDED_EDX}},
	/* 256 KiB, 8 ways, 64 bytes a line. */
	{0x80000006, ANY, ALL_LEVELS, .value = {.ecx = 0x01006040}},
	{0x80000007, ANY, ALL_LEVELS, .value = {.edx = INVARIANT_TSC}},
	{0x80000008, ANY, ALL_LEVELS, .keep = {.eax = ADDRESS_BITS}},
};

static const char brand[PROGRAM_LEVELS + 1][3 * sizeof(struct cpuid_regs)] = {
	[1] = "x86-64 of perf0", [2] = "x86-64-v2 of perf0", [3] = "x86-64-v3 of perf0"};

static const struct program_row *program_row_of(unsigned level, uint32_t leaf, uint32_t subleaf)
{
	const struct program_row *found = NULL;

	for (size_t i = 0; i < LENGTH(rows); i++)
		if (rows[i].leaf == leaf && rows[i].level <= level &&
		    (rows[i].subleaf == ANY || (uint32_t)rows[i].subleaf == subleaf))
			found = &rows[i];
	return found;
}

void program_cpuid(unsigned level, uint32_t leaf, uint32_t subleaf, struct cpuid_regs *r)
{
	const struct program_row *row = program_row_of(level, leaf, subleaf);
	const struct cpuid_regs old = *r;

	if (leaf >= VPMU_LEAVES && leaf < VPMU_LEAVES_END)
		return;
	*r = (struct cpuid_regs){0};
	if (leaf >= BRAND_FIRST && leaf <= BRAND_LAST)
		memcpy(r, brand[level] + (leaf - BRAND_FIRST) * sizeof(*r), sizeof(*r));
	if (!row)
		return;
	r->eax = row->value.eax | (old.eax & row->keep.eax);
	r->ebx = row->value.ebx | (old.ebx & row->keep.ebx);
	r->ecx = row->value.ecx | (old.ecx & row->keep.ecx);
	r->edx = row->value.edx | (old.edx & row->keep.edx);
}

static bool has_all(uint32_t has, uint32_t wanted)
{
	return (has & wanted) == wanted;
}

bool program_level_runs(unsigned level, struct cpuid_regs (*ask)(uint32_t leaf, uint32_t subleaf))
{
	const struct cpuid_regs basic = ask(1, 0), extended = ask(0x80000001, 0);
	const struct program_row *one = program_row_of(level, 1, 0),
				 *more = program_row_of(level, 0x80000001, 0),
				 *seven = program_row_of(level, 7, 0);

	return has_all(basic.ecx, one->value.ecx) && has_all(basic.edx, one->value.edx) &&
	       has_all(extended.ecx, more->value.ecx) && has_all(extended.edx, more->value.edx) &&
	       (!seven || has_all(ask(7, 0).ebx, seven->value.ebx));
}
