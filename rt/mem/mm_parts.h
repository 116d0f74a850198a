/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mm_parts.h - what the parts of mm.h share: areas in mm.c, pages in mm_fault.c. Only these include
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

/* mm_flush() - every CPU that may have it entered forgets what it knows. Without the lock. */
void mm_flush(const struct mm *mm);

#endif
