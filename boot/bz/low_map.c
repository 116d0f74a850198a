// SPDX-License-Identifier: BSD-2-Clause
/* low_map.c - see low_map.h. SDM vol. 3, "4-Level Paging and 5-Level Paging". */
#include "boot/bz/low_map.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "boot/bz/layout.h"

#define PAGE        4096
#define ENTRIES     512
#define ENTRY_FLAGS 3ull    /* present, writable */
#define LARGE_FLAGS 0x83ull /* the same, 2 MiB */
#define LARGE       (2ull << 20)
#define GIBS        (LOW_MAP_END >> 30)

/* Global for head.S: the root, a table for it, and a table for each GiB. */
extern uint64_t bz_tables[2 + GIBS][ENTRIES] __attribute__((visibility("hidden")));
uint64_t bz_tables[2 + GIBS][ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t fifth[ENTRIES] __attribute__((aligned(PAGE)));

extern uint8_t bz_stack[BZ_STACK_BYTES] __attribute__((visibility("hidden")));
uint8_t bz_stack[BZ_STACK_BYTES] __attribute__((aligned(16)));

void low_map_load(void)
{
	bz_tables[0][0] = (uintptr_t)bz_tables[1] | ENTRY_FLAGS;
	for (unsigned i = 0; i < GIBS; i++)
		bz_tables[1][i] = (uintptr_t)bz_tables[2 + i] | ENTRY_FLAGS;
	for (unsigned i = 0; i < GIBS * ENTRIES; i++)
		bz_tables[2 + i / ENTRIES][i % ENTRIES] = i * LARGE | LARGE_FLAGS;
	fifth[0] = (uintptr_t)bz_tables[0] | ENTRY_FLAGS;
	write_cr3(read_cr4() & CR4_LA57 ? (uintptr_t)fifth : (uintptr_t)bz_tables[0]);
}
