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
 * mapped_memory_init() - describes the `npages` pages at `pages`, and takes a reference to each.
 * The first reference to `m` is the caller's.
 * mapped_memory_put() - drops the references to the pages. Each page becomes free when nothing maps
 * it any more.
 *
 * `ops` have mapped_memory_page(), and a release() for the last reference to `m`.
 * mapped_memory_kept_ops is for memory that stays for good: it panics when the last reference is
 * dropped.
 */
void mapped_memory_init(struct mapped_memory *m, const struct mapped_ops *ops, const char *path,
			void *pages, size_t npages);
void mapped_memory_put(const struct mapped_memory *m);
int mapped_memory_page(struct mapped *m, uint64_t index, bool write, uint64_t *page);
extern const struct mapped_ops mapped_memory_kept_ops;

#endif
