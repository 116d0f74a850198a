/* SPDX-License-Identifier: BSD-2-Clause */
/* filehash.h - hashes a file, to detect changes. */
#ifndef TOOLS_UTIL_FILEHASH_H
#define TOOLS_UTIL_FILEHASH_H

#include <stdint.h>

/*
 * file_hash() - computes XXH3, 64 bits, of `bytes` bytes of the file `fd` from offset `at`, a
 * multiple of the page size. Reads all of them. Returns 0, or -errno: they cannot be read, or do
 * not exist.
 */
int file_hash(int fd, uint64_t at, uint64_t bytes, uint64_t *hash);

#endif
