/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page_ref.h - pages with several holders: the content of a file, tables of ring 3 that map it.
 * The last page_ref_put() frees the page. Any CPU; not NMI.
 */
#ifndef LINUX_MEM_PAGE_REF_H
#define LINUX_MEM_PAGE_REF_H

#define PAGE_BYTES 4096u

/* page_ref_new() - zeroed, and its one reference is the caller's; NULL: there is no memory. */
void *page_ref_new(void);

/* page_ref_get(), page_ref_put() - one reference more, or less. */
void page_ref_get(void *page);
void page_ref_put(void *page);

#endif
