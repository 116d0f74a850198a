/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_heap.h - the memory that code of the images gets in host tests: rt/base/heap.h and
 * linux/mem/page_ref.h over malloc(), so that the sanitizer sees each piece; what is out is
 * counted, and a test can make any one call fail.
 */
#ifndef TESTS_SHIM_SHIM_HEAP_H
#define TESTS_SHIM_SHIM_HEAP_H

#include <stdint.h>

struct shim_heap {
	uint64_t pieces, pages; /* that are out */
	uint64_t calls;         /* for memory, so far */
	uint64_t fail_at;       /* this call and those behind it find no memory; 0: none */
	uint64_t fail_calls;    /* how many of them do; 0: all */
};
extern struct shim_heap shim_heap;

/* shim_page_refs() - how many hold the page. */
unsigned shim_page_refs(const void *page);

#endif
