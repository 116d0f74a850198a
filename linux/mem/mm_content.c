// SPDX-License-Identifier: BSD-2-Clause
/*
 * mm_content.c - files that change while programs map them. A page that was taken out of the tables
 * becomes free only after mm_flush(), which runs without a lock. So each turn takes a limited
 * number of pages, and keeps their references until the flush is over. A fault in between maps the
 * new page of the file.
 */
#include "linux/mem/mm_parts.h"

#include "lib/math.h"

#define AT_ONCE 64

struct pages_of_content {
	const void *content, *page;
	uint64_t first, end;
};

/* Takes pages of one area; with the lock. */
static size_t take_of_area(struct mm *mm, const struct area *a, const struct pages_of_content *what,
			   uint64_t *taken, size_t most)
{
	const uint64_t from = a->offset / PAGE_SIZE, to = from + mm_pages(a->start, a->end),
		       first = most_of(what->first, from), end = least_of(what->end, to);

	if (!a->from || a->from->content != what->content || first >= end)
		return 0;
	return space_take(&mm->space, a->start + (first - from) * PAGE_SIZE, end - first,
			  what->page ? phys_of(what->page) : 0, taken, most);
}

static size_t take_some(struct mm *mm, const struct pages_of_content *what, uint64_t *taken)
{
	size_t n = 0;

	mm_lock_all(mm);
	for (unsigned i = 0; i < mm->areas.n && n < AT_ONCE; i++)
		n += take_of_area(mm, &mm->areas.area[i], what, taken + n, AT_ONCE - n);
	mm->resident -= n;
	lock_release(&mm->lock);
	return n;
}

static void unmap_in(struct mm *mm, const struct pages_of_content *what)
{
	uint64_t taken[AT_ONCE];
	size_t n;

	do {
		n = take_some(mm, what, taken);
		if (n)
			mm_flush(mm);
		for (size_t i = 0; i < n; i++)
			page_put(taken[i]);
	} while (n == AT_ONCE);
}

void mm_unmap_content(const void *content, uint64_t first, uint64_t end, const void *page)
{
	const struct pages_of_content what = {content, page, first, end};

	for (struct mm *mm = mm_next(NULL); mm; mm = mm_next(mm))
		unmap_in(mm, &what);
}
