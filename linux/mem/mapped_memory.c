// SPDX-License-Identifier: BSD-2-Clause
/* mapped_memory.c - see mapped_memory.h. */
#include "linux/mem/mapped_memory.h"

#include "arch/x86/mem/paging.h"
#include "lib/panic.h"

#include <linux/errno.h>

static uint64_t page_at(const struct mapped_memory *m, size_t index)
{
	return phys_of((const uint8_t *)m->pages + index * PAGE_SIZE);
}

int mapped_memory_page(struct mapped *mapped, uint64_t index, bool write, uint64_t *page)
{
	const struct mapped_memory *m = (const struct mapped_memory *)mapped;

	(void)write;
	if (index >= m->npages)
		return -EFAULT;
	*page = page_at(m, index);
	page_get(*page);
	return 0;
}

static void keep_memory(struct mapped *m)
{
	(void)m;
	panic("memory of the runtime lost its first reference");
}

const struct mapped_ops mapped_memory_kept_ops = {mapped_memory_page, keep_memory};

void mapped_memory_init(struct mapped_memory *m, const struct mapped_ops *ops, const char *path,
			void *pages, size_t npages)
{
	*m = (struct mapped_memory){
		.mapped = {.ops = ops, .refs = 1, .path = path},
		.pages = pages,
		.npages = npages,
	};
	for (size_t i = 0; i < npages; i++)
		page_get(page_at(m, i));
}

void mapped_memory_put(const struct mapped_memory *m)
{
	for (size_t i = 0; i < m->npages; i++)
		page_put(page_at(m, i));
}
