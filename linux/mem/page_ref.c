// SPDX-License-Identifier: BSD-2-Clause
/* page_ref.c - see page_ref.h. Mappings of ring 3 use the same count of a page. */
#include "linux/mem/page_ref.h"

#include "arch/x86/mem/paging.h"

_Static_assert(PAGE_BYTES == PAGE_SIZE, "one size of page");

void *page_ref_new(void)
{
	void *page = page_alloc_user(1);

	if (page)
		page_get(phys_of(page));
	return page;
}

void page_ref_get(void *page)
{
	page_get(phys_of(page));
}

void page_ref_put(void *page)
{
	page_put(phys_of(page));
}
