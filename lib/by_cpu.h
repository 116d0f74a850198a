/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * by_cpu.h - tables with an entry for each CPU, by its number, which any CPU may touch. (What a CPU
 * has to itself is PERCPU: percpu.h.)
 *
 * In the image a table is as long as the machine has CPUs: memory for all of them is taken at once
 * by smp_init(), and until then there is none. So a CPU costs memory where it is there, and the
 * image grows by no limit. In the host build they are arrays. Entries begin as zeros.
 */
#ifndef LIB_BY_CPU_H
#define LIB_BY_CPU_H

#include <stddef.h>

#define CPUS_MOST 1024 /* that can be numbered, from 0 */

/* A table, as smp_init() sees it. */
struct by_cpu {
	void **table;
	size_t bytes; /* of an entry */
};

/* BY_CPU(type, name) - defines the table `type *name`, at file scope; BY_CPU_STATIC() - for this
 * file alone. */
#if __STDC_HOSTED__
#define BY_CPU(type, name)                    \
	static type name##_by_cpu[CPUS_MOST]; \
	type *name = name##_by_cpu
#define BY_CPU_STATIC(type, name)             \
	static type name##_by_cpu[CPUS_MOST]; \
	static type *const name = name##_by_cpu
#else
#define BY_CPU_ENTRY(type, name)                                                   \
	static const struct by_cpu name##_by_cpu = {(void **)&name, sizeof(type)}; \
	static const struct by_cpu *const name##_by_cpu_at                         \
		__attribute__((section("by_cpu"), used)) = &name##_by_cpu
#define BY_CPU(type, name) \
	type *name;        \
	BY_CPU_ENTRY(type, name)
#define BY_CPU_STATIC(type, name) \
	static type *name;        \
	BY_CPU_ENTRY(type, name)
#endif

#endif
