/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * volume.h - a file system that firmware reads, made of a few files: FAT32 without a partition
 * table, as a file in memory. Each file has a name of 8.3 in the root and lies in one piece.
 */
#ifndef TOOLS_GUEST_VOLUME_H
#define TOOLS_GUEST_VOLUME_H

#include <stddef.h>

#include "lib/reason.h"

struct volume_file {
	const char *name; /* as FAT has it: 11 characters, "KERNEL  EFI" */
	int fd;           /* its content, from the start */
	const char *path; /* for what is said of it */
};

/* volume_make() - a file in memory, which QEMU inherits. Returns its descriptor, or -E with the
 * reason. */
int volume_make(const struct volume_file *files, size_t n, struct reason *why);

#endif
