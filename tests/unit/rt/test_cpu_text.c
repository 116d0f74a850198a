// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_text.c - lists, masks, caches and blocks of /proc/cpuinfo for made-up CPUs. Each CPU is
 * a table of CPUID results. The code is compiled into this file, with CPUID from the table.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"

#include <string.h>

#include "tests/unit/test.h"

struct answer {
	uint32_t leaf, subleaf;
	struct cpuid_regs r;
};

static const struct answer *answers; /* up to one that is all zero */

static struct cpuid_regs table_cpuid(uint32_t leaf, uint32_t subleaf)
{
	const struct answer *a = answers;

	while (a->r.eax | a->r.ebx | a->r.ecx | a->r.edx) {
		if (a->leaf == leaf && a->subleaf == subleaf)
			return a->r;
		a++;
	}
	return (struct cpuid_regs){0};
}

static bool no_msr(uint32_t msr, uint64_t *value)
{
	(void)msr;
	*value = 0;
	return false;
}

#define insn_cpuid        table_cpuid
#define rdmsr_safe        no_msr
#define cpuid_fact        tested_fact
#define pmu_caps_detect   tested_detect
#define cpuid_place       tested_place
#define cpuid_is_emulated tested_is_emulated
#define cpu_text_list     tested_list
#define cpu_text_mask     tested_mask
#define cpu_text_flags    tested_flags
#define cpu_text_block    tested_block
#define cpu_caches_read   tested_caches
#define cpu_cache_kind    tested_kind
#include "arch/x86/portable/cpuid.c"
#undef LENGTH
#include "linux/tree/cpu_text.c"

/* A Skylake with two threads a core: the relevant leaves. */
static const struct answer skylake[] = {
	{0, 0, {0x16, 0x756e6547, 0x6c65746e, 0x49656e69}},
	{1, 0, {0x000506e3, 0x00100800, 0x80000201, 0x178bfbff}},
	{4, 0, {0x1c004121, 0x01c0003f, 63, 0}},
	{4, 1, {0x1c004122, 0x01c0003f, 63, 0}},
	{4, 2, {0x1c004143, 0x00c0003f, 1023, 0}},
	{4, 3, {0x1c03c163, 0x03c0003f, 8191, 6}},
	{7, 0, {0, 0x00000028, 0, 0x20000000}},
	{0xa, 0, {0x07300404, 0, 0, 0x603}},
	{0x80000000, 0, {0x80000008, 0, 0, 0}},
	{0x80000001, 0, {0, 0, 0x121, 0x2c100800}},
	{0x80000007, 0, {0, 0, 0, 0x100}},
	{0x80000008, 0, {0x3027, 0, 0, 0}},
	{0},
};

/* A K10 without leaf 0x8000001D. */
static const struct answer k10[] = {
	{0, 0, {5, 0x68747541, 0x444d4163, 0x69746e65}},
	{1, 0, {0x00100f43, 0x00040800, 0x00802009, 0x178bfbff}},
	{0x80000000, 0, {0x8000001b, 0, 0, 0}},
	{0x80000005, 0, {0, 0, 0x40020140, 0x40020140}},
	{0x80000006, 0, {0, 0, 0x02008140, 0x0030b140}},
	{0x80000008, 0, {0x3030, 0, 0x2003, 0}},
	{0},
};

static void assert_text(struct text *text, const char *wanted)
{
	assert_string_equal(text_end(text), wanted);
	text_free(text);
}

TEST(test_lists)
{
	struct cpumask cpus = {0};
	struct text text = {0};

	cpu_text_list(&text, &cpus);
	assert_text(&text, "");
	cpumask_add(&cpus, 0);
	cpu_text_list(&text, &cpus);
	assert_text(&text, "0");
	cpumask_add_range(&cpus, 2, 3);
	cpumask_add(&cpus, 5);
	cpumask_add_range(&cpus, 200, 255);
	cpu_text_list(&text, &cpus);
	assert_text(&text, "0,2-3,5,200-255");
}

TEST(test_masks)
{
	struct cpumask cpus = {0};
	struct text text = {0};

	cpumask_add_range(&cpus, 0, 1);
	cpu_text_mask(&text, &cpus, 2);
	assert_text(&text, "3");
	cpu_text_mask(&text, &cpus, 5);
	assert_text(&text, "03");
	cpu_text_mask(&text, &cpus, 32);
	assert_text(&text, "00000003");
	cpumask_add(&cpus, 33);
	cpu_text_mask(&text, &cpus, 34);
	assert_text(&text, "2,00000003");
	cpumask_add_range(&cpus, 64, 99);
	cpu_text_mask(&text, &cpus, 100);
	assert_text(&text, "f,ffffffff,00000002,00000003");
}

static void assert_cache(const struct cpu_cache *c, struct cpu_cache wanted)
{
	assert_int_equal(c->kind, wanted.kind);
	assert_int_equal(c->level, wanted.level);
	assert_int_equal(c->shift, wanted.shift);
	assert_int_equal(c->line, wanted.line);
	assert_int_equal(c->ways, wanted.ways);
	assert_int_equal(c->sets, wanted.sets);
	assert_int_equal(c->size, wanted.size);
}

TEST(test_caches_of_leaf_4)
{
	struct cpu_caches caches;

	answers = skylake;
	cpu_caches_read(&caches, 2);
	assert_int_equal(caches.n, 4);
	assert_cache(&caches.cache[0], (struct cpu_cache){CPU_CACHE_DATA, 1, 1, 64, 8, 64, 32});
	assert_cache(&caches.cache[1],
		     (struct cpu_cache){CPU_CACHE_INSTRUCTION, 1, 1, 64, 8, 64, 32});
	assert_cache(&caches.cache[2],
		     (struct cpu_cache){CPU_CACHE_UNIFIED, 2, 1, 64, 4, 1024, 256});
	assert_cache(&caches.cache[3],
		     (struct cpu_cache){CPU_CACHE_UNIFIED, 3, 4, 64, 16, 8192, 8192});
	assert_string_equal(cpu_cache_kind(&caches.cache[1]), "Instruction");
}

TEST(test_caches_without_leaf_4)
{
	struct cpu_caches caches;

	answers = k10;
	cpu_caches_read(&caches, 1);
	assert_int_equal(caches.n, 4);
	assert_cache(&caches.cache[0], (struct cpu_cache){CPU_CACHE_DATA, 1, 0, 64, 2, 512, 64});
	assert_cache(&caches.cache[1],
		     (struct cpu_cache){CPU_CACHE_INSTRUCTION, 1, 0, 64, 2, 512, 64});
	assert_cache(&caches.cache[2],
		     (struct cpu_cache){CPU_CACHE_UNIFIED, 2, 0, 64, 16, 512, 512});
	assert_cache(&caches.cache[3],
		     (struct cpu_cache){CPU_CACHE_UNIFIED, 3, 2, 64, 48, 2048, 6144});
}

TEST(test_flags)
{
	struct text text = {0};

	answers = skylake;
	cpu_text_flags(&text);
	assert_text(
		&text,
		"fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush "
		"mmx fxsr sse sse2 ht syscall nx pdpe1gb rdtscp lm constant_tsc arch_perfmon "
		"rep_good nopl nonstop_tsc cpuid pni ssse3 hypervisor lahf_lm abm 3dnowprefetch "
		"bmi1 avx2 arch_capabilities");
}

TEST(test_block)
{
	static const struct cpu_place place = {.apic_id = 5, .package = 0, .core = 2, .thread = 1};
	struct cpu_caches caches;
	struct pmu_caps caps;
	struct text text = {0};
	const char *all;

	answers = skylake;
	pmu_caps_detect(&caps);
	cpu_caches_read(&caches, 2);
	cpu_text_block(&text, &(struct cpu_block){.cpu = 3,
						  .caps = &caps,
						  .place = &place,
						  .caches = &caches,
						  .siblings = 8,
						  .cores = 4,
						  .khz = 2712345});
	all = text_end(&text);
	assert_ptr_equal(strstr(all,
				"processor\t: 3\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
				"model\t\t: 94\nmodel name\t: unknown\nstepping\t: 3\n"
				"cpu MHz\t\t: 2712.345\ncache size\t: 8192 KB\nphysical id\t: 0\n"
				"siblings\t: 8\ncore id\t\t: 2\ncpu cores\t: 4\napicid\t\t: 5\n"
				"initial apicid\t: 5\nfpu\t\t: yes\nfpu_exception\t: yes\n"
				"cpuid level\t: 22\nwp\t\t: yes\nflags\t\t: fpu vme "),
			 all);
	assert_non_null(strstr(all,
			       "\nbugs\t\t:\nbogomips\t: 5424.69\nclflush size\t: 64\n"
			       "cache_alignment\t: 64\naddress sizes\t: 39 bits physical, 48 bits "
			       "virtual\npower management:\n\n"));
	text_free(&text);
}
