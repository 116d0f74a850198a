/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stick_image.h - the image of a stick that machines boot from: GPT, one FAT32 partition with
 *
 *	EFI/BOOT/BOOTX64.EFI    perf0, signed where a key is given
 *	perf0/perf0.cfg         what it runs by itself
 *	perf0/bin/              programs of the user's
 *	perf0/results/          where results go
 *	README.TXT
 *
 * The same files make the same image, to the byte, but for a signature, which has a time. The
 * partition is made by mtools.
 */
#ifndef TOOLS_STICK_STICK_IMAGE_H
#define TOOLS_STICK_STICK_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/stick/disk.h"

#define STICK_LEAST (UINT64_C(64) << 20) /* bytes of an image: FAT32 has 65525 clusters or more */
#define STICK_MOST  (UINT64_C(128) << 30)

struct stick {
	const char *config;     /* a file that is perf0.cfg; NULL: one with comments alone */
	const char *key, *cert; /* for sbsign; NULL: not signed */
	const char *const *add; /* programs */
	size_t nadd;
};

/* stick_check() - whether the files of it are what they should be; reads nothing else. -E with the
 * reason. */
int stick_check(const struct stick *stick, struct reason *why);

/*
 * stick_make() - the image, in a file at `path`, which is made or overwritten: of a disk of `disk`
 * bytes, of which its partition takes `bytes` (both as gpt.h wants them). -E with the reason.
 */
int stick_make(const struct stick *stick, const char *path, uint64_t disk, uint64_t bytes,
	       struct reason *why);

#endif
