/* SPDX-License-Identifier: BSD-2-Clause */
/* mapped_memory.h - memory of the runtime that programs can map: sections of the image, control
 * pages, rings of events. */
#ifndef LINUX_MEM_MAPPED_MEMORY_H
#define LINUX_MEM_MAPPED_MEMORY_H

#include "linux/portable/mapped.h"

#include <stddef.h>

struct mapped_memory {
	struct mapped mapped;
	void *pages;
	size_t npages;
};

/*
 * mapped_memory_init() - the pages at `pages`, of which each has a reference from now on; the first
 * reference to `m` is the caller's. mapped_memory_put() - the pages lose theirs, and are free when
 * nothing maps them.
 *
 * `ops` have mapped_memory_page() and what is done with the last reference to `m`;
 * mapped_memory_kept_ops: of memory that the caller keeps for good.
 */
void mapped_memory_init(struct mapped_memory *m, const struct mapped_ops *ops, const char *path,
			void *pages, size_t npages);
void mapped_memory_put(const struct mapped_memory *m);
int mapped_memory_page(struct mapped *m, uint64_t index, bool write, uint64_t *page);
extern const struct mapped_ops mapped_memory_kept_ops;

#endif
