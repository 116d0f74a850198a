// SPDX-License-Identifier: BSD-2-Clause
/* upper.c - see upper.h. SDM vol. 3, "4-Level Paging and 5-Level Paging". */
#include "boot/upper.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "boot/relocate.h"
#include "lib/string.h"

#define PAGE        4096
#define ENTRIES     512
#define TABLE       0x000ffffffffff000ull
#define ENTRY_FLAGS 3ull /* present, writable */

/* The firmware's tables with ring 0's half, until the runtime has tables of its own. */
static uint64_t pml4[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t pml5[ENTRIES] __attribute__((aligned(PAGE)));

static uint64_t old_root;

/* The upper half becomes a copy of the lower half, which stays: this code still runs there. */
static void double_map(const uint64_t *lower)
{
	memcpy(pml4, lower, PAGE / 2);
	memcpy(pml4 + ENTRIES / 2, lower, PAGE / 2);
}

void upper_map(void)
{
	const uint64_t *root;

	old_root = read_cr3();
	root = (const uint64_t *)(old_root & TABLE);
	if (!(read_cr4() & CR4_LA57)) {
		double_map(root);
		write_cr3((uintptr_t)pml4);
	} else {
		double_map((const uint64_t *)(root[0] & TABLE));
		memcpy(pml5, root, sizeof(pml5));
		pml5[ENTRIES - 1] = (uintptr_t)pml4 | ENTRY_FLAGS;
		write_cr3((uintptr_t)pml5);
	}
	relocate_again(ImageBase, DIRECT_MAP);
}

uint64_t upper_old_root(void)
{
	return old_root;
}

/* The firmware's changes of its root were made in the copy; they are written back. The firmware's
 * own root may be write-protected. */
static void bring_entries_back(const uint64_t *from, uint64_t *to)
{
	const uint64_t cr0 = read_cr0();

	write_cr0(cr0 & ~CR0_WP);
	for (unsigned i = 0; i < ENTRIES / 2; i++)
		if (to[i] != from[i])
			to[i] = from[i];
	write_cr0(cr0);
}

void upper_unmap(uint64_t lower_root)
{
	if (lower_root)
		bring_entries_back((const uint64_t *)(lower_root & TABLE),
				   (uint64_t *)(old_root & TABLE));
	relocate_again(ImageBase, -DIRECT_MAP);
	write_cr3(old_root);
}
