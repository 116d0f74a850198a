/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * by_cpu.h - tables with one entry for each CPU, indexed by the CPU's number. Any CPU may access
 * any entry. (Variables that only their own CPU accesses are PERCPU: percpu.h.)
 *
 * In the image, smp_init() allocates all tables at once, as long as the machine has CPUs; before
 * that the pointers are NULL. So the image does not grow with CPUS_MOST. In the host build the
 * tables are arrays. All entries start as zeros.
 */
#ifndef LIB_BY_CPU_H
#define LIB_BY_CPU_H

#include <stddef.h>

#define CPUS_MOST 1024 /* the highest number of CPUs; they are numbered from 0 */

/* One table, as smp_init() sees it. */
struct by_cpu {
	void **table;
	size_t bytes; /* size of one entry */
};

/*
 * BY_CPU(type, name) - defines the table `type *name` at file scope.
 * BY_CPU_STATIC() - defines it as static.
 */
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
