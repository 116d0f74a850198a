/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page_ref.h - pages with several holders: the content of a file, tables of ring 3 that map it.
 * The last page_ref_put() frees the page. Any CPU; not NMI.
 */
#ifndef LINUX_MEM_PAGE_REF_H
#define LINUX_MEM_PAGE_REF_H

#define PAGE_BYTES 4096u

/* page_ref_new() - a zeroed page with one reference, which is the caller's; NULL: no memory. */
void *page_ref_new(void);

/* page_ref_get(), page_ref_put() - takes or drops a reference. */
void page_ref_get(void *page);
void page_ref_put(void *page);

#endif
