/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpio.h - headers of cpio archives in the format `newc` (cpio(5), "New ASCII Format"), for the
 * pack of include/perf0/programs.h. Pure functions, any context.
 *
 * An entry is a header of CPIO_HEADER bytes, the name with at least one zero, and the content.
 * Zeros pad the name and the content to multiples of CPIO_ALIGN. The last entry is called
 * CPIO_TRAILER. A name may have more zeros than the format needs, so that its content begins at a
 * page; `namesize` counts them.
 */
#ifndef LIB_FORMAT_CPIO_H
#define LIB_FORMAT_CPIO_H

#include <stddef.h>
#include <stdint.h>

#define CPIO_HEADER  110
#define CPIO_ALIGN   4
#define CPIO_MAGIC   "070701"
#define CPIO_TRAILER "TRAILER!!!"

/* The kinds of files in `mode`, beside the permissions. */
#define CPIO_KIND      0170000u
#define CPIO_DIRECTORY 0040000u
#define CPIO_FILE      0100000u
#define CPIO_LINK      0120000u

/* The fields of a header that are set. All others (owner, times, devices, check) are 0. */
struct cpio_entry {
	uint32_t ino;        /* inode number, unique in the archive */
	uint32_t mode;       /* kind and permissions */
	uint32_t bytes;      /* of the content */
	uint32_t name_bytes; /* with all zeros after the name */
};

/*
 * cpio_name_bytes() - returns `name_bytes` of an entry whose header begins at `offset` of the
 * archive and whose name has `length` characters. It is the least number with which the content
 * begins at a multiple of `align`, which is a multiple of CPIO_ALIGN.
 */
uint32_t cpio_name_bytes(uint64_t offset, size_t length, uint32_t align);

/* cpio_header() - writes the header, without a terminator. */
void cpio_header(char header[CPIO_HEADER], const struct cpio_entry *entry);

/* cpio_padding() - the number of zeros that pad data ending at `offset`. */
static inline uint32_t cpio_padding(uint64_t offset)
{
	return (uint32_t)(-offset % CPIO_ALIGN);
}

#endif
