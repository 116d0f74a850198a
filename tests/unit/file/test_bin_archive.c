// SPDX-License-Identifier: BSD-2-Clause
/* test_bin_archive.c - an archive with programs of a stick becomes the tree that they run in. */
#include "rt/portable/bin_archive.h"

#include "tests/unit/file/archive.h"
#include "tests/unit/file/test_files.h"

static struct archive *a;
static char notes[256];

static int take_note(struct cpio_source *source, const char *name, uint64_t offset, uint64_t bytes,
		     struct reason *why)
{
	(void)why;
	assert_string_equal(name, "env");
	assert_true(bytes < sizeof(notes));
	return source->read(source, offset, notes, bytes);
}

/* Makes the archive of these files. Their content begins with their names. */
static void make_archive(struct bin_file *files, unsigned n)
{
	uint64_t bytes;

	a = archive_new();
	assert_int_equal(bin_archive_plan(files, n, &bytes), 0);
	assert_true(bytes <= sizeof(a->bytes));
	bin_archive_heads((uint8_t *)a->bytes, files, n);
	for (unsigned i = 0; i < n; i++) {
		assert_true(files[i].bytes < 4096 || files[i].at % 4096 == 0);
		memset(a->bytes + files[i].at, 'x', files[i].bytes);
		memcpy(a->bytes + files[i].at, files[i].name,
		       strlen(files[i].name) < files[i].bytes ? strlen(files[i].name)
							      : files[i].bytes);
	}
	a->source.bytes = bytes;
	a->source.note = take_note;
}

TEST(test_files_become_programs)
{
	struct bin_file files[] = {{.name = "zero", .bytes = 0},
				   {.name = "page", .bytes = 4096},
				   {.name = "small.sh", .bytes = 8},
				   {.name = "Large", .bytes = 12345},
				   {.name = "a", .bytes = 1}};
	struct reason why = {0};

	files_begin();
	make_archive(files, 5);
	if (cpio_unpack(view.root, &a->source, &why))
		fail_msg("%s", why.text);
	assert_content("/perf0/bin/small.sh", "small.sh");
	assert_content("/perf0/bin/a", "a");
	assert_content("/perf0/bin/zero", "");
	assert_int_equal(stat_of("/perf0/bin/Large", true).st_size, 12345);
	assert_int_equal(stat_of("/perf0/bin/page", true).st_size, 4096);
	assert_int_equal(stat_of("/perf0/bin/page", true).st_mode, MODE_REGULAR | 0755);
	assert_string_equal(notes, "PATH=/perf0/bin:/usr/bin:/bin");
	assert_string_equal(files[0].name, "Large");
	assert_string_equal(files[4].name, "zero");
	files_end();
	free(a);
}

TEST(test_none)
{
	struct reason why = {0};

	files_begin();
	make_archive(NULL, 0);
	assert_int_equal(cpio_unpack(view.root, &a->source, &why), 0);
	files_end();
	free(a);
}

TEST(test_what_no_archive_has)
{
	struct bin_file same[] = {{.name = "a"}, {.name = "b"}, {.name = "a"}};
	struct bin_file large[] = {{.name = "a", .bytes = UINT32_MAX - 100}};
	struct bin_file larger[] = {{.name = "a", .bytes = UINT64_MAX}};
	struct bin_file many[] = {{.name = "a", .bytes = 3000000000u},
				  {.name = "b", .bytes = 3000000000u}};
	uint64_t bytes;

	assert_int_equal(bin_archive_plan(same, 3, &bytes), -EEXIST);
	assert_int_equal(bin_archive_plan(large, 1, &bytes), -EFBIG);
	assert_int_equal(bin_archive_plan(larger, 1, &bytes), -EFBIG);
	assert_int_equal(bin_archive_plan(many, 2, &bytes), -EFBIG);
}
