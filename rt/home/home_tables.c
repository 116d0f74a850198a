// SPDX-License-Identifier: BSD-2-Clause
/* home_tables.c - see home_tables.h. SDM vol. 3, "4-Level Paging and 5-Level Paging". */
#include "rt/home/home_tables.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/msr.h"

#include <stddef.h>

#define ENTRIES     512u
#define INDEX_BITS  9
#define PML4_SHIFT  39
#define PDPT_SHIFT  30
#define PD_SHIFT    21
#define TABLE_FLAGS (PTE_PRESENT | PTE_WRITE)

static uint64_t *pml4; /* NULL: no table yet */

static unsigned index_at(uint64_t address, unsigned shift)
{
	return address >> shift & (ENTRIES - 1);
}

/* The table that the entry points to, which is made if there is none; NULL: no memory. */
static uint64_t *table_of(uint64_t *entry)
{
	uint64_t *table;

	if (*entry)
		return virt_of(*entry & PTE_ADDRESS);
	table = page_alloc(1);
	if (table)
		*entry = phys_of(table) | TABLE_FLAGS;
	return table;
}

/* Ring 0's half begins in the middle of the root, and has the same tables. */
static uint64_t *table_of_root(uint64_t address)
{
	const unsigned i = index_at(address, PML4_SHIFT);
	uint64_t *table;

	if (!pml4)
		pml4 = page_alloc(1);
	if (!pml4)
		return NULL;
	table = table_of(&pml4[i]);
	pml4[i + ENTRIES / 2] = pml4[i];
	return table;
}

static bool map_large_page(uint64_t address)
{
	uint64_t *pdpt = table_of_root(address), *pd;

	pd = pdpt ? table_of(&pdpt[index_at(address, PDPT_SHIFT)]) : NULL;
	if (pd)
		pd[index_at(address, PD_SHIFT)] = address | TABLE_FLAGS | PTE_LARGE;
	return pd;
}

bool home_map(uint64_t base, uint64_t bytes)
{
	const uint64_t end = base + bytes;

	for (uint64_t at = base & ~(LARGE_BYTES - 1); at < end; at += LARGE_BYTES)
		if (!map_large_page(at))
			return false;
	return true;
}

uint64_t home_root(void)
{
	uint64_t *pml5;

	if (!(read_cr4() & CR4_LA57))
		return pml4 ? phys_of(pml4) : 0;
	pml5 = page_alloc(1);
	if (!pml5 || !pml4)
		return 0;
	pml5[0] = pml5[ENTRIES - 1] = phys_of(pml4) | TABLE_FLAGS;
	return phys_of(pml5);
}
