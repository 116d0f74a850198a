// SPDX-License-Identifier: BSD-2-Clause
/*
 * stick_programs.c - see stick_programs.h. The files are read when a command first needs them, and
 * again when their names or sizes have changed: the volume may be another one by then.
 */
#include "rt/console/stick_programs.h"

#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "lib/reason.h"
#include "lib/string.h"
#include "lib/format/xxh64.h"
#include "rt/firmware/firmware_calls.h"
#include "rt/portable/bin_archive.h"
#include "linux/program/program_pack.h"

#include <linux/errno.h>
#include <stdbool.h>

#define FOLDER    "\\perf0\\bin"
#define PATH_ROOM (sizeof(FOLDER) + 1 + BIN_NAME_MAX)

static struct {
	struct bin_file file[BIN_ARCHIVE_MOST];
	unsigned n;
	bool too_many;
} folder;

static struct {
	uint8_t *archive;     /* NULL: none */
	uint64_t bytes, hash; /* size and hash of `folder` when it was read */
} held;

static struct reason why_not;

static char *path_of(char path[PATH_ROOM], const char *name)
{
	fmt_print(path, PATH_ROOM, FOLDER "\\%s", name);
	return path;
}

static void add_bin_file(void *to, const char *name)
{
	struct bin_file *file = &folder.file[folder.n];

	(void)to;
	if (!strcmp(name, ".") || !strcmp(name, "..") || strlen(name) >= BIN_NAME_MAX)
		return;
	if (folder.n == BIN_ARCHIVE_MOST) {
		folder.too_many = true;
		return;
	}
	memset(file, 0, sizeof(*file)); /* zeroed, since its bytes are hashed */
	memcpy(file->name, name, strlen(name));
	folder.n++;
}

/* Skips entries that are not files. */
static int find_sizes(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < folder.n; i++) {
		char path[PATH_ROOM];
		const int64_t err = firmware_read(path_of(path, folder.file[i].name), 0,
						  why_not.text, 0, &folder.file[i].bytes);

		if (err < 0 && err != -EISDIR)
			return (int)err;
		if (err != -EISDIR)
			folder.file[n++] = folder.file[i];
	}
	folder.n = n;
	return 0;
}

static int read_folder(void)
{
	int err;

	folder.n = 0;
	folder.too_many = false;
	err = firmware_list(FOLDER, add_bin_file, NULL);
	if (err == -ENOENT || err == -ENODEV)
		return 0;
	return err ? err : find_sizes();
}

static void drop_archive(void)
{
	if (held.archive)
		page_free(held.archive, pages_of(held.bytes));
	held.archive = NULL;
}

static int read_files(void)
{
	for (unsigned i = 0; i < folder.n; i++) {
		const struct bin_file *file = &folder.file[i];
		char path[PATH_ROOM];
		uint64_t size;
		const int64_t n = firmware_read(path_of(path, file->name), 0,
						held.archive + file->at, file->bytes, &size);

		if (n < 0)
			return (int)n;
		if ((uint64_t)n != file->bytes || size != file->bytes)
			return -EIO;
	}
	return 0;
}

static int make_archive(uint64_t hash)
{
	int err;

	drop_archive();
	err = bin_archive_plan(folder.file, folder.n, &held.bytes);
	if (err)
		return err;
	held.archive = page_alloc_user(pages_of(held.bytes));
	if (!held.archive)
		return -ENOMEM;
	held.hash = hash;
	bin_archive_heads(held.archive, folder.file, folder.n);
	err = read_files();
	if (err)
		drop_archive();
	return err;
}

static const char *tell_why(int err)
{
	switch (err) {
	case -ENOMEM:
		refuse(&why_not, ENOMEM, "there is no memory for the programs in " FOLDER);
		break;
	case -EFBIG:
		refuse(&why_not, EFBIG, "the files in " FOLDER " are too large");
		break;
	case -E2BIG:
		refuse(&why_not, E2BIG, FOLDER " has more than %d files", BIN_ARCHIVE_MOST);
		break;
	default:
		refuse(&why_not, EIO, FOLDER " can not be read: error %d", -err);
	}
	return why_not.text;
}

static const void *find_programs(size_t *bytes, const char **why)
{
	uint64_t hash;
	int err = read_folder();

	if (!err && folder.too_many)
		err = -E2BIG;
	hash = xxh64(folder.file, folder.n * sizeof(folder.file[0]));
	if (!err && !folder.n)
		drop_archive();
	else if (!err && (!held.archive || held.hash != hash))
		err = make_archive(hash);
	if (err)
		*why = tell_why(err);
	*bytes = held.bytes;
	return err ? NULL : held.archive;
}

void programs_init(void)
{
	pack_set_source(find_programs);
}
