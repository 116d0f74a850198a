// SPDX-License-Identifier: BSD-2-Clause
/* mapped_memory.c - see mapped_memory.h. */
#include "rt/mem/mapped_memory.h"

#include "arch/x86/mem/paging.h"
#include "lib/panic.h"

#include <linux/errno.h>

static uint64_t page_at(const struct mapped_memory *m, size_t index)
{
	return phys_of((const uint8_t *)m->memory + index * PAGE_SIZE);
}

static int memory_page(struct mapped *m, uint64_t index, bool write, uint64_t *page)
{
	const struct mapped_memory *memory = (const struct mapped_memory *)m;

	(void)write;
	if (index >= memory->pages)
		return -EFAULT;
	*page = page_at(memory, index);
	page_get(*page);
	return 0;
}

static void keep_memory(struct mapped *m)
{
	(void)m;
	panic("memory of the runtime lost its first reference");
}

void mapped_memory_init(struct mapped_memory *m, const char *path, const void *memory, size_t pages)
{
	static const struct mapped_ops ops = {memory_page, keep_memory};

	*m = (struct mapped_memory){
		.mapped = {.ops = &ops, .refs = 1, .path = path},
		.memory = memory,
		.pages = pages,
	};
	for (size_t i = 0; i < pages; i++)
		page_get(page_at(m, i));
}

void mapped_memory_take_back(const struct mapped_memory *m)
{
	for (size_t i = 0; i < m->pages; i++)
		page_unmapped(page_at(m, i));
}
