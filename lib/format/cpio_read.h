/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpio_read.h - reads cpio archives in the format `newc`, with or without checksums (cpio(5), "New
 * ASCII Format"), from anywhere: several archives may follow each other, padded with zeros, as in
 * an initrd of Linux (Documentation/driver-api/early-userspace/buffer-format.rst). Pure, any
 * context.
 */
#ifndef LIB_FORMAT_CPIO_READ_H
#define LIB_FORMAT_CPIO_READ_H

#include <stddef.h>
#include <stdint.h>

struct cpio_reader {
	const uint8_t *bytes;
	size_t size;
	size_t at;     /* 0 at first */
	size_t member; /* where the last member began, or what is none */
};

struct cpio_member {
	const char *name; /* terminated, in the archive */
	uint32_t mode;
	const uint8_t *content;
	size_t bytes;
};

/* cpio_next() - reads the next member. 1: there it is; 0: the end; -EINVAL: the archive is cut off,
 * or something else. */
int cpio_next(struct cpio_reader *reader, struct cpio_member *member);

/*
 * cpio_find() - finds the last file of that path; leading "/" and "./" of both names do not count.
 * 0, -ENOENT, or -EINVAL: the archive is malformed.
 */
int cpio_find(const void *archive, size_t size, const char *path, struct cpio_member *member);

#endif
