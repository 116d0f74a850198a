// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tree_cpio.c - archives become trees. Wrong archives are refused with a reason: cut at each
 * byte, and with each byte damaged.
 */
#include "tests/unit/file/archive.h"
#include "tests/unit/file/test_files.h"

static struct reason why;

static int unpack(struct archive *a)
{
	why.text[0] = 0;
	return cpio_unpack(view.root, &a->source, &why);
}

static struct archive *sample_archive(void)
{
	struct archive *a = archive_new();

	archive_add(a, "/", 040755, "");
	archive_add(a, "/bin", 040700, "");
	archive_add(a, "/bin/sh", 0100755, "#!shell");
	archive_add(a, "/home/me/deep/file", 0100644, "made with its directories");
	archive_add(a, "/lib", 0120777, "usr/lib");
	archive_add(a, "/usr/lib/libc.so", 0100644, "library");
	archive_add(a, "cwd", 0100644, "/home/me");
	archive_add(a, "env", 0100644, "A=1");
	archive_end(a);
	return a;
}

TEST(test_an_archive_becomes_a_tree)
{
	struct archive *a = sample_archive();

	files_begin();
	assert_int_equal(unpack(a), 0);
	assert_content("/bin/sh", "#!shell");
	assert_int_equal(stat_of("/bin/sh", true).st_mode, MODE_REGULAR | 0755);
	assert_int_equal(stat_of("/bin", true).st_mode, MODE_DIRECTORY | 0700);
	assert_content("/home/me/deep/file", "made with its directories");
	assert_content("/lib/libc.so", "library");
	assert_string_equal(a->notes, "cwd=/home/me;env=A=1;");
	files_end();
	free(a);
}

/* Whole pages that are aligned in the archive are shared with it; the last page is copied. */
static char *lent;

static void *lend_page(struct cpio_source *source, uint64_t offset)
{
	(void)source;
	if (offset % PAGE_BYTES)
		return NULL;
	page_ref_get(lent);
	return lent;
}

TEST(test_pages_of_an_archive_are_shared)
{
	static char content[PAGE_BYTES + 10], got[PAGE_BYTES + 10];
	struct archive *a = archive_new();
	struct file *f;

	files_begin();
	lent = page_ref_new();
	memset(lent, 'L', PAGE_BYTES);
	memset(content, 'c', sizeof(content));
	a->source.page = lend_page;
	archive_add_at(a, "/f", 0100644, content, sizeof(content), PAGE_BYTES - 110 - 3);
	archive_add_at(a, "/g", 0100644, content, sizeof(content), 0);
	archive_end(a);
	assert_int_equal(unpack(a), 0);
	f = must_open("/f", O_RDWR);
	assert_int_equal(get(f, got, sizeof(got)), sizeof(got));
	assert_int_equal(got[0], 'L');
	assert_int_equal(got[PAGE_BYTES], 'c');
	assert_int_equal(put_at(f, "w", 1, 0), 1);
	assert_int_equal(lent[0], 'L');
	assert_int_equal(shim_page_refs(lent), 1);
	file_put(f);
	f = must_open("/g", O_RDONLY);
	assert_int_equal(get(f, got, sizeof(got)), sizeof(got));
	assert_memory_equal(got, content, sizeof(got));
	file_put(f);
	page_ref_put(lent);
	files_end();
	free(a);
}

TEST(test_what_is_the_machines_own_is_left_out)
{
	struct archive *a = archive_new();

	files_begin();
	archive_add(a, "/dev", 040755, "");
	archive_add(a, "/dev/null", 0100644, "not this");
	archive_add(a, "/dev/stdin", 0120777, "fd/0");
	archive_add(a, "/dev/mine", 0100644, "mine");
	archive_add(a, "/proc", 040700, "");
	archive_add(a, "/proc/x", 0100644, "");
	archive_add(a, "/sys/x/y", 0100644, "");
	archive_add(a, "/tmp", 040755, "");
	archive_add(a, "/tmp/t", 0100644, "t");
	archive_end(a);
	assert_int_equal(unpack(a), 0);
	assert_content("/dev/null", "");
	assert_content("/dev/mine", "mine");
	assert_content("/tmp/t", "t");
	assert_int_equal(walk_error("/proc/x"), -ENOENT);
	assert_int_equal(stat_of("/proc", true).st_mode, MODE_DIRECTORY | 0555);
	files_end();
	free(a);
}

TEST(test_standard_input_is_a_file)
{
	struct archive *a = archive_new();
	struct inode *inode;
	char bytes[16] = {0};
	struct file *f;

	files_begin();
	strcpy(a->bytes, "xxinput");
	a->source.bytes = 7;
	assert_int_equal(cpio_content(&a->source, 2, 5, &inode), 0);
	assert_int_equal(file_open_inode(inode, O_RDONLY, &f), 0);
	inode_put(inode);
	assert_int_equal(get(f, bytes, sizeof(bytes)), 5);
	assert_string_equal(bytes, "input");
	assert_int_equal(file_seek(f, 0, SEEK_SET), 0);
	file_put(f);
	for (unsigned nth = 1; nth < 3; nth++) {
		shim_heap.fail_at = shim_heap.calls + nth;
		assert_int_equal(cpio_content(&a->source, 2, 5, &inode), -ENOMEM);
		shim_heap.fail_at = 0;
	}
	files_end();
	free(a);
}

/* --- Wrong archives --- */

static const struct lie {
	const char *name;
	unsigned mode;
	const char *content, *reason;
} lies[] = {
	{"/a/../b", 0100644, "", "/a/../b is no path without empty parts and dots"},
	{"/a//b", 0100644, "", "/a//b is no path without empty parts and dots"},
	{"/a/.", 0100644, "", "/a/. is no path without empty parts and dots"},
	{"/a/", 040755, "", "/a/ is no path without empty parts and dots"},
	{"what", 0100644, "", "what is not known"},
	{"", 0100644, "", " is not known"},
	{"/first", 0100644, "", "/first: it is there already"},
	{"/first/x", 0100644, "", "/first/x: a part of its path is no directory"},
	{"/dir", 0100644, "", "/dir: it is there already"},
	{"/first", 040755, "", "/first: it is there already"},
	{"/dangling/x", 0100644, "",
	 "/dangling/x: a part of its path is a link that leads nowhere"},
	{"/circle/x", 0100644, "", "/circle/x: links of its path lead in a circle"},
	{"/null", 020666, "", "/null is no file, directory or symbolic link: mode 020666"},
	{"/link", 0120777, "", "/link: a link to a path of 0 bytes"},
};

TEST(test_lies_have_reasons)
{
	for (unsigned i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		struct archive *a = archive_new();

		files_begin();
		archive_add(a, "/first", 0100644, "x");
		archive_add(a, "/dir", 040755, "");
		archive_add(a, "/dangling", 0120777, "nowhere");
		archive_add(a, "/circle", 0120777, "circle");
		archive_add(a, lies[i].name, lies[i].mode, lies[i].content);
		archive_end(a);
		assert_true(unpack(a) < 0);
		assert_string_equal(why.text, lies[i].reason);
		files_end();
		free(a);
	}
}

TEST(test_links_and_names_have_lengths)
{
	static char long_path[5000];
	struct archive *a;

	memset(long_path, 'n', sizeof(long_path) - 1);
	files_begin();
	a = archive_new();
	archive_add(a, "/link", 0120777, long_path);
	archive_end(a);
	assert_int_equal(unpack(a), -EINVAL);
	assert_string_equal(why.text, "/link: a link to a path of 4999 bytes");
	free(a);
	a = archive_new();
	archive_add_at(a, "/link", 0120777, "a\0b", 3, 0);
	archive_end(a);
	assert_int_equal(unpack(a), -EINVAL);
	assert_string_equal(why.text, "/link: a link to a path with a 0 in it");
	free(a);
	a = archive_new();
	archive_add(a, long_path, 0100644, "");
	assert_int_equal(unpack(a), -EINVAL);
	assert_string_equal(why.text, "a name of 5000 bytes in the head at byte 0");
	free(a);
	a = archive_new();
	archive_add(a, "/f", 0100644, "x");
	memcpy(a->bytes + 6 + 4 * 8, "00000002", 8); /* links */
	assert_int_equal(unpack(a), -EINVAL);
	assert_string_equal(why.text, "/f: a hard link; each name is to be a file");
	free(a);
	files_end();
}

TEST(test_archives_that_end_early)
{
	struct archive *a = sample_archive();
	const uint64_t whole = a->source.bytes;

	for (uint64_t n = 0; n < whole - 4; n++) { /* what is behind the last name may be missing */
		files_begin();
		a->source.bytes = n;
		assert_int_equal(unpack(a), -EINVAL);
		assert_int_not_equal(why.text[0], 0);
		files_end();
	}
	free(a);
}

TEST(test_archives_that_cannot_be_read)
{
	struct archive *a = sample_archive();

	for (a->fail_at = 1; a->fail_at < a->source.bytes - 4; a->fail_at += 7) {
		files_begin();
		assert_int_equal(unpack(a), -EIO);
		files_end();
	}
	free(a);
}

TEST(test_harmed_bytes_do_no_harm)
{
	struct archive *a = sample_archive();
	unsigned refused = 0;

	for (uint64_t at = 0; at < a->source.bytes; at++)
		for (int bit = 0; bit < 8; bit++) {
			int error;

			files_begin();
			a->bytes[at] ^= (char)(1 << bit);
			error = unpack(a);
			refused += error != 0;
			if (error && !why.text[0])
				fail_msg("byte %llu, bit %d: error %d without a reason",
					 (unsigned long long)at, bit, error);
			a->bytes[at] ^= (char)(1 << bit);
			files_end();
		}
	assert_true(refused > 1000);
	free(a);
}

TEST(test_memory_may_be_short)
{
	struct archive *a = sample_archive();
	int error = -ENOMEM;

	for (uint64_t nth = 1; error; nth++) {
		files_begin();
		shim_heap.fail_at = shim_heap.calls + nth;
		error = unpack(a);
		shim_heap.fail_at = 0;
		if (error) {
			assert_int_equal(error, -ENOMEM);
			assert_non_null(strstr(why.text, "there is no memory"));
		}
		files_end();
	}
	free(a);
}
