// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest.c - the guest's general registers, and its memory, found through its own page tables, which
 * the host reads by physical address. Long mode's paging and no paging at all are known; under
 * 32-bit paging nothing is mapped, and nothing is that lies, or whose tables lie, where the host
 * maps no memory: so does what a reserved bit makes of an address. AMD APM vol. 2, "Long-Mode Page
 * Translation".
 */
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "vpmu/svm/vpmu.h"

#define PAGE_SHIFT   12
#define PAGE_SIZE    (1ull << PAGE_SHIFT)
#define LEVEL_BITS   9
#define PTE_PRESENT  (1ull << 0)
#define PTE_LARGE    (1ull << 7)
#define PTE_ADDRESS  0x000ffffffffff000ull
#define MAPPED_END   (1ull << 39) /* of the machine's memory, in the host's page tables */
#define TOP_OF_LARGE 2            /* page tables of this level and below may map pages */

bool vpmu_guest_long_mode(void)
{
	return vpmu_vmcb.efer & EFER_LMA;
}

bool vpmu_guest_64bit(void)
{
	return vpmu_guest_long_mode() && vpmu_vmcb.cs.attributes & SEGMENT_LONG;
}

uint64_t *vpmu_guest_register(struct vpmu_cpu *cpu, unsigned n)
{
	uint64_t *const registers[] = {
		&vpmu_vmcb.rax, &cpu->rcx, &cpu->rdx, &cpu->rbx, &vpmu_vmcb.rsp, &cpu->rbp,
		&cpu->rsi,      &cpu->rdi, &cpu->r8,  &cpu->r9,  &cpu->r10,      &cpu->r11,
		&cpu->r12,      &cpu->r13, &cpu->r14, &cpu->r15,
	};

	return registers[n];
}

static bool walk_guest_tables(uint64_t va, uint64_t *pa, uint8_t *page_shift)
{
	uint64_t table = vpmu_vmcb.cr3 & PTE_ADDRESS;

	if (table >= MAPPED_END)
		return false;
	for (int level = vpmu_vmcb.cr4 & CR4_LA57 ? 4 : 3; level >= 0; level--) {
		unsigned shift = PAGE_SHIFT + LEVEL_BITS * (unsigned)level;
		uint64_t index = va >> shift & ((1u << LEVEL_BITS) - 1);
		uint64_t entry = ((volatile uint64_t *)table)[index], offset;

		if (!(entry & PTE_PRESENT) || (entry & PTE_ADDRESS) >= MAPPED_END)
			return false;
		if (level && (level > TOP_OF_LARGE || !(entry & PTE_LARGE))) {
			table = entry & PTE_ADDRESS;
			continue;
		}
		offset = (1ull << shift) - 1;
		*pa = (entry & PTE_ADDRESS & ~offset) | (va & offset);
		*page_shift = (uint8_t)shift;
		return true;
	}
	return false;
}

bool vpmu_guest_translate(uint64_t va, uint64_t *pa, uint8_t *page_shift)
{
	if (vpmu_guest_long_mode())
		return walk_guest_tables(va, pa, page_shift);
	*pa = va;
	*page_shift = PAGE_SHIFT;
	return !(vpmu_vmcb.cr0 & CR0_PG);
}

bool vpmu_guest_physical(uint64_t va, uint64_t *pa)
{
	uint8_t page_shift;

	return vpmu_guest_translate(va, pa, &page_shift);
}

static size_t left_in_page(uint64_t va, size_t n)
{
	uint64_t left = PAGE_SIZE - (va & (PAGE_SIZE - 1));

	return n < left ? n : left;
}

size_t vpmu_guest_read(uint64_t va, void *buf, size_t n)
{
	size_t done = 0, part;
	uint64_t pa;

	for (; done < n && vpmu_guest_physical(va + done, &pa); done += part) {
		part = left_in_page(va + done, n - done);
		memcpy((uint8_t *)buf + done, (const void *)pa, part);
	}
	return done;
}

bool vpmu_guest_write(uint64_t va, const void *buf, size_t n)
{
	size_t done = 0, part;
	uint64_t pa;

	for (; done < n && vpmu_guest_physical(va + done, &pa); done += part) {
		part = left_in_page(va + done, n - done);
		memcpy((void *)pa, (const uint8_t *)buf + done, part);
	}
	return done == n;
}

bool vpmu_guest_read_whole(uint64_t va, void *buf, size_t n)
{
	return vpmu_guest_read(va, buf, n) == n;
}

static bool is_mapped(uint64_t pa, size_t n)
{
	return pa < MAPPED_END && n <= MAPPED_END - pa;
}

bool vpmu_physical_read(uint64_t pa, void *buf, size_t n)
{
	if (!is_mapped(pa, n))
		return false;
	memcpy(buf, (const void *)pa, n);
	return true;
}

bool vpmu_physical_write(uint64_t pa, const void *buf, size_t n)
{
	if (!is_mapped(pa, n))
		return false;
	memcpy((void *)pa, buf, n);
	return true;
}

uint64_t vpmu_guest_linear_rip(void)
{
	return vpmu_vmcb.rip + (vpmu_guest_64bit() ? 0 : vpmu_vmcb.cs.base);
}

enum vpmu_ring vpmu_guest_ring(void)
{
	return vpmu_vmcb.cpl == 3 ? VPMU_USR : VPMU_OS;
}

size_t vpmu_guest_code(uint8_t *buf, size_t n)
{
	uint64_t base = vpmu_guest_64bit() ? 0 : vpmu_vmcb.cs.base;

	return vpmu_guest_read(base + vpmu_vmcb.rip, buf, n);
}
