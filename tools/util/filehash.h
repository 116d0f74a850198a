/* SPDX-License-Identifier: BSD-2-Clause */
/* filehash.h - whether what is in a file is still what it was. */
#ifndef TOOLS_UTIL_FILEHASH_H
#define TOOLS_UTIL_FILEHASH_H

#include <stdint.h>

/*
 * file_hash() - XXH3, 64 bits, of `bytes` bytes of the file `fd` from `at` on, a multiple of the
 * page. Reads all of them. Returns 0, or -errno: they can not be read, or are none.
 */
int file_hash(int fd, uint64_t at, uint64_t bytes, uint64_t *hash);

#endif
