/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu_text.h - CPUs in the formats of Linux's files: lists and masks of CPUs in /sys, the blocks
 * of /proc/cpuinfo, caches. Pure, but for CPUID of the current CPU. Any context in which the
 * heap may be used.
 */
#ifndef LINUX_TREE_CPU_TEXT_H
#define LINUX_TREE_CPU_TEXT_H

#include "arch/x86/portable/cpuid.h"
#include "lib/cpumask.h"
#include "linux/file/text.h"

#include <stdint.h>

/* cpu_text_list() - writes a list such as "0-3,5". cpu_text_mask() - writes a mask such as "2f" for
 * `ncpus` CPUs, in groups of 32 bits with commas between them. Neither writes a newline. */
void cpu_text_list(struct text *text, const struct cpumask *cpus);
void cpu_text_mask(struct text *text, const struct cpumask *cpus, unsigned ncpus);

/* cpu_text_flags() - writes the features that CPUID reports, by Linux's names
 * (arch/x86/include/asm/cpufeatures.h), with spaces between them. */
void cpu_text_flags(struct text *text);

enum cpu_cache_kind { CPU_CACHE_NONE, CPU_CACHE_DATA, CPU_CACHE_INSTRUCTION, CPU_CACHE_UNIFIED };

struct cpu_cache {
	uint8_t kind; /* enum cpu_cache_kind */
	uint8_t level;
	uint8_t shift; /* CPUs whose APIC ids agree above these bits share it */
	uint16_t line; /* bytes */
	uint16_t ways;
	uint32_t sets;
	uint32_t size; /* KiB */
};

/*
 * cpu_caches_read() - reads the caches of this CPU, whose core has `threads`, in the order of
 * CPUID: SDM vol. 2, "CPUID", leaf 4; APM vol. 3, leaves 0x8000001D, 0x80000005, 0x80000006.
 */
#define CPU_CACHES_MOST 8
struct cpu_caches {
	unsigned n;
	struct cpu_cache cache[CPU_CACHES_MOST];
};
void cpu_caches_read(struct cpu_caches *caches, unsigned threads);

/* cpu_cache_kind() - "Data", "Instruction", "Unified". */
const char *cpu_cache_kind(const struct cpu_cache *cache);

/* cpu_text_block() - writes the block of one CPU in /proc/cpuinfo. Its flags are those of the CPU
 * that runs this code. */
struct cpu_block {
	unsigned cpu;
	const struct pmu_caps *caps;
	const struct cpu_place *place;
	const struct cpu_caches *caches;
	unsigned siblings, cores; /* CPUs and cores of its package */
	uint32_t khz;             /* of the TSC */
};
void cpu_text_block(struct text *text, const struct cpu_block *block);

#endif
