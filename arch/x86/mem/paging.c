// SPDX-License-Identifier: BSD-2-Clause
/*
 * paging.c - see paging.h. SDM vol. 3, "4-Level Paging and 5-Level Paging".
 *
 * Levels are counted from the leaf: 0 is the page table, 3 the PML4. Where the firmware runs with
 * five levels, our PML4 hangs below a PML5 twice, once for each half. Accessed and dirty bits are
 * set from the start, so that the CPU never writes to a table on its own in the middle of a
 * measurement.
 *
 * Each CPU has a PML4 of its own, in which ring 0's half is the boot CPU's but for .percpu, with
 * the few tables on the way there. What is mapped for ring 0 is mapped in the boot CPU's tables,
 * and copied from there to those of all others (follow_tables()): below the tables on that way all
 * share the same ones anyway. The lower half is ring 3's (space.c); only a CPU that starts has
 * something else there (start_pml4).
 */
#include "arch/x86/mem/paging.h"

#include "arch/x86/portable/cpuid.h"
#include "arch/x86/mem/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/by_cpu.h"
#include "lib/lock.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/string.h"

#include <linux/errno.h>

#define ENTRIES      512
#define HALF_BYTES   (ENTRIES / 2 * sizeof(uint64_t)) /* of a PML4 */
#define LEVEL_PML4   3
#define PTE_LEAF     (PTE_PRESENT | PTE_ACCESSED | PTE_DIRTY)
#define PTE_UNCACHED (PTE_PWT | PTE_PCD)
#define PTE_WC       PTE_PWT

/* PAT by (PCD, PWT): write-back, write-combining, UC-, uncached; then the same again. */
#define PAT_VALUE 0x0007010600070106ull

#define RO_NX (PTE_LEAF | PTE_NX)
#define RW_NX (PTE_LEAF | PTE_NX | PTE_WRITE)
#define RX    (PTE_LEAF)

static uint64_t *boot_pml4;
static PERCPU uint64_t *pml4; /* this CPU's */
BY_CPU_STATIC(uint64_t *, others);
static unsigned nothers;
static uint64_t
	*start_pml4; /* the table on which CPUs start; NULL: no page is mapped for a start yet */
static struct lock lock;       /* for ring 0's tables, and the two above */
static unsigned largest_level; /* 2 if the CPU has pages of 1 GiB, else 1 */
static bool live;              /* these tables are in use */

static uint64_t level_size(unsigned level)
{
	return PAGE_SIZE << (9 * level);
}

static unsigned level_index(uint64_t va, unsigned level)
{
	return va >> (12 + 9 * level) & (ENTRIES - 1);
}

static bool is_leaf(uint64_t pte, unsigned level)
{
	return pte & PTE_PRESENT && (!level || pte & PTE_LARGE);
}

static uint64_t *paging_table_of(uint64_t pte)
{
	return virt_of(pte & PTE_ADDRESS);
}

static uint64_t entry_of_table(const uint64_t *table)
{
	return phys_of(table) | PTE_PRESENT | PTE_ACCESSED | PTE_WRITE | PTE_USER;
}

/* Puts a table of smaller pages in place of the large page `*pte` of `level`. */
static uint64_t *split_large_page(uint64_t *pte, unsigned level)
{
	uint64_t large = level == 1 ? 0 : PTE_LARGE;
	uint64_t *table = page_alloc(1);

	if (!table)
		return NULL;
	for (unsigned i = 0; i < ENTRIES; i++)
		table[i] = (*pte & ~PTE_LARGE) + i * level_size(level - 1) + large;
	*pte = entry_of_table(table);
	return table;
}

/* The table that `*pte` of `level` points to, made if need be. */
static uint64_t *make_subtable(uint64_t *pte, unsigned level)
{
	uint64_t *table;

	if (is_leaf(*pte, level))
		return split_large_page(pte, level);
	if (*pte & PTE_PRESENT)
		return paging_table_of(*pte);
	table = page_alloc(1);
	if (table)
		*pte = entry_of_table(table);
	return table;
}

/* The entry of `level` for `va` in the tables below the PML4 `table`; NULL without memory for one
 * on the way. */
static uint64_t *paging_entry_at(uint64_t *table, uint64_t va, unsigned level)
{
	for (unsigned at = LEVEL_PML4; table && at > level; at--)
		table = make_subtable(&table[level_index(va, at)], at);
	return table ? &table[level_index(va, level)] : NULL;
}

static unsigned fitting_level(uint64_t va, uint64_t pa, uint64_t bytes)
{
	unsigned level = largest_level;

	while (level && (((va | pa) & (level_size(level) - 1)) || bytes < level_size(level)))
		level--;
	return level;
}

/* As large a page as fits, unless a table is there already; returns its size, 0 without memory. */
static uint64_t map_one(uint64_t *root, uint64_t va, uint64_t pa, uint64_t bytes, uint64_t flags)
{
	unsigned level = fitting_level(va, pa, bytes);
	uint64_t *pte = paging_entry_at(root, va, level);

	while (pte && *pte & PTE_PRESENT && !is_leaf(*pte, level))
		pte = paging_entry_at(root, va, --level);
	if (!pte)
		return 0;
	*pte = pa | flags | (level ? PTE_LARGE : 0);
	if (live)
		invlpg((const void *)va);
	return level_size(level);
}

static int map_in(uint64_t *root, uint64_t va, uint64_t pa, uint64_t bytes, uint64_t flags)
{
	while (bytes) {
		uint64_t size = map_one(root, va, pa, bytes, flags);

		if (!size)
			return -ENOMEM;
		va += size;
		pa += size;
		bytes -= size;
	}
	return 0;
}

static bool is_percpu(uint64_t va, unsigned level)
{
	return va < (uintptr_t)__percpu_end && va + level_size(level) > (uintptr_t)__percpu_start;
}

/* Makes `table` of a CPU like `boot`, the boot CPU's table for the same addresses, which begin at
 * `va`, except for the CPU's own parts, which are made where they are missing. False: no memory. */
static bool follow_table(uint64_t *table, const uint64_t *boot, uint64_t va, unsigned level)
{
	for (unsigned i = level_index(va, level); i < ENTRIES; i++, va += level_size(level)) {
		if (!is_percpu(va, level)) {
			table[i] = boot[i];
			continue;
		}
		if (!table[i]) {
			const uint64_t *page = page_alloc(1);

			if (!page)
				return false;
			table[i] = level ? entry_of_table(page) : phys_of(page) | RW_NX;
		}
		if (level && !follow_table(paging_table_of(table[i]), paging_table_of(boot[i]), va,
					   level - 1))
			return false;
	}
	return true;
}

/* Ring 0's half of a CPU's tables. */
static bool follow_boot_cpu(uint64_t *table)
{
	return follow_table(table, boot_pml4, DIRECT_MAP, LEVEL_PML4);
}

/* Existing tables already have the subtables of .percpu, so no memory is allocated. */
static void follow_tables(void)
{
	for (unsigned i = 0; i < nothers; i++)
		follow_boot_cpu(others[i]);
}

/* Maps for ring 0, on all CPUs. */
static int map_all_cpus(uint64_t va, uint64_t pa, uint64_t bytes, uint64_t flags)
{
	const uint64_t irqs = irq_save();
	int err;

	lock_take(&lock);
	err = map_in(boot_pml4, va, pa, bytes, flags);
	follow_tables();
	lock_release(&lock);
	irq_restore(irqs);
	return err;
}

/* Maps [phys, phys + bytes), rounded outwards to pages, at virt_of() of it. */
static int map_direct(uint64_t phys, uint64_t bytes, uint64_t flags)
{
	uint64_t base = phys & ~(PAGE_SIZE - 1);
	uint64_t end = (phys + bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);

	if (end < base || end > DIRECT_MAP_BYTES)
		return -ENOMEM;
	return map_all_cpus((uintptr_t)virt_of(base), base, end - base, flags);
}

static bool is_canonical(uint64_t va)
{
	return (uint64_t)((int64_t)(va << 16) >> 16) == va;
}

/* Returns the entry that maps `va`, and stores its level; 0: not mapped. */
static uint64_t walk_tables(uint64_t va, unsigned *level)
{
	const uint64_t *table = pml4;

	if (!table || !is_canonical(va))
		return 0;
	for (*level = LEVEL_PML4;; --*level) {
		uint64_t pte = table[level_index(va, *level)];

		if (!(pte & PTE_PRESENT) || is_leaf(pte, *level))
			return pte & PTE_PRESENT ? pte : 0;
		table = paging_table_of(pte);
	}
}

uint64_t paging_lookup(uint64_t va)
{
	unsigned level;

	return walk_tables(va, &level);
}

bool paging_translate(uint64_t va, uint64_t *physical, uint64_t *page_size)
{
	unsigned level;
	uint64_t pte = walk_tables(va, &level);

	if (!pte)
		return false;
	*page_size = level_size(level);
	*physical = (pte & PTE_ADDRESS & ~(*page_size - 1)) | (va & (*page_size - 1));
	return true;
}

void paging_unmap_guard(const void *page)
{
	const uint64_t irqs = irq_save();
	uint64_t *pte;

	lock_take(&lock);
	pte = paging_entry_at(boot_pml4, (uintptr_t)page, 0);
	ASSERT(pte);
	*pte = 0;
	follow_tables();
	lock_release(&lock);
	invlpg(page);
	irq_restore(irqs);
}

volatile void *paging_map_mmio(uint64_t phys, size_t bytes)
{
	return map_direct(phys, bytes, RW_NX | PTE_UNCACHED) ? NULL : virt_of(phys);
}

volatile void *paging_map_wc(uint64_t phys, size_t bytes)
{
	return map_direct(phys, bytes, RW_NX | PTE_WC) ? NULL : virt_of(phys);
}

void *paging_map_shared(uint64_t phys, size_t bytes)
{
	return map_direct(phys, bytes, RW_NX) ? NULL : virt_of(phys);
}

const void *paging_map_firmware(uint64_t phys, size_t bytes)
{
	uint64_t end = phys + bytes;

	for (uint64_t at = phys & ~(PAGE_SIZE - 1); at < end; at += PAGE_SIZE)
		if (!paging_lookup((uintptr_t)virt_of(at)) && map_direct(at, 1, RO_NX))
			return NULL;
	return virt_of(phys);
}

/* The flags of each kind of memory in ring 0; 0: it is not mapped. */
static const uint64_t type_flags[] = {
	[HANDOFF_MEM_FREE] = RW_NX,
	[HANDOFF_MEM_IMAGE] = RW_NX, /* its sections get their flags later */
	[HANDOFF_MEM_ACPI] = RO_NX,
	[HANDOFF_MEM_MMIO] = RW_NX | PTE_UNCACHED,
	[HANDOFF_MEM_RESERVED] = 0,
};

struct section {
	const uint8_t *start, *end;
	uint64_t flags;
};

/* Ring 0 never executes the workloads' code, and maps what they may write as data. */
static const struct section sections[] = {
	{image_start, __text_start, RO_NX},
	{__text_start, __text_end, RX},
	{__user_text_start, __user_text_end, RO_NX},
	{__rodata_start, __rodata_end, RO_NX},
	{__user_rodata_start, __user_rodata_end, RO_NX},
	{__relro_start, __relro_end, RO_NX},
};

_Static_assert(HANDOFF_REACH == DIRECT_MAP_BYTES, "what is listed can be mapped");

static int map_memory(const struct handoff *handoff)
{
	for (uint32_t i = 0; i < handoff->nmem; i++) {
		const struct handoff_mem *mem = &handoff->mem[i];
		uint64_t flags = type_flags[mem->type];

		if (flags && map_direct(mem->base, mem->pages * PAGE_SIZE, flags))
			return -ENOMEM;
	}
	return 0;
}

static int map_image(void)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct section *s = &sections[i];

		if (map_direct(phys_of(s->start), (uint64_t)(s->end - s->start), s->flags))
			return -ENOMEM;
	}
	return 0;
}

/* An address of 0 is not mapped at virt_of() of it, so that its use faults. */
static void unmap_page_0(void)
{
	uint64_t *pte = paging_entry_at(boot_pml4, (uintptr_t)virt_of(0), 0);

	if (pte)
		*pte = 0;
}

/* Splits large pages, so that all levels above .percpu are tables. */
static int map_percpu(void)
{
	for (uint64_t va = (uintptr_t)__percpu_start; va < (uintptr_t)__percpu_end; va += PAGE_SIZE)
		if (!paging_entry_at(boot_pml4, va, 0))
			return -ENOMEM;
	return 0;
}

static int build_boot_tables(const struct handoff *handoff)
{
	pml4 = boot_pml4 = page_alloc(1);
	if (!pml4 || map_memory(handoff) || map_image() || map_percpu())
		return -ENOMEM;
	unmap_page_0();
	return 0;
}

/* The value of CR3; 0: no memory. */
static uint64_t root_of(const uint64_t *table)
{
	uint64_t *pml5;

	if (!(read_cr4() & CR4_LA57))
		return phys_of(table);
	pml5 = page_alloc(1);
	if (!pml5)
		return 0;
	pml5[0] = pml5[ENTRIES - 1] = entry_of_table(table);
	return phys_of(pml5);
}

/* SDM vol. 3, "Programming the PAT": caches are flushed around the change. */
static void load_tables(uint64_t root)
{
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_NXE);
	insn_wbinvd();
	write_cr3(root);
	wrmsr(MSR_IA32_PAT, PAT_VALUE);
	insn_wbinvd();
	write_cr3(read_cr3());
}

static void enable_protections(void)
{
	static const struct {
		struct cpuid_fact fact;
		uint64_t cr4;
	} protections[] = {
		{{7, 0, CPUID_EBX, 7, 7}, CR4_SMEP},
		{{7, 0, CPUID_EBX, 20, 20}, CR4_SMAP},
		{{7, 0, CPUID_ECX, 2, 2}, CR4_UMIP},
	};

	for (size_t i = 0; i < sizeof(protections) / sizeof(protections[0]); i++)
		if (cpuid_fact(protections[i].fact))
			write_cr4(read_cr4() | protections[i].cr4);
}

void paging_init(const struct handoff *handoff)
{
	uint64_t root;

	largest_level = cpuid_fact(CPUID_FACT(0x80000001, 0, EDX, 26, 26)) ? 2 : 1;
	if (page_init(handoff) || build_boot_tables(handoff))
		panic("no memory for page tables");
	root = root_of(boot_pml4);
	ASSERT(root);
	load_tables(root);
	live = true;
	page_give_rest(handoff);
	enable_protections();
}

uint64_t paging_bridge(uint64_t root)
{
	const uint64_t *lower = paging_map_firmware(root & PTE_ADDRESS, PAGE_SIZE);
	uint64_t *bridge = page_alloc(1);

	if (!lower || !bridge)
		return 0;
	memcpy(bridge, lower, PAGE_SIZE);
	if (read_cr4() & CR4_LA57)
		bridge[ENTRIES - 1] = entry_of_table(boot_pml4);
	else
		memcpy(bridge + ENTRIES / 2, boot_pml4 + ENTRIES / 2, HALF_BYTES);
	return phys_of(bridge) | (root & ~PTE_ADDRESS);
}

int paging_map_start(uint64_t phys)
{
	if (!start_pml4)
		start_pml4 = page_alloc(1);
	return start_pml4 ? map_in(start_pml4, phys, phys, PAGE_SIZE, RX) : -ENOMEM;
}

const void *paging_start_root(void)
{
	uint64_t root;

	memcpy(start_pml4 + ENTRIES / 2, boot_pml4 + ENTRIES / 2, HALF_BYTES);
	root = root_of(start_pml4);
	return root ? virt_of(root) : NULL;
}

int paging_prepare_cpu(struct paging_cpu *cpu)
{
	const uint64_t irqs = irq_save();
	int err = -ENOMEM;

	cpu->pml4 = page_alloc(1);
	cpu->root = cpu->pml4 ? root_of(cpu->pml4) : 0;
	lock_take(&lock);
	if (cpu->root && follow_boot_cpu(cpu->pml4)) {
		if (start_pml4)
			memcpy(cpu->pml4, start_pml4, HALF_BYTES);
		others[nothers++] = cpu->pml4;
		err = 0;
	}
	lock_release(&lock);
	irq_restore(irqs);
	return err;
}

void paging_start_cpu(const struct paging_cpu *cpu)
{
	pml4 = cpu->pml4;
	memset(pml4, 0, HALF_BYTES);
	load_tables(cpu->root);
	enable_protections();
}
