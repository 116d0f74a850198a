// SPDX-License-Identifier: BSD-2-Clause
#include "rt/mem/heap.h"
#include "arch/x86/mem/paging.h"
void *heap_alloc(size_t bytes)
{
	size_t pages = (bytes + 16 + 4095) / 4096;
	size_t *p = page_alloc_user(pages);
	if (!p) return NULL;
	*p = pages;
	return p + 2;
}
void heap_free(void *memory)
{
	if (memory) page_free((size_t *)memory - 2, ((size_t *)memory)[-2]);
}
