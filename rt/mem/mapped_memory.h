/* SPDX-License-Identifier: BSD-2-Clause */
/* mapped_memory.h - memory of the runtime that programs see: sections of the image, control pages.
 */
#ifndef RT_MEM_MAPPED_MEMORY_H
#define RT_MEM_MAPPED_MEMORY_H

#include "rt/portable/mapped.h"

#include <stddef.h>

struct mapped_memory {
	struct mapped mapped;
	const void *memory; /* whole pages */
	size_t pages;
};

/*
 * mapped_memory_init() - the caller keeps `m` as long as it is mapped anywhere, and the first
 * reference for good; the pages have a reference each. mapped_memory_take_back() - no area shows it
 * any more, and the pages are the caller's again.
 */
void mapped_memory_init(struct mapped_memory *m, const char *path, const void *memory,
			size_t pages);
void mapped_memory_take_back(const struct mapped_memory *m);

#endif
