// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_disk.c - the disks that a stick may be written to, by fake /sys and /proc in a folder; and
 * reading back the written data.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/stick/disk.h"

static char root[] = "/tmp/perf0-test-XXXXXX";
static char sys[64], proc[64];
static struct disk_world world = {sys, proc};
static struct disk disk;
static struct reason why;

static void make(const char *format, const char *name, const char *text)
{
	char path[256], command[300];
	FILE *file;

	snprintf(path, sizeof(path), format, root, name);
	snprintf(command, sizeof(command), "mkdir -p $(dirname %s)", path);
	assert_int_equal(system(command), 0);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void link_to(const char *target, const char *name)
{
	char path[256], command[300];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	snprintf(command, sizeof(command), "mkdir -p $(dirname %s)", path);
	assert_int_equal(system(command), 0);
	assert_int_equal(symlink(target, path), 0);
}

/* A disk as /sys has it, with one partition; its device is a file in dev/. */
static void add_disk(const char *name, const char *number, const char *removable, const char *ro)
{
	char text[128];

	snprintf(text, sizeof(text), "sys/devices/%s", name);
	make("%s/dev/%s", name, "");
	snprintf(text, sizeof(text), "%s1", name);
	make("%s/dev/%s", text, "");
#define ATTRIBUTE(attribute, value)                                       \
	(snprintf(text, sizeof(text), "sys/devices/%s/" attribute, name), \
	 make("%s/%s", text, value))
	ATTRIBUTE("removable", removable);
	ATTRIBUTE("ro", ro);
	ATTRIBUTE("size", "8192\n");
	ATTRIBUTE("device/vendor", "Maker   \n");
	ATTRIBUTE("device/model", "Stick 3.0  \n");
	snprintf(text, sizeof(text), "sys/devices/%s/dev", name);
	make("%s/%s", text, number);
	snprintf(text, sizeof(text), "sys/devices/%s/holders/.keep", name);
	make("%s/%s", text, "");
	snprintf(text, sizeof(text), "sys/devices/%s/%s1/dev", name, name);
	make("%s/%s", text, "8:17\n");
	snprintf(text, sizeof(text), "sys/devices/%s/%s1/holders/.keep", name, name);
	make("%s/%s", text, "");
	{
		char target[128], link[128];

		snprintf(target, sizeof(target), "../devices/%s", name);
		snprintf(link, sizeof(link), "sys/block/%s", name);
		link_to(target, link);
		snprintf(target, sizeof(target), "../../devices/%s", name);
		snprintf(link, sizeof(link), "sys/class/block/%s", name);
		link_to(target, link);
		snprintf(target, sizeof(target), "../../devices/%s/%s1", name, name);
		snprintf(link, sizeof(link), "sys/class/block/%s1", name);
		link_to(target, link);
	}
}

static void set_proc(const char *mounts, const char *swaps)
{
	make("%s/%s", "proc/self/mountinfo", mounts);
	make("%s/%s", "proc/swaps", swaps);
}

FIXTURE(begin)
{
	strcpy(root, "/tmp/perf0-test-XXXXXX");
	assert_non_null(mkdtemp(root));
	snprintf(sys, sizeof(sys), "%s/sys", root);
	snprintf(proc, sizeof(proc), "%s/proc", root);
	set_proc("24 1 8:1 / / rw - ext4 /dev/sda1 rw\n",
		 "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n");
	return 0;
}

FIXTURE(end)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

static int check_disk(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/dev/%s", root, name);
	memset(&why, 0, sizeof(why));
	return disk_check(&disk, &world, path, &why);
}

static void check_disk_refused(const char *name, const char *reason)
{
	if (!check_disk(name))
		fail_msg("%s is taken", name);
	if (!strstr(why.text, reason))
		fail_msg("%s: %s", name, why.text);
	assert_null(strchr(why.text, '\n'));
}

TEST_WITH(a_stick_is_taken, begin, end)
{
	add_disk("sdb", "8:16\n", "1\n", "0\n");
	if (check_disk("sdb"))
		fail_msg("%s", why.text);
	assert_string_equal(disk.name, "sdb");
	assert_string_equal(disk.model, "Maker Stick 3.0");
	assert_int_equal(disk.bytes, 8192 * 512);
	link_to("sdb", "dev/by-id");
	assert_int_equal(check_disk("by-id"), 0);
	assert_string_equal(disk.name, "sdb");
}

TEST_WITH(others_are_refused, begin, end)
{
	add_disk("sda", "8:0\n", "0\n", "0\n");
	add_disk("sdc", "8:32\n", "1\n", "1\n");
	add_disk("sdd", "8:48\n", "1\n", "0\n");
	make("%s/%s", "sys/devices/sdd/size", "0\n");
	make("%s/%s", "dev/file", "");
	check_disk_refused("sda", "sda (Maker Stick 3.0) is not removable; -o FILE makes a file");
	check_disk_refused("sdc", "is write-protected");
	check_disk_refused("sdd", "has no medium in it");
	check_disk_refused("file", "is no disk; `lsblk` lists them");
	check_disk_refused("none", "No such file");
	check_disk_refused("sda1", "is a partition; its disk is /dev/sda");
}

TEST_WITH(what_is_in_use_is_refused, begin, end)
{
	add_disk("sdb", "8:16\n", "1\n", "0\n");
	set_proc("24 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 24 8:17 / /media/me/A\\040B rw - vfat "
		 "/dev/sdb1 rw\n",
		 "");
	check_disk_refused("sdb",
			   "is mounted at /media/me/A\\040B; `umount /media/me/A\\040B` first");
	set_proc("30 24 8:16 / /mnt rw - vfat /dev/sdb rw\n", "");
	check_disk_refused("sdb", "is mounted at /mnt");
	set_proc(
		"30 24 8:1 / /mnt rw - vfat x rw\n30 24 18:16 / /mnt rw - vfat x rw\n30 24 8:161 / "
		"/mnt rw - vfat x rw\n",
		"/dev/sdba partition 1 0 -2\n/dev/sdbb1 partition 1 0 -2\n");
	assert_int_equal(check_disk("sdb"), 0);
	set_proc("", "Filename\n/dev/sdb1 partition 1 0 -2\n");
	check_disk_refused("sdb", "is used as swap");
	set_proc("", "");
	make("%s/%s", "sys/devices/sdb/sdb1/holders/dm-0", "");
	check_disk_refused("sdb", "is in use, as part of a volume");
}

/* Only the extents are written to the disk, which is a file here. */
TEST_WITH(what_is_written_is_read_back, begin, end)
{
	static uint8_t bytes[3 << 20], there[sizeof(bytes)];
	const struct disk_extent extents[] = {{0, (1 << 20) + 5}, {sizeof(bytes) - 1000, 1000}};
	char image[128];
	int fd;

	add_disk("sdb", "8:16\n", "1\n", "0\n");
	assert_int_equal(check_disk("sdb"), 0);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i + i / 255 + 1);
	snprintf(image, sizeof(image), "%s/image", root);
	fd = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	assert_int_equal(truncate(disk.path, sizeof(bytes)), 0);
	if (disk_write(&disk, fd, extents, 2, &why))
		fail_msg("%s", why.text);
	close(fd);
	fd = open(disk.path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(read(fd, there, sizeof(there)), sizeof(there));
	close(fd);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		const bool is_written = i < extents[0].bytes || i >= extents[1].at;

		if (there[i] != (is_written ? bytes[i] : 0))
			fail_msg("byte %zu is %u", i, there[i]);
	}
}

/* A disk that ends early, and a disk that does not keep data. */
TEST_WITH(a_bad_disk_is_told, begin, end)
{
	const struct disk_extent extent = {0, 4096};
	char image[128];
	int fd;

	make("%s/%s", "image", "x");
	snprintf(image, sizeof(image), "%s/image", root);
	fd = open(image, O_RDONLY | O_CLOEXEC);
	strcpy(disk.path, "/dev/full");
	assert_true(disk_write(&disk, fd, &(struct disk_extent){0, 1}, 1, &why) < 0);
	assert_non_null(strstr(why.text, "the stick can not be used"));
	strcpy(disk.path, "/dev/null");
	assert_true(disk_write(&disk, fd, &(struct disk_extent){0, 1}, 1, &why) < 0);
	assert_true(disk_write(&disk, fd, &extent, 1, &why) < 0);
	strcpy(disk.path, "/nosuch");
	assert_true(disk_write(&disk, fd, &extent, 1, &why) < 0);
	assert_non_null(strstr(why.text, "/nosuch: No such file"));
	close(fd);
}
