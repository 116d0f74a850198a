/* SPDX-License-Identifier: BSD-2-Clause */
/* cpumask.h - sets of CPUs, up to CPUMASK_CPUS. Pure, any context. */
#ifndef LIB_CPUMASK_H
#define LIB_CPUMASK_H

#include "lib/by_cpu.h"

#include <stdbool.h>
#include <stdint.h>

#define CPUMASK_CPUS  CPUS_MOST /* the CPUs are numbered from 0 */
#define CPUMASK_WORDS (CPUMASK_CPUS / 64)

struct cpumask {
	uint64_t word[CPUMASK_WORDS];
};

static inline bool cpumask_has(const struct cpumask *mask, unsigned cpu)
{
	return cpu < CPUMASK_CPUS && mask->word[cpu / 64] >> cpu % 64 & 1;
}

static inline void cpumask_add(struct cpumask *mask, unsigned cpu)
{
	mask->word[cpu / 64] |= 1ull << cpu % 64;
}

/* cpumask_add_range() - adds `first` to `last`, both included; nothing where `last` is less. */
static inline void cpumask_add_range(struct cpumask *mask, unsigned first, unsigned last)
{
	for (unsigned cpu = first; cpu <= last && cpu < CPUMASK_CPUS; cpu++)
		cpumask_add(mask, cpu);
}

/* cpumask_next() - the lowest CPU of the set from `cpu` on; CPUMASK_CPUS: there is none. */
static inline unsigned cpumask_next(const struct cpumask *mask, unsigned cpu)
{
	while (cpu < CPUMASK_CPUS && !cpumask_has(mask, cpu))
		cpu++;
	return cpu;
}

static inline unsigned cpumask_count(const struct cpumask *mask)
{
	unsigned n = 0;

	for (unsigned cpu = cpumask_next(mask, 0); cpu < CPUMASK_CPUS;
	     cpu = cpumask_next(mask, cpu + 1))
		n++;
	return n;
}

static inline bool cpumask_is_empty(const struct cpumask *mask)
{
	return cpumask_next(mask, 0) == CPUMASK_CPUS;
}

#endif
