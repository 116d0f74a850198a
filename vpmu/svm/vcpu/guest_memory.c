// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_memory.c - the guest's general registers, and its memory, found through its own page
 * tables. The host maps physical memory one to one, so a physical address is also its pointer. An
 * address is treated as unmapped if it, or one of its tables, lies where the host maps no memory.
 * So entries with reserved bits of the address map nothing. AMD APM vol. 2, "Legacy-Mode Page
 * Translation", "Long-Mode Page Translation".
 */
#include "vpmu/svm/vcpu/guest_memory.h"

#include "arch/x86/msr.h"
#include "lib/string.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define PAGE_SHIFT  12
#define PAGE_SIZE   (1ull << PAGE_SHIFT)
#define PTE_PRESENT (1ull << 0)
#define PTE_LARGE   (1ull << 7)
#define PTE_ADDRESS 0x000ffffffffff000ull
#define MAPPED_END  (1ull << 39) /* limit of the memory that the host maps */
#define CR3_ADDRESS \
	0x000fffffffffffe0ull /* PAE's first table is aligned to 32 bytes, others to a page */

/* Bits 39:32 of the address of a 4 MiB page. */
#define PTE_HIGH(entry) (((entry) >> 13 & 0xff) << 32)

/* A paging mode. Entries of levels up to `top_of_large`, from 1 on, may map large pages. */
struct guest_paging {
	uint8_t levels, index_bits, entry_bytes, top_of_large;
};

static const struct guest_paging legacy_paging = {2, 10, 4, 0};
static const struct guest_paging legacy_paging_large = {2, 10, 4, 1};
static const struct guest_paging pae_paging = {3, 9, 8, 1};
static const struct guest_paging long_paging = {4, 9, 8, 2};
static const struct guest_paging long_paging_5 = {5, 9, 8, 2};

static const struct guest_paging *paging_now(void)
{
	if (vpmu_guest_long_mode())
		return vpmu_vmcb.cr4 & CR4_LA57 ? &long_paging_5 : &long_paging;
	if (vpmu_vmcb.cr4 & CR4_PAE)
		return &pae_paging;
	return vpmu_vmcb.cr4 & CR4_PSE ? &legacy_paging_large : &legacy_paging;
}

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
		&vpmu_vmcb.rax, &cpu->gpr.rcx, &cpu->gpr.rdx, &cpu->gpr.rbx,
		&vpmu_vmcb.rsp, &cpu->gpr.rbp, &cpu->gpr.rsi, &cpu->gpr.rdi,
		&cpu->gpr.r8,   &cpu->gpr.r9,  &cpu->gpr.r10, &cpu->gpr.r11,
		&cpu->gpr.r12,  &cpu->gpr.r13, &cpu->gpr.r14, &cpu->gpr.r15,
	};

	return registers[n];
}

static uint64_t table_entry(const struct guest_paging *p, uint64_t table, uint64_t index)
{
	return p->entry_bytes == sizeof(uint32_t) ? ((volatile uint32_t *)table)[index]
						  : ((volatile uint64_t *)table)[index];
}

static uint64_t mapped_page(const struct guest_paging *p, uint64_t entry, uint64_t offset_bits)
{
	const bool is_4mib = offset_bits >= PAGE_SIZE && p->entry_bytes == sizeof(uint32_t);

	return (entry & PTE_ADDRESS & ~offset_bits) | (is_4mib ? PTE_HIGH(entry) : 0);
}

static bool walk_guest_tables(uint64_t va, uint64_t *pa, uint8_t *page_shift)
{
	const struct guest_paging *const p = paging_now();
	uint64_t table = vpmu_vmcb.cr3 & (p == &pae_paging ? CR3_ADDRESS : PTE_ADDRESS);

	if (table >= MAPPED_END)
		return false;
	for (unsigned level = p->levels; level--;) {
		const unsigned shift = PAGE_SHIFT + p->index_bits * level;
		const uint64_t index = va >> shift & ((1u << p->index_bits) - 1);
		const uint64_t entry = table_entry(p, table, index);
		const uint64_t offset = (1ull << shift) - 1;

		if (!(entry & PTE_PRESENT) || (entry & PTE_ADDRESS) >= MAPPED_END)
			return false;
		if (level && (level > p->top_of_large || !(entry & PTE_LARGE))) {
			table = entry & PTE_ADDRESS;
			continue;
		}
		*pa = mapped_page(p, entry, offset) | (va & offset);
		*page_shift = (uint8_t)shift;
		return *pa < MAPPED_END;
	}
	return false;
}

bool vpmu_guest_translate(uint64_t va, uint64_t *pa, uint8_t *page_shift)
{
	if (vpmu_vmcb.cr0 & CR0_PG)
		return walk_guest_tables(vpmu_guest_long_mode() ? va : (uint32_t)va, pa,
					 page_shift);
	*pa = va;
	*page_shift = PAGE_SHIFT;
	return true;
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
	return vpmu_guest_64bit() ? vpmu_vmcb.rip : (uint32_t)(vpmu_vmcb.rip + vpmu_vmcb.cs.base);
}

enum vpmu_ring vpmu_guest_ring(void)
{
	return vpmu_vmcb.cpl == 3 ? VPMU_USR : VPMU_OS;
}

size_t vpmu_guest_code(uint8_t *buf, size_t n)
{
	return vpmu_guest_read(vpmu_guest_linear_rip(), buf, n);
}
