// SPDX-License-Identifier: BSD-2-Clause
/* low_map.c - see low_map.h. SDM vol. 3, "4-Level Paging and 5-Level Paging". */
#include "boot/bz/low_map.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "boot/bz/bz_layout.h"
#include "boot/relocate.h"

#include <stdbool.h>

#define PAGE        4096
#define ENTRIES     512
#define ENTRY_FLAGS 3ull    /* present, writable */
#define LARGE_FLAGS 0x83ull /* the same, a page of 2 MiB or 1 GiB */
#define LARGE       (2ull << 20)
#define GIB         (1ull << 30)
#define LOW_GIBS    (LOW_MAP_LEAST / GIB)
#define IMAGE_GIBS  2  /* an image of less than 1 GiB lies in two at most */
#define HUGE_PAGES  26 /* bit of EDX of CPUID 0x80000001 */
#define TABLE       0x000ffffffffff000ull

/* Global for head.S: the root, a table for it, and a table for each GiB. */
extern uint64_t bz_tables[2 + LOW_GIBS][ENTRIES] __attribute__((visibility("hidden")));
uint64_t bz_tables[2 + LOW_GIBS][ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t fifth[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t of_image[IMAGE_GIBS][ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t above_image[IMAGE_GIBS][ENTRIES] __attribute__((aligned(PAGE)));

extern uint8_t bz_stack[BZ_STACK_BYTES] __attribute__((visibility("hidden")));
uint8_t bz_stack[BZ_STACK_BYTES] __attribute__((aligned(16)));

static uint64_t low_entry(const uint64_t *table)
{
	return (uintptr_t)table | ENTRY_FLAGS;
}

static void map_gib(uint64_t *table, uint64_t gib)
{
	for (unsigned i = 0; i < ENTRIES; i++)
		table[i] = (gib * GIB + i * LARGE) | LARGE_FLAGS;
}

/* Maps the GiB of `at` in table `nth` of the image's, where nothing else does. The roots are those
 * of 512 GiB. */
static void map_image_gib(uint64_t at, unsigned nth)
{
	const uint64_t gib = at / GIB;
	uint64_t *root = &bz_tables[0][gib / ENTRIES % ENTRIES], *entry;

	if (!*root)
		*root = low_entry(above_image[nth]);
	entry = (uint64_t *)(uintptr_t)(*root & TABLE) + gib % ENTRIES;
	if (*entry)
		return;
	map_gib(of_image[nth], gib);
	*entry = low_entry(of_image[nth]);
}

static bool has_huge_pages(void)
{
	return insn_cpuid(0x80000000, 0).eax > 0x80000000 &&
	       insn_cpuid(0x80000001, 0).edx >> HUGE_PAGES & 1;
}

uint64_t low_map_reach(void)
{
	return (read_cr3() & TABLE) == (uintptr_t)bz_tables ? LOW_MAP_LEAST : UINT64_MAX;
}

uint64_t low_map_load(void)
{
	const uint64_t image = (uintptr_t)ImageBase;
	const bool is_huge = has_huge_pages();

	for (unsigned i = 0; i < LOW_GIBS; i++) {
		map_gib(bz_tables[2 + i], i);
		bz_tables[1][i] = low_entry(bz_tables[2 + i]);
	}
	for (unsigned i = LOW_GIBS; is_huge && i < ENTRIES; i++)
		bz_tables[1][i] = i * GIB | LARGE_FLAGS;
	bz_tables[0][0] = low_entry(bz_tables[1]);
	map_image_gib(image, 0);
	map_image_gib(image + GIB, 1);
	fifth[0] = low_entry(bz_tables[0]);
	write_cr3(read_cr4() & CR4_LA57 ? (uintptr_t)fifth : (uintptr_t)bz_tables[0]);
	return is_huge ? ENTRIES * GIB : LOW_MAP_LEAST;
}
