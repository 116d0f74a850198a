/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpio.h - headers of cpio archives in the format `newc` (cpio(5), "New ASCII Format"), as the pack
 * of include/perf0/programs.h has them: a header of CPIO_HEADER bytes, the name and at least one
 * zero, content, and zeros up to a multiple of CPIO_ALIGN behind both; the last entry is called
 * CPIO_TRAILER. The zeros behind a name may be more than format and alignment need, so that content
 * can begin at a page: `namesize` counts them. Pure, any context.
 */
#ifndef LIB_CPIO_H
#define LIB_CPIO_H

#include <stddef.h>
#include <stdint.h>

#define CPIO_HEADER  110
#define CPIO_ALIGN   4
#define CPIO_MAGIC   "070701"
#define CPIO_TRAILER "TRAILER!!!"

/* Kinds of files in `mode`, beside the permissions. */
#define CPIO_KIND      0170000u
#define CPIO_DIRECTORY 0040000u
#define CPIO_FILE      0100000u
#define CPIO_LINK      0120000u

/* What a header says here: all else (owner, times, devices, check) is 0. */
struct cpio_entry {
	uint32_t ino;        /* its number in the archive */
	uint32_t mode;       /* kind and permissions */
	uint32_t bytes;      /* of the content */
	uint32_t name_bytes; /* with all zeros behind the name */
};

/*
 * cpio_name_bytes() - of an entry whose header begins at `offset` of the archive and whose name has
 * `length` characters: the least number with which the content begins at a multiple of `align`,
 * itself one of CPIO_ALIGN.
 */
uint32_t cpio_name_bytes(uint64_t offset, size_t length, uint32_t align);

/* cpio_header() - writes the header, without a terminator. */
void cpio_header(char header[CPIO_HEADER], const struct cpio_entry *entry);

/* cpio_padding() - zeros behind what ends at `offset`. */
static inline uint32_t cpio_padding(uint64_t offset)
{
	return (uint32_t)(-offset % CPIO_ALIGN);
}

#endif
