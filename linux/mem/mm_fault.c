// SPDX-License-Identifier: BSD-2-Clause
/*
 * mm_fault.c - the first access to pages. A page of zeros belongs to the program alone. A private
 * mapping of a file maps the file's page read-only until the first write. A write to a page that
 * others map, too, copies it first.
 */
#include "linux/mem/mm_parts.h"

#include "arch/x86/smp/smp.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <linux/mman.h>

unsigned mm_page_prot(unsigned prot)
{
	if (prot & (PROT_WRITE | PROT_EXEC))
		return (prot & PROT_WRITE ? PAGE_WRITE : 0) | (prot & PROT_EXEC ? PAGE_EXEC : 0);
	return prot & PROT_READ ? PAGE_READ : PAGE_NONE;
}

static void flush_here(void *unused)
{
	(void)unused;
	space_flush();
}

_Static_assert(SPACE_CPUS == SMP_MAX_CPUS, "space_cpus() tells of each");

void mm_flush(const struct mm *mm)
{
	uint64_t cpus[SPACE_CPUS / 64];

	if (smp_ncpus() == 1) {
		space_flush();
		return;
	}
	space_cpus(&mm->space, cpus);
	smp_call_set(cpus, flush_here, NULL);
}

static void note_resident(struct mm *mm, size_t pages)
{
	mm->resident += pages;
	if (mm->resident > mm->resident_most)
		mm->resident_most = mm->resident;
}

static enum mm_fault fault_of(int err)
{
	return err == -ENOMEM ? MM_FAULT_NO_MEMORY : MM_FAULT_BEYOND;
}

/* Maps a page. `counted`: the page comes with a reference, which is dropped here. Otherwise the
 * page has no reference yet, and is freed on failure. */
static enum mm_fault map_page(struct mm *mm, uint64_t va, uint64_t page, unsigned prot,
			      bool counted)
{
	const int err = space_map_page(&mm->space, va, page, prot, true);

	if (counted)
		page_put(page); /* the mapping has its own */
	else if (err)
		page_free(virt_of(page), 1);
	if (err)
		return MM_FAULT_NO_MEMORY;
	note_resident(mm, 1);
	return MM_FAULT_MINOR;
}

/* Only a single thread may replace an empty page table: other CPUs may have cached the table. */
static bool make_large(struct mm *mm, const struct area *a, uint64_t base)
{
	const bool alone = mm->threads <= 1;
	void *memory = NULL;

	if (!mm_claims(mm, base, base + LARGE_BYTES) &&
	    space_can_map_large(&mm->space, base, alone))
		memory = page_alloc_large();
	if (!memory)
		return false;
	if (space_map_large(&mm->space, base, memory, mm_page_prot(a->prot), alone)) {
		page_free(memory, LARGE_PAGES);
		return false;
	}
	note_resident(mm, LARGE_PAGES);
	return true;
}

/* A stack grows only by the pages that it needs. */
#define AREA_NOT_LARGE (AREA_SMALL | AREA_STACK | AREA_KEPT | AREA_SHARED)

static bool may_be_large(const struct mm *mm, const struct area *a, uint64_t base)
{
	return !(a->flags & AREA_NOT_LARGE) && base >= a->start && a->end - base >= LARGE_BYTES &&
	       !(a->prot & PROT_EXEC) && !mm->no_large;
}

bool mm_may_have_large(const struct mm *mm, const struct area *a)
{
	const uint64_t base = (a->start + LARGE_BYTES - 1) & ~(LARGE_BYTES - 1);

	return !a->from && base < a->end && may_be_large(mm, a, base);
}

static enum mm_fault make_zeros(struct mm *mm, const struct area *a, uint64_t va)
{
	const uint64_t base = va & ~(LARGE_BYTES - 1);
	void *page;

	if (may_be_large(mm, a, base) && make_large(mm, a, base))
		return MM_FAULT_MINOR;
	page = page_alloc_user(1);
	return page ? map_page(mm, va, phys_of(page), mm_page_prot(a->prot), false)
		    : MM_FAULT_NO_MEMORY;
}

static enum mm_fault make_copy(struct mm *mm, const struct area *a, uint64_t va, uint64_t of)
{
	void *page = page_alloc_user(1);

	if (page)
		page_copy(page, virt_of(of));
	page_put(of);
	return page ? map_page(mm, va, phys_of(page), mm_page_prot(a->prot), false)
		    : MM_FAULT_NO_MEMORY;
}

/* A read of a private mapping maps the file's own page read-only; a write maps a copy. */
static enum mm_fault make_of_file(struct mm *mm, const struct area *a, uint64_t va, bool write)
{
	const bool shared = a->flags & AREA_SHARED;
	unsigned prot = mm_page_prot(a->prot);
	enum mm_fault kind;
	uint64_t page;
	int err = a->from->ops->page(a->from, (a->offset + (va - a->start)) / PAGE_SIZE, shared,
				     &page);

	if (err)
		return fault_of(err);
	if (write && !shared) {
		kind = make_copy(mm, a, va, page);
		return mm_fault_mended(kind) ? MM_FAULT_MAJOR : kind;
	}
	if (!shared || !write)
		prot &= ~(unsigned)PAGE_WRITE;
	kind = map_page(mm, va, page, prot, true);
	if (mm_fault_mended(kind) && shared)
		space_share(&mm->space, va);
	return mm_fault_mended(kind) ? MM_FAULT_MAJOR : kind;
}

static enum mm_fault make_page(struct mm *mm, const struct area *a, uint64_t va, bool write)
{
	return a->from ? make_of_file(mm, a, va, write) : make_zeros(mm, a, va);
}

/* Tells the file of the write; the file may then provide another page. */
static enum mm_fault share_writable(struct mm *mm, const struct area *a, uint64_t va, uint64_t *old)
{
	uint64_t page;
	int err =
		a->from->ops->page(a->from, (a->offset + (va - a->start)) / PAGE_SIZE, true, &page);

	if (err)
		return fault_of(err);
	*old = space_replace(&mm->space, va, page, mm_page_prot(a->prot));
	if (*old == page)
		*old = 0;
	space_share(&mm->space, va);
	page_put(page);
	return MM_FAULT_MINOR;
}

/* Makes the present page at `va` writable. If that replaces the page, `*old` becomes the old page,
 * which the caller puts after mm_flush(). Otherwise `*old` does not change. */
static enum mm_fault make_writable(struct mm *mm, const struct area *a, uint64_t va, uint64_t *old)
{
	const uint64_t page = space_entry(&mm->space, va) & PTE_ADDRESS;
	void *copy;

	if (a->flags & AREA_SHARED)
		return share_writable(mm, a, va, old);
	if (space_write_large(&mm->space, va))
		return MM_FAULT_MINOR;
	if (page_maps(page) == 1) {
		space_replace(&mm->space, va, page, mm_page_prot(a->prot));
		return MM_FAULT_MINOR;
	}
	copy = page_alloc_user(1);
	if (!copy)
		return MM_FAULT_NO_MEMORY;
	page_copy(copy, virt_of(page));
	*old = space_replace(&mm->space, va, phys_of(copy), mm_page_prot(a->prot));
	return MM_FAULT_MINOR;
}

static bool mm_area_allows(const struct area *a, enum mm_access access)
{
	static const uint8_t needs[] = {
		[MM_READ] = PROT_READ | PROT_WRITE | PROT_EXEC,
		[MM_WRITE] = PROT_WRITE,
		[MM_FETCH] = PROT_EXEC,
	};

	return a->prot & needs[access];
}

/* Another thread may have handled the fault first: then the access is only repeated. */
static enum mm_fault fault_in(struct mm *mm, uint64_t va, enum mm_access access, uint64_t *old)
{
	const struct area *a = areas_at(&mm->areas, va);
	uint64_t pte;

	/* An area does not grow into a range whose pages are being removed. */
	if (!a && mm->claim.end)
		return MM_FAULT_MINOR;
	if (!a)
		a = mm_grow_to(mm, va);
	if (!a || !mm_area_allows(a, access))
		return MM_FAULT_BAD;
	pte = space_lookup(&mm->space, va);
	if (!pte)
		return make_page(mm, a, va, access == MM_WRITE);
	if (access == MM_WRITE && !(pte & PTE_WRITE))
		return make_writable(mm, a, va, old);
	return MM_FAULT_MINOR;
}

enum mm_fault mm_fault_in(struct mm *mm, uint64_t address, enum mm_access access)
{
	const uint64_t va = address & ~(PAGE_SIZE - 1);
	enum mm_fault kind;
	uint64_t old = 0;

	mm_lock(mm, va, va + PAGE_SIZE);
	kind = fault_in(mm, va, access, &old);
	lock_release(&mm->lock);
	if (old) {
		mm_flush(mm);
		page_put(old);
	}
	smp_serve(); /* another CPU may be waiting for this one */
	return kind;
}

static bool touch_zeros(struct mm *mm, uint64_t va, enum mm_access access)
{
	const struct area *a = areas_again(&mm->areas, va);
	uint64_t *slot;
	void *page;

	if (!a || mm->claim.end || a->from || !mm_area_allows(a, access))
		return false;
	slot = space_slot(&mm->space, va);
	if (!slot || may_be_large(mm, a, va & ~(LARGE_BYTES - 1)))
		return false;
	page = page_alloc_mapped();
	if (!page)
		return false;
	space_fill(&mm->space, slot, va, phys_of(page), mm_page_prot(a->prot));
	note_resident(mm, 1);
	return true;
}

bool mm_touch(struct mm *mm, uint64_t address, enum mm_access access)
{
	bool there;

	lock_take(&mm->lock);
	there = touch_zeros(mm, address, access);
	lock_release(&mm->lock);
	return there;
}

int mm_resident(struct mm *mm, uint64_t address)
{
	const struct area *a;
	int there;

	lock_take(&mm->lock);
	a = areas_at(&mm->areas, address);
	there = a ? space_entry(&mm->space, address) != 0 : -ENOMEM;
	lock_release(&mm->lock);
	return there;
}

void mm_populate(struct mm *mm, uint64_t address, uint64_t bytes)
{
	const uint64_t end = address + page_round(bytes);

	for (uint64_t va = address & ~(PAGE_SIZE - 1); va < end; va += PAGE_SIZE) {
		const struct area *a;
		enum mm_access access;

		lock_take(&mm->lock);
		a = areas_at(&mm->areas, va);
		access = a && a->prot & PROT_WRITE ? MM_WRITE : MM_READ;
		lock_release(&mm->lock);
		if (!mm_fault_mended(mm_fault_in(mm, va, access)))
			return;
	}
}

/* A page that others map is copied first: they must not see the write. */
enum mm_fault mm_own_page(struct mm *mm, const struct area *a, uint64_t va, uint64_t *old)
{
	enum mm_fault kind;

	if (!space_entry(&mm->space, va))
		return make_page(mm, a, va, true);
	kind = make_writable(mm, a, va, old);
	space_protect(&mm->space, va, 1, mm_page_prot(a->prot));
	return kind;
}

/* Writes within one page. Without threads no CPU has entered the space, so no TLB needs a flush. */
static int poke_page(struct mm *mm, uint64_t address, const void *from, size_t bytes,
		     bool only_writable)
{
	const uint64_t in_page = address & (PAGE_SIZE - 1), va = address - in_page;
	const struct area *a;
	uint64_t old = 0;
	int err;

	mm_lock(mm, va, va + PAGE_SIZE);
	a = areas_at(&mm->areas, va);
	if (!a || (only_writable && !mm_area_allows(a, MM_WRITE)))
		err = -EFAULT;
	else
		err = mm_fault_mended(mm_own_page(mm, a, va, &old)) ? 0 : -ENOMEM;
	if (!err)
		memcpy((uint8_t *)virt_of(space_entry(&mm->space, va) & PTE_ADDRESS) + in_page,
		       from, bytes);
	lock_release(&mm->lock);
	if (mm->threads)
		mm_flush(mm);
	if (old)
		page_put(old);
	return err;
}

static int poke(struct mm *mm, uint64_t address, const void *from, size_t bytes, bool only_writable)
{
	const uint8_t *at = from;
	int err = 0;

	while (bytes && !err) {
		const size_t room = PAGE_SIZE - (address & (PAGE_SIZE - 1)),
			     n = bytes < room ? bytes : room;

		err = poke_page(mm, address, at, n, only_writable);
		address += n;
		at += n;
		bytes -= n;
	}
	return err;
}

int mm_poke(struct mm *mm, uint64_t address, const void *from, size_t bytes)
{
	return poke(mm, address, from, bytes, false);
}

int mm_store(struct mm *mm, uint64_t address, const void *from, size_t bytes)
{
	return poke(mm, address, from, bytes, true);
}
