/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * paging.h - physical pages, and ring 0's address space.
 *
 * Ring 0 has the upper half: the memory that the firmware lists, image included, each byte at its
 * physical address plus DIRECT_MAP (phys_of(), virt_of()). No page is both writable and executable:
 * the image's sections by their kind, free memory RW, tables of the firmware read only, devices
 * uncached, page 0 and the page under every stack not at all. Ring 3 has the lower half (space.h).
 * All CPUs have the same map of ring 0, but for PERCPU variables. Tasks only, unless a function
 * says otherwise.
 */
#ifndef ARCH_X86_MEM_PAGING_H
#define ARCH_X86_MEM_PAGING_H

#include "arch/x86/mem/direct.h"
#include "include/perf0/handoff.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SIZE   4096ull
#define LARGE_BYTES (2ull << 20)
#define LARGE_PAGES (LARGE_BYTES / PAGE_SIZE)

/*
 * phys_of() - the physical address of memory from virt_of() or from a function below, of the image,
 * and of PERCPU variables of the boot CPU. virt_of() - ring 0's address of a physical address, if
 * it is mapped at all. Any context.
 */
static inline uint64_t phys_of(const volatile void *memory)
{
	return (uintptr_t)memory - DIRECT_MAP;
}

static inline void *virt_of(uint64_t phys)
{
	return (void *)(uintptr_t)(phys + DIRECT_MAP);
}

/* page_round() - bytes in whole pages; values next to 2^64 become 0. pages_of() - the number of
 * pages for so many bytes. */
static inline uint64_t page_round(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}
static inline size_t pages_of(uint64_t bytes)
{
	return page_round(bytes) / PAGE_SIZE;
}

/* page_clear(), page_copy() - whole pages, with as few instructions as ring 0 can. Any context. */
static inline void page_clear(void *pages, size_t npages)
{
	size_t words = npages * (PAGE_SIZE / sizeof(uint64_t));

	__asm__ volatile("rep stosq" : "+D"(pages), "+c"(words) : "a"(0) : "memory");
}
static inline void page_copy(void *to, const void *from)
{
	size_t words = PAGE_SIZE / sizeof(uint64_t);

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
}

enum page_prot {
	PAGE_READ = 0,
	PAGE_WRITE = 1,
	PAGE_EXEC = 2, /* with PAGE_WRITE only where mm_refuses() does not */
	PAGE_NONE = 4, /* mapped, and not accessible */
};

/* paging_init() - replaces the firmware's page tables by the runtime's own. After trap_init().
 * Panics where the firmware left no memory to build them. */
void paging_init(const struct handoff *handoff);

/*
 * page_init() - takes the free physical memory of `handoff` above 1 MiB; -1: there is none that can
 * be used. The firmware's page tables lie in boot services memory, which must not be reused while
 * they are in use: until page_give_rest() pages come from conventional memory alone. Boot CPU,
 * once.
 */
int page_init(const struct handoff *handoff);
void page_give_rest(const struct handoff *handoff);

/*
 * page_alloc() - `npages` pages above 1 MiB, zeroed and contiguous in physical memory, too; NULL
 * when there are none. page_alloc_user() - the same for memory that ring 3 can ask for without
 * limit: it leaves page_reserve_count() pages to the runtime. page_free() takes any whole part of
 * them back; it panics where ring 3 maps one of them. Any context in which nothing waits for the
 * same allocator below: not NMI.
 */
void *page_alloc(size_t npages);
void *page_alloc_user(size_t npages);
void page_free(void *pages, size_t npages);

/*
 * page_alloc_mapped() - the fast path of page_alloc_user(1) and page_mapped() of that page. NULL:
 * no page is kept zero on this CPU's node, and page_alloc_user() may still have one. Interrupts
 * off.
 * page_free_zero() - page_free() of one page that is zero.
 * page_alloc_raw() - page_alloc_user() for a caller that writes each byte before it is read: the
 * contents are not defined.
 */
void *page_alloc_mapped(void);
void *page_alloc_raw(size_t npages);
void page_free_zero(void *page);

/*
 * page_clean_some() - from now on keeps at most `most` of the free pages, or a small share of them,
 * zero, so that requests for one page need not clear it. Which pages are zero depends on the free
 * pages alone. Takes 514 instructions per page.
 */
void page_clean_some(size_t most);

/*
 * page_alloc_large() - as page_alloc_user(), LARGE_PAGES of them at a multiple of LARGE_BYTES. NULL
 * also where that would leave less than a quarter of all memory free: small pages, of which a
 * program gets no more than it touches, have priority there.
 */
void *page_alloc_large(void);

/*
 * page_set_nodes() - sets the nodes of memory; `numa` stays. Boot CPU, before others start.
 * page_set_here() - sets the node of this CPU: its pages come from there, or from the nearest node
 * that has some. page_free_on() - the number of free pages of a node.
 *
 * page_bind() - pages of programs come from these nodes (a bit each) from now on, as long as these
 * have some; 0: from the node of the CPU that asks. page_strays() - the number of pages that came
 * from another node since then. Task context.
 */
struct numa;
void page_set_nodes(const struct numa *numa);
void page_set_here(unsigned node);
size_t page_free_on(unsigned node);
void page_bind(uint64_t wanted);
size_t page_strays(void);

/*
 * page_mapped(), page_unmapped() - one table of ring 3 more, or one less, maps the page at the
 * physical address `page`. Memory that page_alloc() never has, like the image, is not counted. They
 * panic where the count would be invalid. page_maps() - the count. Any context.
 */
void page_mapped(uint64_t page);
void page_unmapped(uint64_t page);
unsigned page_maps(uint64_t page);

/*
 * page_get(), page_put() - add or drop a reference to a page with several holders: tables that map
 * it, a file with its content. The last put frees it. A page fresh from page_alloc_user() has none.
 * Any context in which pages can be freed.
 */
static inline void page_get(uint64_t page)
{
	page_mapped(page);
}
void page_put(uint64_t page);

/* page_get_large(), page_put_large() - the same for each of the LARGE_PAGES at `page`, which came
 * from page_alloc_large(). page_maps_large() - the largest count of any of them. */
void page_get_large(uint64_t page);
void page_put_large(uint64_t page);
unsigned page_maps_large(uint64_t page);

/*
 * page_set_poison() - 1: fills free pages with a pattern from now on, and page_alloc() panics where
 * a free page was written to; 0: ends that. While stale.h watches, page_free() also panics where a
 * CPU may have a translation of the page. For tests: that takes time. -EINVAL: neither.
 * page_poisons() - the current setting. Task context.
 */
int page_set_poison(uint64_t on);
uint64_t page_poisons(void);

/* Numbers of pages: the free ones, in whatever pieces; all of them; the last free ones, which
 * page_alloc_user() does not use. */
size_t page_free_count(void);
size_t page_total_count(void);
size_t page_reserve_count(void);

/* page_span() - all pages that could ever be free lie from `*base` up to `*end`. Any context. */
void page_span(uint64_t *base, uint64_t *end);

/* paging_unmap_guard() - takes the page at `page` out of ring 0's map. */
void paging_unmap_guard(const void *page);

/*
 * paging_bridge() - a copy of the table at `root`, which is CR3 before paging_init(), with ring 0's
 * half as its upper half: a CR3 for code that needs both. 0: no memory. Boot CPU, once. Later
 * mappings of ring 0 appear in it, except for a first page in 512 GiB that had none.
 */
uint64_t paging_bridge(uint64_t root);

/*
 * paging_map_start() - lets CPUs that start execute the page at `phys` at that very address, which
 * is in the lower half, until paging_start_cpu(). -ENOMEM: no page for a table. paging_start_root()
 * - the table of 512 entries that CR3 has to point to there, or a copy of it; NULL: no memory.
 * After all such pages are mapped.
 */
int paging_map_start(uint64_t phys);
const void *paging_start_root(void);

/*
 * paging_prepare_cpu() - makes tables for another CPU, with memory for its PERCPU variables, all
 * zero, and with the pages of paging_map_start(). -ENOMEM: no memory. Later mappings of ring 0
 * appear there, too. paging_start_cpu() - on that CPU: uses the final tables from now on.
 */
struct paging_cpu {
	uint64_t *pml4;
	uint64_t root; /* the value of CR3: pml4, or the one table above it */
};
int paging_prepare_cpu(struct paging_cpu *cpu);
void paging_start_cpu(const struct paging_cpu *cpu);

/*
 * paging_map_mmio() - maps device registers, uncached. paging_map_wc() - maps a framebuffer,
 * write-combining. paging_map_shared() - maps memory of a device, cached. paging_map_firmware() -
 * maps tables that the memory map may not list, read only, unless they are mapped. All round
 * outwards to pages, and return virt_of(phys); NULL: no memory for a table, or the range exceeds
 * the upper half.
 */
volatile void *paging_map_mmio(uint64_t phys, size_t bytes);
volatile void *paging_map_wc(uint64_t phys, size_t bytes);
void *paging_map_shared(uint64_t phys, size_t bytes);
const void *paging_map_firmware(uint64_t phys, size_t bytes);

/* paging_lookup() - the page table entry that maps `va` now, 0 when none does. Any context. */
uint64_t paging_lookup(uint64_t va);

/* paging_translate() - the physical address of `va`, and the bytes of its page. False: it is not
 * mapped. Any context. */
bool paging_translate(uint64_t va, uint64_t *physical, uint64_t *page_size);

#define PTE_PRESENT  (1ull << 0)
#define PTE_WRITE    (1ull << 1)
#define PTE_USER     (1ull << 2)
#define PTE_PWT      (1ull << 3)
#define PTE_PCD      (1ull << 4)
#define PTE_ACCESSED (1ull << 5)
#define PTE_DIRTY    (1ull << 6)
#define PTE_LARGE    (1ull << 7)
#define PTE_NX       (1ull << 63)
#define PTE_ADDRESS  0x000ffffffffff000ull

#endif
