// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_heap.c - the image's heap on pages of the test: allocations do not overlap and are zeroed.
 * All pages are freed in the end. Freeing memory that was not allocated is a panic.
 */
#define heap_alloc image_heap_alloc
#define heap_free  image_heap_free
#include "rt/base/heap.c"

#include "lib/panic.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/unit/test.h"

#define PAGES 600

static struct handoff handoff;
static uint8_t *memory;

static size_t boot_memory(void)
{
	if (!memory)
		memory = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	handoff.nmem = 1;
	handoff.mem[0] = (struct handoff_mem){(uintptr_t)memory, PAGES, HANDOFF_MEM_FREE, 7};
	assert_int_equal(page_init(&handoff), 0);
	lock = (struct lock){0};
	memset(slabs, 0, sizeof(slabs));
	return page_free_count();
}

#define PIECES 300

TEST(test_pieces_are_apart_and_zeroed)
{
	static struct {
		uint8_t *at;
		size_t bytes;
	} piece[PIECES];
	const size_t free_pages = boot_memory();

	srand(1);
	for (int i = 0; i < 100000; i++) {
		const unsigned k = (unsigned)rand() % PIECES;

		for (size_t at = 0; at < piece[k].bytes; at++)
			assert_int_equal(piece[k].at[at], k & 0xff);
		image_heap_free(piece[k].at);
		piece[k].bytes = (size_t)rand() % (rand() % 20 ? 300 : 10000);
		piece[k].at = image_heap_alloc(piece[k].bytes);
		assert_non_null(piece[k].at);
		assert_int_equal((uintptr_t)piece[k].at % 16, 0);
		for (size_t at = 0; at < piece[k].bytes; at++) {
			assert_int_equal(piece[k].at[at], 0);
			piece[k].at[at] = (uint8_t)k;
		}
	}
	for (unsigned k = 0; k < PIECES; k++)
		image_heap_free(piece[k].at);
	assert_true(page_free_count() + NSIZES >= free_pages); /* a slab of each size stays */
	for (unsigned class = 0; class < NSIZES; class ++)
		assert_true(!slabs[class] || (!slabs[class]->next && !slabs[class]->taken));
}

TEST(test_memory_ends)
{
	static void *piece[100000];
	const size_t free_pages = boot_memory();
	unsigned n = 0;

	assert_null(image_heap_alloc(SIZE_MAX));
	assert_null(image_heap_alloc(PAGES * PAGE_SIZE));
	while ((piece[n] = image_heap_alloc(2016)))
		n++;
	assert_int_equal(n, 2 * (free_pages - page_reserve_count()));
	assert_null(image_heap_alloc(5000));
	while (n)
		image_heap_free(piece[--n]);
	assert_int_equal(page_free_count(), free_pages - 1);
	image_heap_free(NULL);
}

/* --- Mistakes --- */

static jmp_buf panicked;

static void jump_on_panic(const char *text)
{
	(void)text;
	longjmp(panicked, 1);
}

static void expect_panic(void *piece)
{
	panic_handler *before = panic_set_handler(jump_on_panic);

	if (!setjmp(panicked)) {
		image_heap_free(piece);
		fail_msg("no panic");
	}
	panic_set_handler(before);
	lock = (struct lock){0};
}

TEST(test_what_was_not_given_is_not_taken)
{
	uint8_t *small, *large, *other;

	boot_memory();
	small = image_heap_alloc(100);
	large = image_heap_alloc(5000);
	expect_panic(small + 1);
	expect_panic(small + 128); /* was never given */
	expect_panic(large + 16);
	image_heap_free(large);
	other = image_heap_alloc(100);
	image_heap_free(small);
	expect_panic(small); /* of the page another one is out */
	image_heap_free(other);
	expect_panic(small); /* nothing of that page is out */
}
