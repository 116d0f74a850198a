// SPDX-License-Identifier: BSD-2-Clause
/* came_home.c - see came_home.h. */
#include "tools/there/came_home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "include/perf0/there.h"
#include "lib/format/cpio_read.h"
#include "tools/util/buf.h"
#include "tools/util/wholefile.h"

#define NODES        "/sys/kernel/boot_params/setup_data"
#define BOOT_ID      "/proc/sys/kernel/random/boot_id"
#define BOOT_FILE    "boot-id" /* in a folder: the boot that has brought it */
#define NUMBER_MOST  9999
#define RESULTS_MOST (4ull << 30)
#define FOLDERS_OPEN 8

/* --- Folders --- */

/* The number in front of a folder's name; 0: it is no folder of results. */
static unsigned folder_number(const char *name)
{
	return strspn(name, "0123456789") == 4 && name[4] == '-' ? (unsigned)strtoul(name, NULL, 10)
								 : 0;
}

static int is_results(const struct dirent *entry)
{
	return folder_number(entry->d_name) != 0;
}

static void free_entries(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

static int remove_below(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static int remove_folder(const char *path)
{
	return nftw(path, remove_below, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS) ? -errno : 0;
}

int came_home_trim(const char *to, uint32_t keep, struct reason *why)
{
	struct dirent **entries;
	const int n = scandir(to, &entries, is_results, alphasort);
	int err = 0;

	if (n < 0)
		return 0;
	for (int i = 0; i < n - (int)keep && !err; i++) {
		struct buf path = {0};

		buf_printf(&path, "%s/%s", to, entries[i]->d_name);
		err = remove_folder(buf_text(&path));
		if (err)
			refuse(why, -err, "%s: %s", buf_text(&path), strerror(-err));
		buf_free(&path);
	}
	free_entries(entries, n);
	return err;
}

/* Is the folder of this boot of Linux? */
static bool is_of_boot(const char *folder, const char *boot)
{
	struct buf path = {0}, text = {0};
	struct reason ignored;
	bool is;

	buf_printf(&path, "%s/" BOOT_FILE, folder);
	is = !text_file_read(&text, buf_text(&path), &ignored) && !strcmp(buf_text(&text), boot);
	buf_free(&path);
	buf_free(&text);
	return is;
}

/* Finds the folder of this boot, or the name of the next one. True: it was there. */
static bool find_results_folder(const char *to, const char *boot, char folder[PATH_MAX])
{
	struct dirent **entries;
	const int n = scandir(to, &entries, is_results, alphasort);
	const time_t now = time(NULL);
	unsigned number = 0;
	char when[32];
	bool found = false;

	for (int i = 0; i < n && !found; i++) {
		number = folder_number(entries[i]->d_name);
		snprintf(folder, PATH_MAX, "%s/%s", to, entries[i]->d_name);
		found = is_of_boot(folder, boot);
	}
	if (n >= 0)
		free_entries(entries, n);
	if (found)
		return true;
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", localtime(&now));
	snprintf(folder, PATH_MAX, "%s/%04u-%s", to, number % NUMBER_MOST + 1, when);
	return false;
}

/* --- The setup_data --- */

static bool is_ours(const char *root, const char *node)
{
	struct buf path = {0}, text = {0};
	struct reason ignored;
	bool is;

	buf_printf(&path, "%s" NODES "/%s/type", root, node);
	is = !text_file_read(&text, buf_text(&path), &ignored) &&
	     strtoul(buf_text(&text), NULL, 16) == THERE_SETUP_TYPE;
	buf_free(&path);
	buf_free(&text);
	return is;
}

/* Reads the results into the empty `archive`. */
static int read_archive(const char *root, struct buf *archive, struct reason *why)
{
	struct buf path = {0};
	const struct dirent *entry;
	DIR *dir;
	int err = -ENOENT;

	buf_printf(&path, "%s" NODES, root);
	dir = opendir(buf_text(&path));
	while (dir && err == -ENOENT && (entry = readdir(dir))) {
		if (*entry->d_name == '.' || !is_ours(root, entry->d_name))
			continue;
		path.size = 0;
		buf_printf(&path, "%s" NODES "/%s/data", root, entry->d_name);
		err = whole_file_read(archive, buf_text(&path), RESULTS_MOST, why);
	}
	if (dir)
		closedir(dir);
	buf_free(&path);
	return err == -ENOENT ? refuse(why, ENOENT,
				       "this boot of Linux did not come from `perf0 "
				       "there-and-back`, so it has no results")
			      : err;
}

/* --- Saving --- */

static int write_member(const char *folder, const char *name, const void *bytes, size_t n,
			struct reason *why)
{
	struct buf path = {0};
	FILE *file;
	bool ok;
	int err = 0;

	buf_printf(&path, "%s/%s", folder, name);
	file = fopen(buf_text(&path), "wxe");
	ok = file && fwrite(bytes, 1, n, file) == n && !fflush(file) && !fsync(fileno(file));
	if (!ok)
		err = refuse(why, errno, "%s: %s", buf_text(&path), strerror(errno));
	if (file)
		fclose(file);
	buf_free(&path);
	return err;
}

static bool is_plain_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static int write_members(const char *folder, const struct buf *archive, struct reason *why)
{
	struct cpio_reader reader = {.bytes = archive->data, .size = archive->size};
	struct cpio_member m;
	int more, err = 0;

	while (!err && (more = cpio_next(&reader, &m)) > 0)
		if (is_plain_name(m.name))
			err = write_member(folder, m.name, m.content, m.bytes, why);
	if (!err && more)
		return refuse(why, EIO, "what perf0 has left in memory is damaged at byte %zu",
			      reader.at);
	return err;
}

static int make_folders(const char *to, const char *folder, struct reason *why)
{
	if ((mkdir(to, 0755) && errno != EEXIST) || mkdir(folder, 0755))
		return refuse(why, errno, "%s: %s", folder, strerror(errno));
	return 0;
}

/* The file of the boot is the last one: without it the folder is not whole, and is made anew. */
static int save_folder(const char *to, const char *folder, const char *boot,
		       const struct buf *archive, struct reason *why)
{
	int err = make_folders(to, folder, why);

	if (err)
		return err;
	err = write_members(folder, archive, why);
	if (!err)
		err = write_member(folder, BOOT_FILE, boot, strlen(boot), why);
	if (err)
		remove_folder(folder);
	return err ? err : 1;
}

int came_home_save(const char *root, const char *to, char folder[PATH_MAX], struct reason *why)
{
	struct buf archive = {0}, boot = {0}, path = {0};
	int err = read_archive(root, &archive, why);

	buf_printf(&path, "%s" BOOT_ID, root);
	if (!err)
		err = text_file_read(&boot, buf_text(&path), why);
	if (!err && !find_results_folder(to, buf_text(&boot), folder))
		err = save_folder(to, folder, buf_text(&boot), &archive, why);
	buf_free(&archive);
	buf_free(&boot);
	buf_free(&path);
	return err;
}
