// SPDX-License-Identifier: BSD-2-Clause
/*
 * watch.c - TCG marks a breakpoint on data when it is hit, and takes the mark away when something
 * else on its page is accessed; meanwhile each single step reports it as hit once more. DR0 to DR3
 * are the guest's while the host runs, and count by virtual address; so the host makes that access,
 * through a page of its own that it maps there for the moment.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vpmu.h"

#define PAGE_SHIFT  12
#define PAGE_OFFSET 0xfffull
#define LEVEL_BITS  9
#define ENTRIES     (1u << LEVEL_BITS)
#define WRITABLE    3ull /* and present */

static PERCPU uint8_t page[PAGE_OFFSET + 1] __attribute__((aligned(4096)));
static PERCPU volatile uint64_t tables[3][ENTRIES] /* levels 2, 1, 0 */
	__attribute__((aligned(4096)));

static unsigned index_at(uint64_t va, unsigned level)
{
	return va >> (PAGE_SHIFT + LEVEL_BITS * level) & (ENTRIES - 1);
}

static uint64_t debug_address(unsigned i)
{
	switch (i) {
	case 0:
		return read_dr0();
	case 1:
		return read_dr1();
	case 2:
		return read_dr2();
	default:
		return read_dr3();
	}
}

static bool watches_data(unsigned i)
{
	const uint64_t enabled = DR7_ENABLE(i) | DR7_ENABLE(i) >> 1;
	uint64_t dr7 = vpmu_vmcb.dr7;

	return dr7 & enabled && (dr7 >> DR7_TYPE_SHIFT(i) & 3) != DR7_EXECUTE;
}

/* Eight bytes of the page of `va` that none of the four breakpoints watches: of five places one is
 * free. */
static uint64_t unwatched_address(uint64_t va)
{
	uint64_t at = va & ~PAGE_OFFSET;

	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		if ((debug_address(i) ^ at) < 8) {
			at += 8;
			i = UINT32_MAX;
		}
	return at;
}

/* A write, for breakpoints on writes do not look at reads. */
static void access_page(uint64_t va)
{
	volatile uint64_t *const top = (volatile uint64_t *)read_cr3() + index_at(va, 3);

	*top = vpmu_physical(tables[0]) | WRITABLE;
	tables[0][index_at(va, 2)] = vpmu_physical(tables[1]) | WRITABLE;
	tables[1][index_at(va, 1)] = vpmu_physical(tables[2]) | WRITABLE;
	tables[2][index_at(va, 0)] = vpmu_physical(page) | WRITABLE;
	*(volatile uint64_t *)va = 0;
	*top = 0;
	for (unsigned level = 0; level < 3; level++)
		tables[2 - level][index_at(va, level)] = 0;
	invlpg((const void *)va);
}

/* The lowest 512 GiB are where the host maps memory for itself: those are left alone. */
void vpmu_forget_hits(void)
{
	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		if (watches_data(i) && index_at(debug_address(i), 3))
			access_page(unwatched_address(debug_address(i)));
}
