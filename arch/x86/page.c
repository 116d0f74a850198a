// SPDX-License-Identifier: BSD-2-Clause
/*
 * page.c - physical pages: a list of free ranges, sorted by address, each described in its own
 * first bytes. Neighbours are always merged. First fit; a range gives from its end, so it stays in
 * place. Any CPU, one at a time.
 */
#include "arch/x86/paging.h"

#include "arch/x86/insn.h"
#include "lib/lock.h"
#include "lib/panic.h"
#include "lib/string.h"

struct range {
	struct range *next;
	size_t pages;
};

static struct range *ranges;
static struct lock lock;

static uint64_t take(void)
{
	uint64_t flags = irq_save();

	lock_take(&lock);
	return flags;
}

static void release(uint64_t flags)
{
	lock_release(&lock);
	irq_restore(flags);
}

static uint8_t *range_end(const struct range *range)
{
	return (uint8_t *)range + range->pages * PAGE_SIZE;
}

static void *take_pages(size_t npages)
{
	for (struct range **link = &ranges; *link; link = &(*link)->next) {
		struct range *range = *link;
		void *pages;

		if (range->pages < npages || !npages)
			continue;
		range->pages -= npages;
		pages = range_end(range);
		if (!range->pages)
			*link = range->next;
		return pages;
	}
	return NULL;
}

void *page_alloc(size_t npages)
{
	uint64_t flags = take();
	void *pages = take_pages(npages);

	release(flags);
	return pages ? memset(pages, 0, npages * PAGE_SIZE) : NULL;
}

/* Merges `range` with the one behind it if they touch. */
static void join_next(struct range *range)
{
	struct range *next = range->next;

	if (!next || range_end(range) != (uint8_t *)next)
		return;
	range->pages += next->pages;
	range->next = next->next;
}

static void give_back(void *pages, size_t npages)
{
	struct range *range = pages, *before = NULL, *after = ranges;

	while (after && after < range) {
		before = after;
		after = after->next;
	}
	ASSERT((uintptr_t)pages % PAGE_SIZE == 0);
	ASSERT(!before || range_end(before) <= (uint8_t *)range);
	*range = (struct range){after, npages};
	ASSERT(!after || range_end(range) <= (uint8_t *)after);
	if (before)
		before->next = range;
	else
		ranges = range;
	join_next(range);
	if (before)
		join_next(before);
}

void page_free(void *pages, size_t npages)
{
	uint64_t flags;

	if (!npages)
		return;
	flags = take();
	give_back(pages, npages);
	release(flags);
}

size_t page_free_count(void)
{
	uint64_t flags = take();
	size_t count = 0;

	for (const struct range *range = ranges; range; range = range->next)
		count += range->pages;
	release(flags);
	return count;
}
