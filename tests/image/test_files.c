// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_files.c - the parts of linux/file that only the image has: its heap, pages with several
 * references, and memory of ring 3. Unit tests on the host test the rest of linux/file.
 */
#include "arch/x86/mem/paging.h"
#include "lib/string.h"
#include "linux/file/file_host.h"
#include "linux/file/regular.h"
#include "linux/tree/tree.h"
#include "rt/base/image_test.h"
#include "rt/base/heap.h"
#include "linux/mem/page_ref.h"
#include "tests/image/fixture.h"

static const char *test_pages_have_several_holders(void)
{
	const size_t before = page_free_count();
	void *page = page_ref_new();

	if (!page)
		return "no memory";
	page_ref_get(page);
	page_ref_put(page);
	if (page_free_count() != before - 1)
		return "a page that is held was freed";
	page_ref_put(page);
	return page_free_count() == before ? NULL : "a page that nothing holds was not freed";
}
IMAGE_TEST(test_pages_have_several_holders);

static const char *test_the_heap_gives_pages_back(void)
{
	void *small = heap_alloc(100), *large = heap_alloc(10000);
	const size_t with_both = page_free_count();

	if (!small || !large)
		return "no memory";
	heap_free(large);
	if (page_free_count() != with_both + 3)
		return "a large piece of the heap did not come back as pages";
	heap_free(small);
	return NULL;
}
IMAGE_TEST(test_the_heap_gives_pages_back);

static uint64_t no_time(enum host_clock clock)
{
	(void)clock;
	return 0;
}

/* Writes from a page of ring 3, and reads to another place in it. */
static const char *move_bytes(struct file *f, char *page)
{
	struct io io = io_user(FIXTURE_STACK, 5), back = io_user(FIXTURE_STACK + 100, 5);
	struct io bad = io_user(FIXTURE_TOP, 1);

	memcpy(page, "bytes", 5);
	if (file_write(f, &io) != 5)
		return "a file did not take what ring 3 has";
	if (file_read_at(f, &back, 0) != 5 || memcmp(page + 100, "bytes", 5) != 0)
		return "ring 3 did not get what a file has";
	return file_write(f, &bad) == -EFAULT ? NULL : "a file took what ring 3 has not";
}

static const char *use_file(struct inode *root, char *page)
{
	const struct tree_view view = {.root = root, .cwd = root};
	const char *wrong = "a file could not be made";
	struct file *f;

	if (tree_open(&view, NULL, "/tmp/f", O_CREAT | O_RDWR, 0600, &f))
		return wrong;
	if (!fixture_map(FIXTURE_STACK, page, 1, PAGE_WRITE)) {
		wrong = move_bytes(f, page);
		fixture_unmap(FIXTURE_STACK, 1);
	}
	file_put(f);
	return wrong;
}

static const char *test_files_take_memory_of_ring_3(void)
{
	const struct file_host before = file_host;
	const char *wrong = "no memory";
	struct inode *root;
	void *page = page_alloc(1);

	file_host.now = no_time;
	root = page ? tree_create() : NULL;
	if (root) {
		wrong = use_file(root, page);
		tree_destroy(root);
	}
	page_free(page, page != NULL);
	file_host = before;
	return wrong;
}
IMAGE_TEST(test_files_take_memory_of_ring_3);
