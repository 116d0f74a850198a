// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_regular.c - content of files: holes, offsets, sizes, pages that are shared with mappings and
 * archives, seals; and a file compared with a plain array of bytes.
 */
#include <linux/falloc.h>
#include <linux/memfd.h>

#include "linux/file/content.h"
#include "linux/mem/page_ref.h"
#include "tests/unit/file/test_files.h"

TEST(test_offsets_move)
{
	char bytes[16] = {0};
	struct file *f;

	files_begin();
	f = must_open("/f", O_CREAT | O_RDWR);
	assert_int_equal(put(f, "hello", 5), 5);
	assert_int_equal(get(f, bytes, sizeof(bytes)), 0);
	assert_int_equal(file_seek(f, -4, SEEK_CUR), 1);
	assert_int_equal(get(f, bytes, 2), 2);
	assert_string_equal(bytes, "el");
	assert_int_equal(file_seek(f, 0, SEEK_END), 5);
	assert_int_equal(file_seek(f, -6, SEEK_END), -EINVAL);
	assert_int_equal(file_seek(f, INT64_MAX, SEEK_CUR), -EOVERFLOW);
	assert_int_equal(file_seek(f, 0, 9), -EINVAL);
	assert_int_equal(put_at(f, "J", 1, 0), 1);
	assert_int_equal(get_at(f, bytes, 5, 0), 5);
	assert_string_equal(bytes, "Jello");
	assert_int_equal(get_at(f, bytes, 5, -1), -EINVAL);
	assert_int_equal(file_seek(f, 0, SEEK_CUR), 5);
	file_put(f);
	files_end();
}

TEST(test_files_are_open_for_what_was_asked)
{
	struct file *reads, *writes, *path;
	char bytes[4];

	files_begin();
	make_file("/f", "abc");
	reads = must_open("/f", O_RDONLY);
	writes = must_open("/f", O_WRONLY);
	path = must_open("/f", O_PATH);
	assert_int_equal(put(reads, "x", 1), -EBADF);
	assert_int_equal(get(writes, bytes, 1), -EBADF);
	assert_int_equal(get(path, bytes, 1), -EBADF);
	assert_int_equal(put(path, bytes, 1), -EBADF);
	assert_int_equal(file_seek(path, 0, SEEK_SET), -EBADF);
	assert_int_equal(file_ioctl(path, 0, 0), -EBADF);
	assert_int_equal(file_ioctl(reads, 0x5401, 0), -ENOTTY);
	file_put(reads);
	file_put(writes);
	file_put(path);
	files_end();
}

TEST(test_appending_goes_to_the_end)
{
	struct file *a, *b;

	files_begin();
	make_file("/f", "1");
	a = must_open("/f", O_WRONLY | O_APPEND);
	b = must_open("/f", O_WRONLY | O_APPEND);
	assert_int_equal(put(a, "2", 1), 1);
	assert_int_equal(put(b, "3", 1), 1);
	assert_int_equal(put(a, "4", 1), 1);
	assert_int_equal(put_at(a, "5", 1, 0), 1);
	assert_content("/f", "12345");
	file_put(a);
	file_put(b);
	files_end();
}

TEST(test_holes_are_zeros_and_take_no_page)
{
	char bytes[8];
	struct file *f;

	files_begin();
	f = must_open("/f", O_CREAT | O_RDWR);
	assert_int_equal(put_at(f, "x", 1, 1ll << 40), 1);
	assert_int_equal(f->inode->size, (1ull << 40) + 1);
	assert_int_equal(stat_of("/f", true).st_blocks, 8);
	memset(bytes, 1, sizeof(bytes));
	assert_int_equal(get_at(f, bytes, 8, 1 << 20), 8);
	assert_int_equal(bytes[0] | bytes[7], 0);
	assert_int_equal(file_seek(f, 0, SEEK_DATA), 1ll << 40);
	assert_int_equal(file_seek(f, 0, SEEK_HOLE), 0);
	assert_int_equal(file_seek(f, 1ll << 40, SEEK_HOLE), (1ll << 40) + 1);
	assert_int_equal(file_seek(f, (1ll << 40) + 1, SEEK_DATA), -ENXIO);
	assert_int_equal(put_at(f, "x", 1, INT64_MAX), -EFBIG);
	assert_int_equal(put_at(f, "xy", 2, INT64_MAX - 1), 1);
	assert_int_equal(regular_truncate(f->inode, 1 << 20), 0);
	assert_int_equal(file_seek(f, 0, SEEK_DATA), -ENXIO);
	assert_int_equal(shim_heap.pages, 0);
	file_put(f);
	files_end();
}

TEST(test_holes_are_found_over_many_pages)
{
	char page[PAGE_BYTES];
	struct file *f;

	files_begin();
	memset(page, 'p', sizeof(page));
	f = must_open("/f", O_CREAT | O_RDWR);
	for (int i = 0; i < 1100; i++)
		assert_int_equal(put(f, page, sizeof(page)), sizeof(page));
	assert_int_equal(regular_truncate(f->inode, 2000 * PAGE_BYTES), 0);
	assert_int_equal(file_seek(f, 10, SEEK_HOLE), 1100 * PAGE_BYTES);
	assert_int_equal(file_seek(f, 10, SEEK_DATA), 10);
	assert_int_equal(regular_truncate(f->inode, 3), 0);
	assert_int_equal(shim_heap.pages, 1);
	file_put(f);
	files_end();
}

TEST(test_what_was_cut_off_does_not_come_back)
{
	char bytes[8] = {0};
	struct file *f;

	files_begin();
	make_file("/f", "abcdef");
	f = must_open("/f", O_RDWR);
	assert_int_equal(regular_truncate(f->inode, 2), 0);
	assert_int_equal(regular_truncate(f->inode, 5), 0);
	assert_int_equal(get(f, bytes, sizeof(bytes)), 5);
	assert_memory_equal(bytes, "ab\0\0\0", 5);
	assert_int_equal(regular_truncate(f->inode, -1), -EINVAL);
	assert_int_equal(regular_truncate(view.root, 0), -EISDIR);
	file_put(f);
	files_end();
}

TEST(test_bytes_that_fault_are_not_moved_over)
{
	static char bytes[3 * PAGE_BYTES];
	struct file *f;

	files_begin();
	f = must_open("/f", O_CREAT | O_RDWR);
	user_copy_hole = (struct user_copy_hole){(uintptr_t)bytes + 2 * PAGE_BYTES, 1};
	assert_int_equal(put(f, bytes, sizeof(bytes)), 2 * PAGE_BYTES);
	assert_int_equal(f->inode->size, 2 * PAGE_BYTES);
	assert_int_equal(file_seek(f, 0, SEEK_CUR), 2 * PAGE_BYTES);
	assert_int_equal(put(f, (char *)BAD_ADDRESS, 1), -EFAULT);
	f->flags |= O_APPEND;
	assert_int_equal(put(f, (char *)BAD_ADDRESS, 1), -EFAULT);
	assert_int_equal(f->inode->size, 2 * PAGE_BYTES);
	assert_int_equal(file_seek(f, PAGE_BYTES, SEEK_SET), PAGE_BYTES);
	assert_int_equal(get(f, bytes + PAGE_BYTES + 1, PAGE_BYTES), -EFAULT);
	assert_int_equal(get(f, (char *)BAD_ADDRESS, 1), -EFAULT);
	assert_int_equal(get(f, (char *)BAD_ADDRESS, 0), 0);
	assert_int_equal(file_seek(f, 0, SEEK_CUR), PAGE_BYTES);
	user_copy_hole = (struct user_copy_hole){0};
	file_put(f);
	files_end();
}

TEST(test_parts_are_read_and_written_as_one)
{
	char a[3], b[5];
	struct io_part parts[] = {{(uintptr_t)a, 3}, {0, 0}, {(uintptr_t)b, 5}};
	struct io_part large[] = {{(uintptr_t)a, INT64_MAX}, {(uintptr_t)b, 1}};
	struct file *f;
	struct io io;

	files_begin();
	make_file("/f", "abcdefg");
	f = must_open("/f", O_RDONLY);
	assert_int_equal(io_user_parts(&io, parts, 3), 0);
	assert_int_equal(file_read(f, &io), 7);
	assert_memory_equal(a, "abc", 3);
	assert_memory_equal(b, "defg", 4);
	assert_int_equal(io_user_parts(&io, large, 2), -EINVAL);
	assert_int_equal(io_user_parts(&io, large, 1), 0);
	assert_int_equal(io.left, IO_BYTES_MOST);
	assert_int_equal(io_user_parts(&io, parts, IO_PARTS_MOST + 1), -EINVAL);
	io = io_user((uintptr_t)b, 5);
	io_skip(&io, 2);
	assert_int_equal(file_read_at(f, &io, 0), 3);
	assert_memory_equal(b, "deabc", 5);
	file_put(f);
	files_end();
}

TEST(test_space_is_made_and_given_back)
{
	char bytes[3 * PAGE_BYTES];
	struct file *f;

	files_begin();
	f = must_open("/f", O_CREAT | O_RDWR);
	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(regular_allocate(f, 0, 10, 2 * PAGE_BYTES), 0);
	assert_int_equal(f->inode->size, 10 + 2 * PAGE_BYTES);
	assert_int_equal(shim_heap.pages, 3);
	assert_int_equal(regular_allocate(f, FALLOC_FL_KEEP_SIZE, 4 * PAGE_BYTES, 1), 0);
	assert_int_equal(f->inode->size, 10 + 2 * PAGE_BYTES);
	assert_int_equal(put(f, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(regular_allocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 100,
					  2 * PAGE_BYTES),
			 0);
	assert_int_equal(get_at(f, bytes, sizeof(bytes), 0), sizeof(bytes));
	assert_int_equal(bytes[99], 'x');
	assert_int_equal(bytes[100] | bytes[2 * PAGE_BYTES + 99], 0);
	assert_int_equal(bytes[2 * PAGE_BYTES + 100], 'x');
	assert_int_equal(shim_heap.pages, 3);
	assert_int_equal(regular_allocate(f, FALLOC_FL_PUNCH_HOLE, 0, 1), -EOPNOTSUPP);
	assert_int_equal(regular_allocate(f, 0, 0, 0), -EINVAL);
	assert_int_equal(regular_allocate(f, 0, INT64_MAX, 1), -EFBIG);
	file_put(f);
	f = must_open("/f", O_RDONLY);
	assert_int_equal(regular_allocate(f, 0, 0, 1), -EBADF);
	file_put(f);
	files_end();
}

/* --- Pages --- */

TEST(test_mappings_see_what_is_written)
{
	void *page, *same;
	struct file *f;

	files_begin();
	f = must_open("/f", O_CREAT | O_RDWR);
	put_at(f, "x", 1, PAGE_BYTES);
	assert_int_equal(regular_page(f->inode, 0, false, &page), 0); /* a hole is filled */
	assert_int_equal(*(char *)page, 0);
	put_at(f, "w", 1, 0);
	assert_int_equal(*(char *)page, 'w');
	page_ref_put(page);
	assert_int_equal(regular_page(f->inode, 2, false, &page), -EFAULT);
	assert_int_equal(file_page(f, 1, true, &page), 0);
	assert_int_equal(shim_page_refs(page), 2);
	put_at(f, "y", 1, PAGE_BYTES);
	assert_int_equal(*(char *)page, 'y');
	assert_int_equal(regular_page(f->inode, 1, false, &same), 0);
	assert_ptr_equal(same, page);
	page_ref_put(same);
	assert_int_equal(unlink_file("/f"), 0);
	file_put(f);
	assert_int_equal(shim_page_refs(page), 1);
	assert_int_equal(*(char *)page, 'y');
	page_ref_put(page);
	files_end();
}

TEST(test_borrowed_pages_are_copied_before_they_are_written)
{
	char *lent, byte;
	void *page;
	struct file *f, *g;
	uint64_t flags;

	files_begin();
	lent = page_ref_new();
	*lent = 'l';
	f = must_open("/f", O_CREAT | O_RDWR);
	g = must_open("/g", O_CREAT | O_RDWR);
	page_ref_get(lent);
	page_ref_get(lent);
	flags = tree_lock();
	assert_int_equal(content_give(&f->inode->content, 0, lent, true), 0);
	assert_int_equal(content_give(&g->inode->content, 0, lent, true), 0);
	f->inode->size = g->inode->size = 1;
	tree_unlock(flags);
	assert_int_equal(regular_page(f->inode, 0, false, &page), 0);
	assert_ptr_equal(page, lent);
	page_ref_put(page);
	put_at(f, "f", 1, 0);
	assert_int_equal(*lent, 'l');
	assert_int_equal(get_at(g, &byte, 1, 0), 1);
	assert_int_equal(byte, 'l');
	assert_int_equal(shim_page_refs(lent), 2);
	assert_int_equal(regular_page(g->inode, 0, true, &page), 0);
	assert_ptr_not_equal(page, lent);
	assert_int_equal(*(char *)page, 'l');
	assert_int_equal(shim_page_refs(lent), 1);
	page_ref_put(page);
	page_ref_put(lent);
	file_put(f);
	file_put(g);
	files_end();
}

/* The last range that was unmapped, and how often anything was. */
static struct {
	unsigned times;
	uint64_t first, end;
	const void *page;
} unmapped;

static void note_unmapped(const struct inode *inode, uint64_t first, uint64_t end, const void *page)
{
	(void)inode;
	unmapped.times++;
	unmapped.first = first;
	unmapped.end = end;
	unmapped.page = page;
	assert_true(!page || shim_page_refs((void *)(uintptr_t)page)); /* it lives still */
}

#define PAGES_CUT 200 /* in several steps */

TEST(test_what_is_cut_is_unmapped)
{
	struct file *f;
	void *page;

	files_begin();
	file_host.unmap = note_unmapped;
	memset(&unmapped, 0, sizeof(unmapped));
	f = must_open("/f", O_CREAT | O_RDWR);
	assert_int_equal(regular_allocate(f, 0, 0, PAGES_CUT * PAGE_BYTES), 0);
	assert_int_equal(regular_truncate(f->inode, PAGES_CUT * PAGE_BYTES - 1), 0);
	assert_int_equal(unmapped.times, 0); /* nothing maps it */
	assert_int_equal(regular_map(f->inode, false), 0);
	assert_int_equal(regular_truncate(f->inode, PAGE_BYTES + 1), 0);
	assert_int_equal(unmapped.times, 1);
	assert_int_equal(unmapped.first, 2);
	assert_int_equal(unmapped.end, CONTENT_PAGES_MOST);
	assert_null(unmapped.page);
	assert_int_equal(regular_truncate(f->inode, 3 * PAGE_BYTES), 0); /* it becomes longer */
	assert_int_equal(unmapped.times, 1);
	assert_int_equal(regular_page(f->inode, 1, false, &page), 0);
	page_ref_put(page);
	assert_int_equal(regular_allocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, PAGE_BYTES,
					  2 * PAGE_BYTES),
			 0);
	assert_int_equal(unmapped.times, 2); /* there is no page behind it */
	assert_int_equal(unmapped.first, 1);
	assert_int_equal(unmapped.end, 2);
	assert_ptr_equal(unmapped.page, page);
	regular_unmap(f->inode, false);
	assert_int_equal(regular_truncate(f->inode, 0), 0);
	assert_int_equal(unmapped.times, 2);
	file_put(f);
	files_end();
}

/* --- memfd --- */

TEST(test_memfds_are_sealed)
{
	struct text path = {0};
	struct file *f;

	files_begin();
	assert_int_equal(memfd_open("name", MFD_ALLOW_SEALING, &f), 0);
	assert_int_equal(file_path(f, view.root, &path), 0);
	assert_string_equal(text_end(&path), "/memfd:name (deleted)");
	text_free(&path);
	assert_int_equal(put(f, "abc", 3), 3);
	assert_int_equal(regular_add_seals(f, F_SEAL_GROW), 0);
	assert_int_equal(put(f, "d", 1), -EPERM);
	assert_int_equal(put_at(f, "A", 1, 0), 1);
	assert_int_equal(regular_truncate(f->inode, 4), -EPERM);
	assert_int_equal(regular_truncate(f->inode, 2), 0);
	assert_int_equal(regular_add_seals(f, F_SEAL_SHRINK), 0);
	assert_int_equal(regular_truncate(f->inode, 1), -EPERM);
	assert_int_equal(regular_map(f->inode, true), 0);
	assert_int_equal(regular_add_seals(f, F_SEAL_WRITE), -EBUSY);
	regular_unmap(f->inode, true);
	assert_int_equal(regular_map(f->inode, false), 0);
	assert_int_equal(regular_add_seals(f, F_SEAL_WRITE), 0);
	assert_int_equal(regular_map(f->inode, true), -EPERM);
	regular_unmap(f->inode, false);
	assert_int_equal(put_at(f, "A", 1, 0), -EPERM);
	assert_int_equal(regular_add_seals(f, F_SEAL_SEAL), 0);
	assert_int_equal(regular_add_seals(f, F_SEAL_GROW), -EPERM);
	assert_int_equal(regular_seals(f->inode),
			 F_SEAL_SEAL | F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW);
	assert_int_equal(regular_add_seals(f, 0x100), -EINVAL);
	assert_int_equal(regular_seals(view.root), -EINVAL);
	file_put(f);
	assert_int_equal(memfd_open("name", 0x100, &f), -EINVAL);
	assert_int_equal(memfd_open("name", 0, &f), 0);
	assert_int_equal(regular_add_seals(f, F_SEAL_GROW), -EPERM);
	assert_int_equal(tree_link(f->inode, &view, NULL, "/tmp/m"), -EXDEV);
	file_put(f);
	files_end();
}

/* --- From file to file --- */

TEST(test_bytes_are_copied_from_file_to_file)
{
	static char bytes[3 * PAGE_BYTES], got[3 * PAGE_BYTES];
	struct file *from, *to;
	int64_t at = 5;

	files_begin();
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7);
	from = must_open("/a", O_CREAT | O_RDWR);
	to = must_open("/b", O_CREAT | O_RDWR);
	put_at(from, bytes, sizeof(bytes), 0);
	assert_int_equal(file_copy(to, NULL, from, NULL, UINT64_MAX), sizeof(bytes));
	assert_int_equal(get_at(to, got, sizeof(got), 0), sizeof(got));
	assert_memory_equal(got, bytes, sizeof(got));
	assert_int_equal(file_copy(to, NULL, from, NULL, 1), 0);
	assert_int_equal(file_copy(to, NULL, from, &at, 10), 10);
	assert_int_equal(at, 15);
	assert_int_equal(get_at(to, got, 20, sizeof(bytes)), 10);
	assert_memory_equal(got, bytes + 5, 10);
	file_put(from);
	from = must_open("/a", O_WRONLY);
	assert_int_equal(file_copy(to, NULL, from, NULL, 1), -EBADF);
	file_put(from);
	file_put(to);
	files_end();
}

/* --- Against a model --- */

#define MODEL_BYTES (40 * PAGE_BYTES)

static struct model {
	uint8_t bytes[MODEL_BYTES];
	size_t size;
} model;

static void model_resize(size_t size)
{
	if (size > model.size)
		memset(model.bytes + model.size, 0, size - model.size);
	model.size = size;
}

static void try_write(struct file *f, size_t at, size_t n)
{
	static uint8_t bytes[MODEL_BYTES];

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)rand();
	assert_int_equal(put_at(f, bytes, n, (int64_t)at), n);
	if (!n)
		return;
	if (at + n > model.size)
		model_resize(at + n);
	memcpy(model.bytes + at, bytes, n);
}

static void try_read(struct file *f, size_t at, size_t n)
{
	static uint8_t bytes[MODEL_BYTES];
	const size_t want = at >= model.size ? 0 : n < model.size - at ? n : model.size - at;

	assert_int_equal(get_at(f, bytes, n, (int64_t)at), want);
	assert_memory_equal(bytes, model.bytes + at, want);
}

static void try_punch(struct file *f, size_t at, size_t n)
{
	assert_int_equal(regular_allocate(f, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					  (int64_t)at, (int64_t)n + 1),
			 0);
	if (at < model.size)
		memset(model.bytes + at, 0, n + 1 < model.size - at ? n + 1 : model.size - at);
}

TEST(test_a_file_is_an_array_of_bytes)
{
	struct file *f;

	files_begin();
	srand(1);
	f = must_open("/f", O_CREAT | O_RDWR);
	for (int i = 0; i < 20000; i++) {
		const size_t at = (size_t)rand() % MODEL_BYTES;
		const size_t n = (size_t)rand() % (MODEL_BYTES - at) % (rand() % 2 ? 100 : 9000);

		switch (rand() % 8) {
		case 0:
			assert_int_equal(regular_truncate(f->inode, (int64_t)at), 0);
			model_resize(at);
			break;
		case 1:
			try_punch(f, at, n);
			break;
		case 2:
		case 3:
		case 4:
			try_write(f, at, n);
			break;
		default:
			try_read(f, at, n);
		}
		assert_int_equal(f->inode->size, model.size);
	}
	file_put(f);
	files_end();
}

/* Radix trees of all heights: pages far apart come and go. */
TEST(test_pages_anywhere)
{
	struct content content = {0};
	uint64_t index[64];
	void *replaced = NULL;

	files_begin();
	srand(2);
	for (int round = 0; round < 200; round++) {
		for (unsigned i = 0; i < 64; i++) {
			index[i] =
				((uint64_t)rand() << 31 ^ (uint64_t)rand()) % CONTENT_PAGES_MOST >>
				rand() % 52;
			assert_non_null(content_own(&content, index[i], &replaced));
			assert_non_null(content_page(&content, index[i]));
		}
		for (unsigned i = 0; i < 64; i++)
			assert_int_equal(content_next(&content, index[i]), index[i]);
		while (content_cut(&content, round % 2 ? 0 : index[round % 64]))
			;
		for (unsigned i = 0; i < 64; i++)
			content_drop(&content, index[i]);
		assert_int_equal(content.pages, 0);
		assert_int_equal(content.root, 0);
	}
	files_end();
}
