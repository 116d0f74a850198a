/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disk.h - writes a stick's image to a disk. It accepts only whole removable disks that are not in
 * use.
 */
#ifndef TOOLS_STICK_DISK_H
#define TOOLS_STICK_DISK_H

#include <limits.h>
#include <stdint.h>

#include "lib/reason.h"

/* Folders in which the kernel describes disks: /sys and /proc; tests have their own. */
struct disk_world {
	const char *sys, *proc;
};
extern const struct disk_world disk_world;

struct disk {
	char path[PATH_MAX];          /* the device */
	char name[NAME_MAX + 1];      /* the kernel's name: sdb */
	char model[2 * NAME_MAX + 2]; /* vendor and model; "" where the disk has none */
	uint64_t bytes;
};

/*
 * disk_check() - checks whether `path` may be written to. -E with the reason and a remedy: it is no
 * disk, a partition, not removable, write-protected, mounted, or in use.
 */
int disk_check(struct disk *disk, const struct disk_world *world, const char *path,
	       struct reason *why);

/* A range of bytes on the disk. */
struct disk_extent {
	uint64_t at, bytes;
};

/*
 * disk_write() - copies the `n` extents of the open file `image` to the same offsets of the disk,
 * and reads them back past the caches. -E with the reason, also if the disk returns other bytes
 * than were written.
 */
int disk_write(const struct disk *disk, int image, const struct disk_extent *extents, unsigned n,
	       struct reason *why);

#endif
