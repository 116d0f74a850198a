/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * content.h - the pages of a regular file: a tree of nodes with 64 slots each, as high as the
 * last page requires. So a file with holes takes only the memory of its written pages. All zero:
 * no page. The tree holds one reference to each page. A page may be borrowed: it also belongs to
 * the archive that the file came with, or to other files. A borrowed page is only read here, and
 * copied before a write. The caller has the lock of the tree.
 */
#ifndef LINUX_FILE_CONTENT_H
#define LINUX_FILE_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "linux/mem/page_ref.h"

struct content {
	uintptr_t root;  /* a node, or where `height` is 0 a page; 0: nothing */
	unsigned height; /* levels of nodes */
	uint64_t pages;  /* number of pages present */
};

/* Bytes of the largest file, and its pages. */
#define CONTENT_BYTES_MOST (uint64_t) INT64_MAX
#define CONTENT_PAGES_MOST (CONTENT_BYTES_MOST / PAGE_BYTES + 1)

/* content_page() - returns page `index`, without a reference; NULL: a hole. */
void *content_page(const struct content *content, uint64_t index);

/* content_own() - page `index`, to be written to, without a reference. A missing page is made. A
 * borrowed page is copied, and `*replaced` gets the reference to the borrowed one; otherwise it is
 * unchanged. NULL: no memory. */
void *content_own(struct content *content, uint64_t index, void **replaced);

/* content_give() - fills a hole with `page` and its reference. -ENOMEM: the page stays the
 * caller's. */
int content_give(struct content *content, uint64_t index, void *page, bool borrowed);

/* content_drop() - page `index` becomes a hole. */
void content_drop(struct content *content, uint64_t index);

/* content_cut() - drops the last pages from `from` on, a bounded number of them. True: more are
 * left. */
bool content_cut(struct content *content, uint64_t from);

/* content_next() - the first present page at or behind `index`; CONTENT_PAGES_MOST: none. */
uint64_t content_next(const struct content *content, uint64_t index);

/* content_last() - the last present page; there has to be one. */
uint64_t content_last(const struct content *content);

#endif
