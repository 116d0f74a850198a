/* SPDX-License-Identifier: BSD-2-Clause */
/* filehash.h - a hash that tells whether a file has changed. */
#ifndef TOOLS_UTIL_FILEHASH_H
#define TOOLS_UTIL_FILEHASH_H

#include <stdint.h>

/*
 * file_hash() - XXH3, 64 bits, of `bytes` bytes of the file `fd` from `at`, a multiple of the page
 * size. Reads all of them. Returns 0, or -errno: they cannot be read, or there are none.
 */
int file_hash(int fd, uint64_t at, uint64_t bytes, uint64_t *hash);

#endif
