// SPDX-License-Identifier: BSD-2-Clause
/*
 * mm_access.c - access to another process's memory, for its tracer, page by page. A write to memory
 * that ring 3 may not write, such as code, first gives the process a page of its own.
 */
#include "linux/mem/mm_parts.h"

#include "lib/math.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <linux/mman.h>

/* Called with the lock: the area at `va` that a tracer may access; NULL: none. */
static const struct area *seen_at(struct mm *mm, uint64_t va)
{
	const struct area *a = areas_at(&mm->areas, va);

	return a && !(a->flags & AREA_KEPT) ? a : NULL;
}

static bool copy_out(struct mm *mm, uint64_t address, void *to, size_t n)
{
	const uint64_t in_page = address & (PAGE_SIZE - 1), va = address - in_page;
	uint64_t pte = 0;

	mm_lock(mm, va, va + PAGE_SIZE);
	if (seen_at(mm, va))
		pte = space_entry(&mm->space, va);
	if (pte)
		memcpy(to, (const uint8_t *)virt_of(pte & PTE_ADDRESS) + in_page, n);
	lock_release(&mm->lock);
	return pte;
}

/* The replaced page is freed when no CPU's TLB has it any more. */
static bool copy_in(struct mm *mm, uint64_t address, const void *from, size_t n)
{
	const uint64_t in_page = address & (PAGE_SIZE - 1), va = address - in_page;
	const struct area *a;
	uint64_t old = 0;
	bool done;

	mm_lock(mm, va, va + PAGE_SIZE);
	a = seen_at(mm, va);
	done = a && !(a->flags & AREA_SHARED && !(a->prot & PROT_WRITE)) &&
	       mm_fault_mended(mm_own_page(mm, a, va, &old));
	if (done)
		memcpy((uint8_t *)virt_of(space_entry(&mm->space, va) & PTE_ADDRESS) + in_page,
		       from, n);
	lock_release(&mm->lock);
	if (mm->threads)
		mm_flush(mm);
	if (old)
		page_put(old);
	return done;
}

size_t mm_read(struct mm *mm, uint64_t address, void *to, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		const uint64_t at = address + done;
		const size_t n = least_of(PAGE_SIZE - (at & (PAGE_SIZE - 1)), bytes - done);

		if (!copy_out(mm, at, (uint8_t *)to + done, n) &&
		    !(mm_fault_mended(mm_fault_in(mm, at, MM_READ)) &&
		      copy_out(mm, at, (uint8_t *)to + done, n)))
			break;
		done += n;
	}
	return done;
}

size_t mm_write(struct mm *mm, uint64_t address, const void *from, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		const uint64_t at = address + done;
		const size_t n = least_of(PAGE_SIZE - (at & (PAGE_SIZE - 1)), bytes - done);

		if (!copy_in(mm, at, (const uint8_t *)from + done, n))
			break;
		done += n;
	}
	return done;
}
