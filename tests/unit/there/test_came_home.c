// SPDX-License-Identifier: BSD-2-Clause
/* test_came_home.c - tools/there/came_home.c, over a folder that stands for a machine. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "lib/format/cpio.h"
#include "tests/unit/there/machine_folder.h"
#include "tools/there/came_home.h"
#include "tools/util/buf.h"
#include "tools/util/outfile.h"
#include "tools/util/wholefile.h"

static char root[] = "/tmp/perf0-home-XXXXXX";
static char to[64];

FIXTURE(make_root)
{
	if (!mkdtemp(root))
		return -1;
	snprintf(to, sizeof(to), "%s/results", root);
	return 0;
}

FIXTURE(remove_root)
{
	return remove_machine(root);
}

GROUP(make_root, remove_root);

static void write_root_bytes(const char *path, struct buf *bytes)
{
	write_machine_bytes(root, path, bytes->data, bytes->size);
	buf_free(bytes);
}

static void write_root_text(const char *path, const char *text)
{
	write_machine_bytes(root, path, text, strlen(text));
}

static void add_result(struct buf *archive, const char *name, const char *content)
{
	const size_t at = archive->size, length = strlen(name), bytes = strlen(content);
	const struct cpio_entry entry = {.mode = CPIO_FILE | 0644,
					 .bytes = (uint32_t)bytes,
					 .name_bytes = cpio_name_bytes(at, length, CPIO_ALIGN)};
	char header[CPIO_HEADER];

	cpio_header(header, &entry);
	buf_add(archive, header, sizeof(header));
	buf_add(archive, name, length);
	buf_extend(archive, entry.name_bytes - length);
	buf_add(archive, content, bytes);
	buf_extend(archive, cpio_padding(archive->size));
}

/* A boot of Linux that came from a journey; `damage` bytes are missing. */
static void make_boot(const char *id, size_t damage)
{
	struct buf archive = {0};

	add_result(&archive, "status.txt", "well\n");
	add_result(&archive, "001-stat.txt", "counts");
	add_result(&archive, "../escape", "x");
	add_result(&archive, ".hidden", "x");
	add_result(&archive, CPIO_TRAILER, "");
	archive.size -= damage;
	write_root_text("/proc/sys/kernel/random/boot_id", id);
	write_root_text("/sys/kernel/boot_params/setup_data/0/type", "0x9\n");
	write_root_text("/sys/kernel/boot_params/setup_data/0/data", "seed");
	write_root_text("/sys/kernel/boot_params/setup_data/1/type", "0x70657266\n");
	write_root_bytes("/sys/kernel/boot_params/setup_data/1/data", &archive);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
}

static int count_entries(const char *folder)
{
	struct dirent **entries;
	const int n = scandir(folder, &entries, is_shown, alphasort);

	for (int i = 0; i < n; i++)
		free(entries[i]);
	if (n >= 0)
		free(entries);
	return n < 0 ? 0 : n;
}

static void expect_text(const char *folder, const char *name, const char *wanted)
{
	struct buf path = {0}, text = {0};
	struct reason why;

	buf_printf(&path, "%s/%s", folder, name);
	assert_int_equal(text_file_read(&text, buf_text(&path), &why), 0);
	assert_string_equal(buf_text(&text), wanted);
	buf_free(&path);
	buf_free(&text);
}

TEST(no_journey)
{
	char folder[PATH_MAX];
	struct reason why;

	write_root_text("/sys/kernel/boot_params/setup_data/0/type", "0x4\n");
	assert_int_equal(came_home_save(root, to, folder, &why), -ENOENT);
	assert_int_equal(count_entries(to), 0);
}

/* Saved once for each boot; names lead nowhere else. */
TEST(save)
{
	char first[PATH_MAX], again[PATH_MAX], second[PATH_MAX];
	struct reason why;

	make_boot("one\n", 0);
	assert_int_equal(came_home_save(root, to, first, &why), 1);
	expect_text(first, "001-stat.txt", "counts");
	expect_text(first, "status.txt", "well\n");
	assert_int_equal(count_entries(first), 3);
	assert_int_equal(count_entries(to), 1);
	assert_int_equal(came_home_save(root, to, again, &why), 0);
	assert_string_equal(again, first);
	make_boot("two\n", 0);
	assert_int_equal(came_home_save(root, to, second, &why), 1);
	assert_int_equal(strncmp(second + strlen(to), "/0002-", 6), 0);
	assert_int_equal(count_entries(to), 2);
}

TEST(damaged)
{
	char folder[PATH_MAX];
	struct reason why;

	make_boot("three\n", 130);
	assert_int_equal(came_home_save(root, to, folder, &why), -EIO);
	assert_int_equal(count_entries(to), 2);
}

TEST(trim)
{
	char folder[PATH_MAX];
	struct reason why;

	write_root_text("/results/notes", "of the user");
	assert_int_equal(came_home_trim(to, 2, &why), 0);
	assert_int_equal(count_entries(to), 3);
	assert_int_equal(came_home_trim(to, 1, &why), 0);
	assert_int_equal(count_entries(to), 2);
	make_boot("two\n", 0);
	assert_int_equal(came_home_save(root, to, folder, &why), 0);
	assert_int_equal(came_home_trim(to, 0, &why), 0);
	assert_int_equal(count_entries(to), 1);
	assert_int_equal(came_home_trim("/nosuch/folder", 0, &why), 0);
}
