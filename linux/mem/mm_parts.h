/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mm_parts.h - shared by the files that implement mm.h: areas in mm.c, pages in mm_fault.c, files
 * that change in mm_content.c, access by tracers in mm_access.c, and properties of areas in
 * mm_advice.c. Only these include it. Callers hold the lock of `mm`, unless a function says
 * otherwise.
 */
#ifndef LINUX_MEM_MM_PARTS_H
#define LINUX_MEM_MM_PARTS_H

#include "linux/mem/mm.h"

static inline size_t mm_pages(uint64_t start, uint64_t end)
{
	return (end - start) / PAGE_SIZE;
}

/* mm_page_prot() - converts PROT_ bits to enum page_prot. */
unsigned mm_page_prot(unsigned prot);

/* mm_next() - the address space after `before` in the list of all, with a reference; NULL: none.
 * Drops the caller's reference to `before`. If `before` is NULL, returns the first one. Without any
 * lock. */
struct mm *mm_next(struct mm *before);

/* mm_claims() - true where another thread is removing pages of [start, end). */
static inline bool mm_claims(const struct mm *mm, uint64_t start, uint64_t end)
{
	return mm->claim.end && start < mm->claim.end && mm->claim.start < end;
}

/* mm_lock_again() - the slow path of mm_lock(): releases the lock until no claim overlaps [start,
 * end), and takes it again. */
void mm_lock_again(struct mm *mm, uint64_t start, uint64_t end);

/* mm_lock() - takes the lock, once no other thread removes pages of [start, end). mm_lock_all() -
 * likewise, for all addresses of ring 3. Without any lock. */
static inline void mm_lock(struct mm *mm, uint64_t start, uint64_t end)
{
	lock_take(&mm->lock);
	if (__builtin_expect(mm_claims(mm, start, end), false))
		mm_lock_again(mm, start, end);
}
void mm_lock_all(struct mm *mm);
/* mm_grow_to() - extends an area that grows downwards to the page at `va`, where no area is; NULL:
 * none may grow there. */
const struct area *mm_grow_to(struct mm *mm, uint64_t va);

/* mm_own_page() - makes the page at `va` of area `a` present, and writable by ring 0. No other
 * address space maps it then, unless the area is shared. If that replaces the page, `*old` becomes
 * the old page, which the caller puts after mm_flush(). Otherwise `*old` does not change. */
enum mm_fault mm_own_page(struct mm *mm, const struct area *a, uint64_t va, uint64_t *old);

/* mm_flush() - flushes the TLB of every CPU that has entered the address space. Without any
 * lock. */
void mm_flush(const struct mm *mm);

#endif
