/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mm_parts.h - shared by the parts of mm.h: areas in mm.c, pages in mm_fault.c, files that
 * change in mm_content.c, and the memory of others in mm_access.c. Only these include it. With
 * the lock of `mm`.
 */
#ifndef LINUX_MEM_MM_PARTS_H
#define LINUX_MEM_MM_PARTS_H

#include "linux/mem/mm.h"

static inline size_t mm_pages(uint64_t start, uint64_t end)
{
	return (end - start) / PAGE_SIZE;
}

/* enum page_prot for PROT_ bits. */
unsigned mm_page_prot(unsigned prot);

/* mm_next() - the memory behind `before` in the list of all, with a reference; puts that of
 * `before`. `before` NULL: the first. NULL: there is none. Without any lock. */
struct mm *mm_next(struct mm *before);

/* mm_claims() - is another thread removing pages of [start, end)? */
static inline bool mm_claims(const struct mm *mm, uint64_t start, uint64_t end)
{
	return mm->claim.end && start < mm->claim.end && mm->claim.start < end;
}

/* mm_lock_again() - of mm_lock(), where the lock is held and there is a claim. */
void mm_lock_again(struct mm *mm, uint64_t start, uint64_t end);

/* mm_lock() - takes the lock when no one takes pages of [start, end) away; mm_lock_all(): of any
 * addresses. Without any lock. */
static inline void mm_lock(struct mm *mm, uint64_t start, uint64_t end)
{
	lock_take(&mm->lock);
	if (__builtin_expect(mm_claims(mm, start, end), false))
		mm_lock_again(mm, start, end);
}
void mm_lock_all(struct mm *mm);
/* mm_grow_to() - the area that grows down to the page at `va`, of which there is nothing; NULL:
 * none may. */
const struct area *mm_grow_to(struct mm *mm, uint64_t va);

/* mm_own_page() - the page at `va` of area `a` is there, and no other memory shows it unless the
 * area is shared: it can be written by ring 0. `*old` is a page that no table here maps any more,
 * to be put behind mm_flush(); unchanged: there is none. */
enum mm_fault mm_own_page(struct mm *mm, const struct area *a, uint64_t va, uint64_t *old);

/* mm_flush() - flushes the TLB of every CPU that has entered it. Without any lock. */
void mm_flush(const struct mm *mm);

#endif
