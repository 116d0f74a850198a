// SPDX-License-Identifier: BSD-2-Clause
/* shim_heap.c - see shim_heap.h. */
#include "tests/shim/shim_heap.h"

#include "lib/panic.h"
#include "rt/base/heap.h"
#include "linux/mem/page_ref.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct shim_heap shim_heap;

struct counted_page {
	uint8_t bytes[PAGE_BYTES];
	unsigned refs;
};

static bool has_memory(void)
{
	const uint64_t call = ++shim_heap.calls, from = shim_heap.fail_at;

	return !from || call < from ||
	       (shim_heap.fail_calls && call >= from + shim_heap.fail_calls);
}

void *heap_alloc(size_t bytes)
{
	void *memory = has_memory() ? calloc(1, bytes ? bytes : 1) : NULL;

	__atomic_fetch_add(&shim_heap.pieces, memory != NULL, __ATOMIC_RELAXED);
	return memory;
}

void heap_free(void *memory)
{
	__atomic_fetch_sub(&shim_heap.pieces, memory != NULL, __ATOMIC_RELAXED);
	free(memory);
}

void *page_ref_new(void)
{
	struct counted_page *page = NULL;

	if (!has_memory() || posix_memalign((void **)&page, PAGE_BYTES, sizeof(*page)))
		return NULL;
	memset(page, 0, sizeof(*page));
	page->refs = 1;
	__atomic_fetch_add(&shim_heap.pages, 1, __ATOMIC_RELAXED);
	return page;
}

void page_ref_get(void *page)
{
	struct counted_page *counted = page;

	ASSERT(__atomic_fetch_add(&counted->refs, 1, __ATOMIC_RELAXED));
}

void page_ref_put(void *page)
{
	struct counted_page *counted = page;

	if (__atomic_sub_fetch(&counted->refs, 1, __ATOMIC_ACQ_REL))
		return;
	__atomic_fetch_sub(&shim_heap.pages, 1, __ATOMIC_RELAXED);
	free(page);
}

unsigned shim_page_refs(const void *page)
{
	return ((const struct counted_page *)page)->refs;
}
