/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * disk.h - a disk that a stick's image is written to. Only whole disks that can be pulled out, and
 * that nothing uses, are written to.
 */
#ifndef TOOLS_STICK_DISK_H
#define TOOLS_STICK_DISK_H

#include <limits.h>
#include <stdint.h>

#include "lib/reason.h"

/* Where the kernel tells of disks: /sys and /proc, but in tests. */
struct disk_world {
	const char *sys, *proc;
};
extern const struct disk_world disk_world;

struct disk {
	char path[PATH_MAX];          /* of the device */
	char name[NAME_MAX + 1];      /* as the kernel has it: sdb */
	char model[2 * NAME_MAX + 2]; /* its maker's name and its own; "" where it has none */
	uint64_t bytes;
};

/*
 * disk_check() - whether `path` may be written to. -E with the reason, and what else to do: it is
 * no disk, a part of one, not removable, write-protected, mounted, or in use.
 */
int disk_check(struct disk *disk, const struct disk_world *world, const char *path,
	       struct reason *why);

/* A part of what is on it. */
struct disk_extent {
	uint64_t at, bytes;
};

/*
 * disk_write() - the `n` extents of the file `image`, which stands open, to the same places of the
 * disk, and reads them back past the caches. -E with the reason: also where what is there is not
 * what was written.
 */
int disk_write(const struct disk *disk, int image, const struct disk_extent *extents, unsigned n,
	       struct reason *why);

#endif
