// SPDX-License-Identifier: BSD-2-Clause
/* cpu_text.c - see cpu_text.h. */
#include "linux/tree/cpu_text.h"

#include "arch/x86/insn.h"
#include "lib/bits.h"

#include <stddef.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* --- Lists and masks --- */

static unsigned end_of_run(const struct cpumask *cpus, unsigned cpu)
{
	while (cpumask_has(cpus, cpu))
		cpu++;
	return cpu;
}

void cpu_text_list(struct text *text, const struct cpumask *cpus)
{
	const char *comma = "";
	unsigned end;

	for (unsigned cpu = cpumask_next(cpus, 0); cpu < CPUMASK_CPUS;
	     cpu = cpumask_next(cpus, end)) {
		end = end_of_run(cpus, cpu);
		text_print(text, "%s%u", comma, cpu);
		if (end - cpu > 1)
			text_print(text, "-%u", end - 1);
		comma = ",";
	}
}

void cpu_text_mask(struct text *text, const struct cpumask *cpus, unsigned ncpus)
{
	const unsigned groups = (ncpus + 31) / 32, bits = ncpus - (groups - 1) * 32;
	int digits = (int)(bits + 3) / 4;

	for (unsigned i = groups; i-- > 0; digits = 8)
		text_print(text, "%0*x%s", digits,
			   (unsigned)(cpus->word[i / 2] >> i % 2 * 32 & UINT32_MAX), i ? "," : "");
}

/* --- Flags --- */

/* Names of the bits of one register, by number; bits without a name are skipped. */
struct flag_word {
	uint32_t leaf;
	uint16_t subleaf;
	uint8_t reg; /* enum cpuid_reg */
	const char *name[32];
};

/* clang-format off */
static const struct flag_word words_before[] = {
	{0x1, 0, CPUID_EDX, {
		[0] = "fpu", "vme", "de", "pse", "tsc", "msr", "pae", "mce", "cx8", "apic",
		[11] = "sep", "mtrr", "pge", "mca", "cmov", "pat", "pse36", "pn", "clflush",
		[21] = "dts", "acpi", "mmx", "fxsr", "sse", "sse2", "ss", "ht", "tm", "ia64", "pbe"}},
	{0x80000001, 0, CPUID_EDX, {
		[11] = "syscall", [19] = "mp", [20] = "nx", [22] = "mmxext", [25] = "fxsr_opt",
		[26] = "pdpe1gb", [27] = "rdtscp", [29] = "lm", [30] = "3dnowext", [31] = "3dnow"}},
};

/* Flags that Linux derives from other facts: set if any of these bits is. */
static const struct {
	const char *name;
	struct cpuid_fact fact;
} made[] = {
	{"constant_tsc", {0x80000007, 0, CPUID_EDX, 8, 8}},
	{"arch_perfmon", {0xa, 0, CPUID_EAX, 0, 7}},
	{"rep_good", {0x1, 0, CPUID_EDX, 26, 26}},
	{"nopl", {0x1, 0, CPUID_EDX, 15, 15}},
	{"xtopology", {0xb, 0, CPUID_EBX, 0, 15}},
	{"nonstop_tsc", {0x80000007, 0, CPUID_EDX, 8, 8}},
	{"cpuid", {0x1, 0, CPUID_EDX, 0, 0}},
	{"aperfmperf", {0x6, 0, CPUID_ECX, 0, 0}},
	{"tsc_known_freq", {0x15, 0, CPUID_ECX, 0, 31}},
};

static const struct flag_word words_behind[] = {
	{0x1, 0, CPUID_ECX, {
		[0] = "pni", "pclmulqdq", "dtes64", "monitor", "ds_cpl", "vmx", "smx", "est", "tm2",
		"ssse3", "cid", "sdbg", "fma", "cx16", "xtpr", "pdcm", [17] = "pcid", "dca", "sse4_1",
		"sse4_2", "x2apic", "movbe", "popcnt", "tsc_deadline_timer", "aes", "xsave",
		[28] = "avx", "f16c", "rdrand", "hypervisor"}},
	{0x80000001, 0, CPUID_ECX, {
		[0] = "lahf_lm", "cmp_legacy", "svm", "extapic", "cr8_legacy", "abm", "sse4a",
		"misalignsse", "3dnowprefetch", "osvw", "ibs", "xop", "skinit", "wdt", [15] = "lwp",
		"fma4", "tce", [19] = "nodeid_msr", [21] = "tbm", "topoext", "perfctr_core",
		"perfctr_nb", [26] = "bpext", "ptsc", "perfctr_llc", "mwaitx"}},
	{0x7, 0, CPUID_EBX, {
		[0] = "fsgsbase", "tsc_adjust", "sgx", "bmi1", "hle", "avx2", [7] = "smep", "bmi2",
		"erms", "invpcid", "rtm", "cqm", [14] = "mpx", "rdt_a", "avx512f", "avx512dq", "rdseed",
		"adx", "smap", "avx512ifma", [23] = "clflushopt", "clwb", "intel_pt", "avx512pf",
		"avx512er", "avx512cd", "sha_ni", "avx512bw", "avx512vl"}},
	{0xd, 1, CPUID_EAX, {[0] = "xsaveopt", "xsavec", "xgetbv1", "xsaves"}},
	{0x7, 1, CPUID_EAX, {[4] = "avx_vnni", "avx512_bf16", [21] = "amx_fp16", [23] = "avx_ifma"}},
	{0x80000008, 0, CPUID_EBX, {
		[0] = "clzero", "irperf", "xsaveerptr", [4] = "rdpru", [9] = "wbnoinvd",
		[12] = "ibpb", [14] = "ibrs", "stibp", [24] = "ssbd", "virt_ssbd"}},
	{0x6, 0, CPUID_EAX, {
		[0] = "dtherm", "ida", "arat", [4] = "pln", [6] = "pts", "hwp", "hwp_notify",
		"hwp_act_window", "hwp_epp", "hwp_pkg_req", [19] = "hfi"}},
	{0x8000000a, 0, CPUID_EDX, {
		[0] = "npt", "lbrv", "svm_lock", "nrip_save", "tsc_scale", "vmcb_clean", "flushbyasid",
		"decodeassists", [10] = "pausefilter", [12] = "pfthreshold", "avic",
		[15] = "v_vmsave_vmload", "vgif", [20] = "v_spec_ctrl"}},
	{0x7, 0, CPUID_ECX, {
		[1] = "avx512vbmi", "umip", "pku", "ospke", "waitpkg", "avx512_vbmi2", [8] = "gfni",
		"vaes", "vpclmulqdq", "avx512_vnni", "avx512_bitalg", "tme", "avx512_vpopcntdq",
		[16] = "la57", [22] = "rdpid", [24] = "bus_lock_detect", "cldemote", [27] = "movdiri",
		"movdir64b", "enqcmd"}},
	{0x80000007, 0, CPUID_EBX, {[0] = "overflow_recov", "succor", [3] = "smca"}},
	{0x7, 0, CPUID_EDX, {
		[2] = "avx512_4vnniw", "avx512_4fmaps", "fsrm", [8] = "avx512_vp2intersect",
		[10] = "md_clear", [14] = "serialize", [16] = "tsxldtrk", [18] = "pconfig", "arch_lbr",
		"ibt", [22] = "amx_bf16", "avx512_fp16", "amx_tile", "amx_int8", [28] = "flush_l1d",
		"arch_capabilities"}},
};
/* clang-format on */

static void add_flag(struct text *text, const char *name)
{
	text_print(text, "%s%s", text->size && text->bytes[text->size - 1] != ' ' ? " " : "", name);
}

static void add_flag_words(struct text *text, const struct flag_word *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cpuid_fact all = {words[i].leaf, words[i].subleaf, words[i].reg, 0,
					       31};
		const uint32_t bits = cpuid_fact(all);

		for (unsigned bit = 0; bit < 32; bit++)
			if (bits >> bit & 1 && words[i].name[bit])
				add_flag(text, words[i].name[bit]);
	}
}

void cpu_text_flags(struct text *text)
{
	add_flag_words(text, words_before, LENGTH(words_before));
	for (size_t i = 0; i < LENGTH(made); i++)
		if (cpuid_fact(made[i].fact))
			add_flag(text, made[i].name);
	add_flag_words(text, words_behind, LENGTH(words_behind));
}

/* --- Caches --- */

#define AMD_L1D    CPUID_FACT(0x80000005, 0, ECX, 0, 31)
#define AMD_L1I    CPUID_FACT(0x80000005, 0, EDX, 0, 31)
#define AMD_L2     CPUID_FACT(0x80000006, 0, ECX, 0, 31)
#define AMD_L3     CPUID_FACT(0x80000006, 0, EDX, 0, 31)
#define AMD_L3_KIB 512 /* unit of its size */
#define ALL_WAYS   0xff

static void add_cache(struct cpu_caches *caches, struct cpu_cache cache)
{
	const uint32_t lines = cache.line ? cache.size * 1024 / cache.line : 0;

	if (!lines || caches->n == CPU_CACHES_MOST)
		return;
	if (!cache.ways)
		cache.ways = (uint16_t)lines;
	if (!cache.sets)
		cache.sets = lines / cache.ways;
	caches->cache[caches->n++] = cache;
}

/* Leaf 4 of Intel and 0x8000001D of AMD have the same format. False: the leaf lists no cache. */
static bool read_leaf(struct cpu_caches *caches, uint32_t leaf)
{
	if (!cpuid_fact((struct cpuid_fact){leaf, 0, CPUID_EAX, 0, 4}))
		return false;
	for (uint32_t i = 0; i < CPU_CACHES_MOST; i++) {
		const struct cpuid_regs r = insn_cpuid(leaf, i);
		const uint32_t line = (r.ebx & 0xfff) + 1, partitions = (r.ebx >> 12 & 0x3ff) + 1,
			       ways = (r.ebx >> 22) + 1, sets = r.ecx + 1;

		if (!(r.eax & 0x1f))
			break;
		add_cache(caches,
			  (struct cpu_cache){
				  .kind = r.eax & 0x1f,
				  .level = r.eax >> 5 & 7,
				  .shift = (uint8_t)bits_to_number((r.eax >> 14 & 0xfff) + 1),
				  .line = (uint16_t)line,
				  .ways = (uint16_t)ways,
				  .sets = sets,
				  .size = (uint32_t)((uint64_t)line * partitions * ways * sets /
						     1024),
			  });
	}
	return true;
}

/* Decodes AMD's code for associativity; 0: fully associative, or unknown. */
static uint16_t amd_ways(uint32_t code)
{
	static const uint8_t ways[16] = {[1] = 1,   [2] = 2,   [4] = 4,   [6] = 8,   [8] = 16,
					 [10] = 32, [11] = 48, [12] = 64, [13] = 96, [14] = 128};

	return ways[code];
}

static void add_amd_l1(struct cpu_caches *caches, uint32_t told, enum cpu_cache_kind kind,
		       unsigned threads)
{
	const uint32_t ways = told >> 16 & 0xff;

	add_cache(caches, (struct cpu_cache){
				  .kind = (uint8_t)kind,
				  .level = 1,
				  .shift = (uint8_t)bits_to_number(threads),
				  .line = told & 0xff,
				  .ways = (uint16_t)(ways == ALL_WAYS ? 0 : ways),
				  .size = told >> 24,
			  });
}

static void add_amd(struct cpu_caches *caches, uint32_t told, uint32_t kib, uint8_t level,
		    unsigned sharing)
{
	add_cache(caches, (struct cpu_cache){
				  .kind = CPU_CACHE_UNIFIED,
				  .level = level,
				  .shift = (uint8_t)bits_to_number(sharing),
				  .line = told & 0xff,
				  .ways = amd_ways(told >> 12 & 0xf),
				  .size = kib,
			  });
}

/* The number of CPUs in the package, minus one. */
#define AMD_PACKAGE CPUID_FACT(0x80000008, 0, ECX, 0, 7)

void cpu_caches_read(struct cpu_caches *caches, unsigned threads)
{
	*caches = (struct cpu_caches){0};
	if (read_leaf(caches, 4) || read_leaf(caches, 0x8000001d))
		return;
	add_amd_l1(caches, cpuid_fact(AMD_L1D), CPU_CACHE_DATA, threads);
	add_amd_l1(caches, cpuid_fact(AMD_L1I), CPU_CACHE_INSTRUCTION, threads);
	add_amd(caches, cpuid_fact(AMD_L2), cpuid_fact(AMD_L2) >> 16, 2, threads);
	add_amd(caches, cpuid_fact(AMD_L3), (cpuid_fact(AMD_L3) >> 18) * AMD_L3_KIB, 3,
		cpuid_fact(AMD_PACKAGE) + 1);
}

const char *cpu_cache_kind(const struct cpu_cache *cache)
{
	static const char *const names[] = {
		[CPU_CACHE_DATA] = "Data",
		[CPU_CACHE_INSTRUCTION] = "Instruction",
		[CPU_CACHE_UNIFIED] = "Unified",
	};

	return cache->kind < LENGTH(names) && names[cache->kind] ? names[cache->kind] : "";
}

/* --- /proc/cpuinfo --- */

/* The cache size of /proc/cpuinfo, as in Linux: the last level on Intel, one core's L2 on AMD. */
static uint32_t told_cache(const struct cpu_block *b)
{
	uint32_t size = 0;

	for (unsigned i = 0; i < b->caches->n; i++)
		if (b->caps->vendor != CPU_VENDOR_AMD || b->caches->cache[i].level <= 2)
			size = b->caches->cache[i].size;
	return size;
}

static void add_topology(struct text *text, const struct cpu_block *b)
{
	text_print(text, "physical id\t: %u\n", b->place->package);
	text_print(text, "siblings\t: %u\n", b->siblings);
	text_print(text, "core id\t\t: %u\n", b->place->core);
	text_print(text, "cpu cores\t: %u\n", b->cores);
	text_print(text, "apicid\t\t: %u\n", b->place->apic_id);
	text_print(text, "initial apicid\t: %u\n", b->place->apic_id);
}

static void add_sizes(struct text *text, const struct cpu_block *b)
{
	const uint32_t line = cpuid_fact(CPUID_FACT(1, 0, EBX, 8, 15)) * 8;
	const uint32_t physical = cpuid_fact(CPUID_FACT(0x80000008, 0, EAX, 0, 7));
	const uint32_t linear = cpuid_fact(CPUID_FACT(0x80000008, 0, EAX, 8, 15));

	text_print(text, "bogomips\t: %u.%02u\n", b->khz / 500, b->khz / 5 % 100);
	text_print(text, "clflush size\t: %u\n", line ? line : 64);
	text_print(text, "cache_alignment\t: %u\n", line ? line : 64);
	text_print(text, "address sizes\t: %u bits physical, %u bits virtual\n",
		   physical ? physical : 36, linear ? linear : 48);
	text_print(text, "power management:\n\n");
}

void cpu_text_block(struct text *text, const struct cpu_block *b)
{
	const struct pmu_caps *caps = b->caps;

	text_print(text, "processor\t: %u\nvendor_id\t: %s\n", b->cpu, caps->vendor_id);
	text_print(text, "cpu family\t: %u\nmodel\t\t: %u\n", caps->family, caps->model);
	text_print(text, "model name\t: %s\n", caps->brand[0] ? caps->brand : "unknown");
	text_print(text, "stepping\t: %u\n", caps->stepping);
	text_print(text, "cpu MHz\t\t: %u.%03u\n", b->khz / 1000, b->khz % 1000);
	text_print(text, "cache size\t: %u KB\n", told_cache(b));
	add_topology(text, b);
	text_print(text, "fpu\t\t: yes\nfpu_exception\t: yes\ncpuid level\t: %u\nwp\t\t: yes\n",
		   insn_cpuid(0, 0).eax);
	text_print(text, "flags\t\t: ");
	cpu_text_flags(text);
	text_print(text, "\nbugs\t\t:\n");
	add_sizes(text, b);
}
