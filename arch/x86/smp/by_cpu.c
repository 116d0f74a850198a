// SPDX-License-Identifier: BSD-2-Clause
/* by_cpu.c - memory for the tables of lib/by_cpu.h: one block, a cache line's multiple for each. */
#include "lib/by_cpu.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp_start.h"
#include "lib/panic.h"

#define CACHE_LINE 64ull

extern const struct by_cpu *const __start_by_cpu[], *const __stop_by_cpu[];

static size_t table_bytes(const struct by_cpu *table, unsigned ncpus)
{
	return (table->bytes * ncpus + CACHE_LINE - 1) & ~(CACHE_LINE - 1);
}

void smp_make_tables(unsigned ncpus)
{
	size_t bytes = 0;
	uint8_t *memory;

	for (const struct by_cpu *const *t = __start_by_cpu; t < __stop_by_cpu; t++)
		bytes += table_bytes(*t, ncpus);
	memory = page_alloc(pages_of(bytes));
	if (!memory)
		panic("no memory for the tables of %u CPUs", ncpus);
	for (const struct by_cpu *const *t = __start_by_cpu; t < __stop_by_cpu; t++) {
		*(*t)->table = memory;
		memory += table_bytes(*t, ncpus);
	}
}
