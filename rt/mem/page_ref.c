// SPDX-License-Identifier: BSD-2-Clause
/* page_ref.c - see page_ref.h: the count of a page is the one that mappings of ring 3 have, too. */
#include "rt/mem/page_ref.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/lock.h"

_Static_assert(PAGE_BYTES == PAGE_SIZE, "one size of page");

static struct lock lock; /* of two that let go of a page, one is the last */

void *page_ref_new(void)
{
	void *page = page_alloc_user(1);

	if (page)
		page_mapped((uintptr_t)page);
	return page;
}

void page_ref_get(void *page)
{
	page_mapped((uintptr_t)page);
}

void page_ref_put(void *page)
{
	const uint64_t flags = irq_save();
	bool last;

	lock_take(&lock);
	page_unmapped((uintptr_t)page);
	last = !page_maps((uintptr_t)page);
	lock_release(&lock);
	irq_restore(flags);
	if (last)
		page_free(page, 1);
}
