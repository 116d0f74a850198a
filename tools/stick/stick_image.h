/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick_image.h - creates the image of a bootable stick: GPT, and one FAT32 partition with
 *
 *   EFI/BOOT/BOOTX64.EFI    perf0, signed if a key is given
 *   EFI/BOOT/BOOTIA32.EFI   what firmware of 32 bits starts: it says that perf0 needs 64
 *   perf0/perf0.cfg         commands that perf0 runs by itself
 *   perf0/bin/              programs of the user
 *   perf0/results/          folder of results
 *   README.TXT
 *
 * The same files make the same image, byte for byte, except for a signature, which has a time.
 * mtools create the partition.
 */
#ifndef TOOLS_STICK_STICK_IMAGE_H
#define TOOLS_STICK_STICK_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/stick/disk.h"

#define STICK_LEAST (UINT64_C(64) << 20) /* bytes; FAT32 needs 65525 clusters */
#define STICK_MOST  (UINT64_C(128) << 30)

struct stick {
	const char *config;     /* a file for perf0.cfg; NULL: perf0.cfg has comments alone */
	const char *key, *cert; /* for sbsign; NULL: not signed */
	const char *const *add; /* paths of programs */
	size_t nadd;
};

/* stick_check() - checks the stick's files, and reads nothing else. -E with the reason. */
int stick_check(const struct stick *stick, struct reason *why);

/*
 * stick_make() - creates or overwrites the file at `path`: the image of a disk of `disk` bytes
 * whose partition has `bytes` bytes (both as gpt.h requires). -E with the reason.
 */
int stick_make(const struct stick *stick, const char *path, uint64_t disk, uint64_t bytes,
	       struct reason *why);

#endif
