// SPDX-License-Identifier: BSD-2-Clause
/*
 * data_breakpoint.c - TCG marks a data breakpoint when it is hit, and removes the mark when another
 * address of its page is accessed. Until then each single step reports the hit again. DR0 to DR3
 * keep the guest's values while the host runs, and compare virtual addresses. So the host makes
 * such an access itself, through a page of its own that it maps there for a moment. If the host
 * itself needs the guest's address, a hit may be reported twice.
 */
#include "vpmu/svm/stop/data_breakpoint.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define PAGE_SHIFT  12
#define PAGE_OFFSET 0xfffull
#define LEVEL_BITS  9
#define ENTRIES     (1u << LEVEL_BITS)
#define TOP         3
#define PTE_PRESENT 1ull
#define PTE_LARGE   (1ull << 7)
#define PTE_ADDRESS 0x000ffffffffff000ull
#define WRITABLE    3ull /* and present */

extern const uint8_t ImageBase[], __percpu_end[];

static PERCPU uint8_t page[PAGE_OFFSET + 1] __attribute__((aligned(4096)));
static PERCPU volatile uint64_t tables[TOP][ENTRIES] /* by level */
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

/*
 * Eight bytes of the page of `va` that no breakpoint watches. Four breakpoints cannot cover all of
 * five places.
 */
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

/* The host's code, stack and variables lie between these symbols. */
static bool is_host_memory(uint64_t va, uint64_t bytes)
{
	return va < (uint64_t)__percpu_end && va + bytes > (uint64_t)ImageBase;
}

/* Finds the entry of the host's tables that maps `va` or is empty, and its level; NULL: the host
 * needs what the entry maps. */
static volatile uint64_t *find_host_entry(uint64_t va, unsigned *level)
{
	volatile uint64_t *table = (volatile uint64_t *)read_cr3();

	for (*level = TOP;; --*level) {
		volatile uint64_t *entry = &table[index_at(va, *level)];
		const uint64_t bytes = 1ull << (PAGE_SHIFT + LEVEL_BITS * *level);

		if (*entry & PTE_PRESENT && !(*entry & PTE_LARGE) && *level > 1) {
			table = (volatile uint64_t *)(*entry & PTE_ADDRESS);
			continue;
		}
		return is_host_memory(va & ~(bytes - 1), bytes) ? NULL : entry;
	}
}

/* Puts tables below `entry` that map one page. */
static void map_one_page(volatile uint64_t *entry, unsigned level, uint64_t va)
{
	while (level--) {
		*entry = vpmu_physical(tables[level]) | WRITABLE;
		entry = &tables[level][index_at(va, level)];
	}
	*entry = vpmu_physical(page) | WRITABLE;
}

static void unmap_one_page(unsigned level, uint64_t va)
{
	while (level--)
		tables[level][index_at(va, level)] = 0;
}

/* Writes, because breakpoints on writes ignore reads. */
static void access_page(uint64_t va)
{
	unsigned level;
	volatile uint64_t *const entry = find_host_entry(va, &level);
	uint64_t before;

	if (!entry)
		return;
	before = *entry;
	map_one_page(entry, level, va);
	invlpg((const void *)va);
	*(volatile uint64_t *)va = 0;
	*entry = before;
	unmap_one_page(level, va);
	invlpg((const void *)va);
}

void vpmu_forget_hits(void)
{
	for (unsigned i = 0; i < DR_BREAKPOINTS; i++)
		if (watches_data(i))
			access_page(unwatched_address(debug_address(i)));
}
