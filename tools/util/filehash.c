// SPDX-License-Identifier: BSD-2-Clause
/* filehash.c - see filehash.h. */
#include "tools/util/filehash.h"

#include <errno.h>
#include <sys/mman.h>
#include <xxhash.h>

int file_hash(int fd, uint64_t at, uint64_t bytes, uint64_t *hash)
{
	void *memory = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, (off_t)at);

	if (memory == MAP_FAILED)
		return -errno;
	*hash = XXH3_64bits(memory, bytes);
	munmap(memory, bytes);
	return 0;
}
