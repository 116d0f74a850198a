// SPDX-License-Identifier: BSD-2-Clause
/* disk.c - see disk.h. */
#include "tools/stick/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/util/buf.h"

#define PIECE_BYTES (1u << 20)

const struct disk_world disk_world = {"/sys", "/proc"};

/* Returns NULL if the file cannot be read. */
static FILE *open_below(const char *root, const char *path)
{
	struct buf name = {0};
	FILE *file;

	buf_printf(&name, "%s/%s", root, path);
	file = fopen(buf_text(&name), "re");
	buf_free(&name);
	return file;
}

/* Reads the first line of a file, without its end; "" if the file cannot be read. */
static void read_first_line(char *line, size_t size, const char *root, const char *path)
{
	FILE *file = open_below(root, path);

	if (!file || !fgets(line, (int)size, file))
		line[0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
}

static void read_attribute(char *line, size_t size, const struct disk_world *world,
			   const char *disk, const char *attribute)
{
	struct buf path = {0};

	buf_printf(&path, "block/%s/%s", disk, attribute);
	read_first_line(line, size, world->sys, buf_text(&path));
	buf_free(&path);
}

static bool has_folder(const struct disk_world *world, const char *kind, const char *name)
{
	struct buf path = {0};
	bool there;

	buf_printf(&path, "%s/%s/%s", world->sys, kind, name);
	there = !access(buf_text(&path), F_OK);
	buf_free(&path);
	return there;
}

/* Finds the disk of a partition: the partition's folder lies in the disk's folder. */
static void find_whole_disk(char whole[NAME_MAX + 1], const struct disk_world *world,
			    const char *part)
{
	struct buf path = {0};
	char real[PATH_MAX], *end;

	whole[0] = '\0';
	buf_printf(&path, "%s/class/block/%s", world->sys, part);
	if (realpath(buf_text(&path), real) && (end = strrchr(real, '/'))) {
		*end = '\0';
		end = strrchr(real, '/');
		if (end)
			snprintf(whole, NAME_MAX + 1, "%s", end + 1);
	}
	buf_free(&path);
}

static int find_disk(struct disk *disk, const struct disk_world *world, const char *path,
		     struct reason *why)
{
	char whole[NAME_MAX + 1];

	if (!realpath(path, disk->path))
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	snprintf(disk->name, sizeof(disk->name), "%.*s", NAME_MAX, strrchr(disk->path, '/') + 1);
	if (has_folder(world, "block", disk->name))
		return 0;
	if (!has_folder(world, "class/block", disk->name))
		return refuse(why, ENOTBLK,
			      "%s is no disk; `lsblk` lists them, and -o FILE makes a file", path);
	find_whole_disk(whole, world, disk->name);
	return refuse(why, EINVAL, "%s is a partition; its disk is /dev/%s", path, whole);
}

static void cut_blanks(char *text)
{
	for (size_t n = strlen(text); n && text[n - 1] == ' '; n--)
		text[n - 1] = '\0';
}

static void read_model(struct disk *disk, const struct disk_world *world)
{
	char vendor[NAME_MAX + 1], model[NAME_MAX + 1];

	read_attribute(vendor, sizeof(vendor), world, disk->name, "device/vendor");
	read_attribute(model, sizeof(model), world, disk->name, "device/model");
	cut_blanks(vendor);
	cut_blanks(model);
	snprintf(disk->model, sizeof(disk->model), "%s%s%s", vendor,
		 vendor[0] && model[0] ? " " : "", model);
}

/*
 * Finds where a device in the list `numbers` (" 8:16 8:17 ") is mounted. proc(5), "mountinfo",
 * defines the fields of a line.
 */
static bool find_mount(const struct disk_world *world, const char *numbers, char where[PATH_MAX])
{
	FILE *file = open_below(world->proc, "self/mountinfo");
	char line[3 * PATH_MAX], device[64], wanted[72];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*s %*s %63s %*s %4095s", device, where) != 2)
			continue;
		snprintf(wanted, sizeof(wanted), " %s ", device);
		found = strstr(numbers, wanted);
	}
	if (file)
		fclose(file);
	return found;
}

/*
 * Returns whether `device`, a path below /dev, is the disk `name` or a partition of it: sdb, sdb1,
 * mmcblk0p1.
 */
static bool is_of_disk(const char *device, const char *name)
{
	const size_t n = strlen(name);

	if (strncmp(device, "/dev/", 5) || strncmp(device + 5, name, n))
		return false;
	device += 5 + n;
	return device[strspn(device, "p0123456789")] == '\0';
}

static bool is_swap(const struct disk_world *world, const char *name)
{
	FILE *file = open_below(world->proc, "swaps");
	char line[PATH_MAX + 128], device[PATH_MAX];
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%4095s", device) == 1 && is_of_disk(device, name);
	if (file)
		fclose(file);
	return found;
}

static bool has_holders(const struct disk_world *world, const char *folder)
{
	struct buf path = {0};
	const struct dirent *entry;
	bool found = false;
	DIR *dir;

	buf_printf(&path, "%s/block/%s/holders", world->sys, folder);
	dir = opendir(buf_text(&path));
	buf_free(&path);
	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return found;
}

/*
 * Lists the numbers of the disk and its partitions, with blanks around each. Returns whether one of
 * them has a holder.
 */
static bool list_numbers(const struct disk *disk, const struct disk_world *world,
			 struct buf *numbers)
{
	bool held = has_holders(world, disk->name);
	struct buf path = {0};
	const struct dirent *entry;
	char number[64];
	DIR *dir;

	read_attribute(number, sizeof(number), world, disk->name, "dev");
	buf_printf(numbers, " %s ", number);
	buf_printf(&path, "%s/block/%s", world->sys, disk->name);
	dir = opendir(buf_text(&path));
	while (dir && (entry = readdir(dir))) {
		struct buf part = {0};

		if (strncmp(entry->d_name, disk->name, strlen(disk->name)))
			continue;
		buf_printf(&part, "%s/%s", disk->name, entry->d_name);
		read_attribute(number, sizeof(number), world, buf_text(&part), "dev");
		buf_printf(numbers, " %s ", number);
		held |= has_holders(world, buf_text(&part));
		buf_free(&part);
	}
	if (dir)
		closedir(dir);
	buf_free(&path);
	return held;
}

static int check_use(const struct disk *disk, const struct disk_world *world, struct reason *why)
{
	struct buf numbers = {0};
	char where[PATH_MAX];
	const bool held = list_numbers(disk, world, &numbers);
	const bool mounted = find_mount(world, buf_text(&numbers), where);

	buf_free(&numbers);
	if (mounted)
		return refuse(why, EBUSY, "%s is mounted at %s; `umount %s` first", disk->path,
			      where, where);
	if (is_swap(world, disk->name))
		return refuse(why, EBUSY, "%s is used as swap; `swapoff` first", disk->path);
	if (held)
		return refuse(why, EBUSY, "%s is in use, as part of a volume or an encrypted disk",
			      disk->path);
	return 0;
}

int disk_check(struct disk *disk, const struct disk_world *world, const char *path,
	       struct reason *why)
{
	char removable[8], protected[8], sectors[32];
	int err = find_disk(disk, world, path, why);

	if (err)
		return err;
	read_model(disk, world);
	read_attribute(removable, sizeof(removable), world, disk->name, "removable");
	read_attribute(protected, sizeof(protected), world, disk->name, "ro");
	read_attribute(sectors, sizeof(sectors), world, disk->name, "size");
	disk->bytes = strtoull(sectors, NULL, 10) * 512;
	if (strcmp(removable, "1"))
		return refuse(why, EPERM,
			      "%s (%s) is not removable; -o FILE makes a file, which dd writes "
			      "wherever it is told to",
			      path, disk->model);
	if (!strcmp(protected, "1"))
		return refuse(why, EROFS, "%s (%s) is write-protected", path, disk->model);
	if (!disk->bytes)
		return refuse(why, ENXIO, "%s (%s) has no medium in it", path, disk->model);
	return check_use(disk, world, why);
}

/* --- Writing --- */

static int copy_piece(int image, int device, uint8_t *bytes, uint64_t at, size_t n)
{
	if (pread(image, bytes, n, (off_t)at) != (ssize_t)n)
		return -EIO;
	for (size_t done = 0; done < n;) {
		const ssize_t part = pwrite(device, bytes + done, n - done, (off_t)(at + done));

		if (part < 0 && errno != EINTR)
			return -errno;
		done += part > 0 ? (size_t)part : 0;
	}
	return 0;
}

static int compare_piece(int image, int device, uint8_t *bytes, uint64_t at, size_t n)
{
	uint8_t *const there = bytes + PIECE_BYTES;

	if (pread(image, bytes, n, (off_t)at) != (ssize_t)n ||
	    pread(device, there, n, (off_t)at) != (ssize_t)n)
		return -EIO;
	return memcmp(bytes, there, n) ? -EILSEQ : 0;
}

/* Calls `piece` for each piece of the extent. `*at` receives the offset where it ended. */
static int each_piece(int image, int device, const struct disk_extent *extent, uint64_t *at,
		      int (*piece)(int image, int device, uint8_t *bytes, uint64_t at, size_t n))
{
	static uint8_t bytes[2 * PIECE_BYTES];
	const uint64_t end = extent->at + extent->bytes;
	int err = 0;

	for (*at = extent->at; !err && *at < end; *at += err ? 0 : PIECE_BYTES)
		err = piece(image, device, bytes, *at,
			    end - *at < PIECE_BYTES ? (size_t)(end - *at) : PIECE_BYTES);
	return err;
}

/* Drops cached pages, so that the next read comes from the disk. */
static int flush(int device)
{
	if (fsync(device))
		return -errno;
	ioctl(device, BLKFLSBUF, 0);
	return -posix_fadvise(device, 0, 0, POSIX_FADV_DONTNEED);
}

int disk_write(const struct disk *disk, int image, const struct disk_extent *extents, unsigned n,
	       struct reason *why)
{
	const int device = open(disk->path, O_RDWR | O_EXCL | O_CLOEXEC);
	uint64_t at = 0;
	int err = 0;

	if (device < 0)
		return refuse(why, errno, "%s: %s%s", disk->path, strerror(errno),
			      errno == EACCES ? "; as root it can be written (sudo)" : "");
	for (unsigned i = 0; i < n && !err; i++)
		err = each_piece(image, device, &extents[i], &at, copy_piece);
	if (!err)
		err = flush(device);
	if (err)
		refuse(why, -err, "%s: at byte %llu: %s; the stick can not be used", disk->path,
		       (unsigned long long)at, strerror(-err));
	for (unsigned i = 0; i < n && !err; i++) {
		err = each_piece(image, device, &extents[i], &at, compare_piece);
		if (err)
			refuse(why, -err,
			       "%s: from byte %llu on there is something else than what was "
			       "written: the stick is damaged",
			       disk->path, (unsigned long long)at);
	}
	close(device);
	return err;
}
