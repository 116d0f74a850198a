/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mm_parts.h - what the parts of mm.h share: areas in mm.c, pages in mm_fault.c, files that
 * change in mm_content.c. Only these include
 * it. With the lock of `mm`.
 */
#ifndef RT_MEM_MM_PARTS_H
#define RT_MEM_MM_PARTS_H

#include "rt/mem/mm.h"

static inline size_t mm_pages(uint64_t start, uint64_t end)
{
	return (end - start) / PAGE_SIZE;
}

/* enum page_prot for PROT_ bits. */
unsigned mm_page_prot(unsigned prot);

/* mm_next() - the next one of all that there are, with a reference, behind `before`, whose
 * reference is put; NULL: the first. NULL: there is none. Without any lock. */
struct mm *mm_next(struct mm *before);

/* mm_grow_to() - the area that grows down to the page at `va`, of which there is nothing; NULL:
 * none may. */
const struct area *mm_grow_to(struct mm *mm, uint64_t va);

/* mm_flush() - every CPU that has it entered forgets what it knows. Without any lock. */
void mm_flush(const struct mm *mm);

#endif
