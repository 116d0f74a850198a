/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_heap.h - memory for code of the images in host tests: rt/base/heap.h and
 * linux/mem/page_ref.h on top of malloc(), so that the sanitizer sees each allocation. Allocations
 * are counted, and a test can make any call fail.
 */
#ifndef TESTS_SHIM_SHIM_HEAP_H
#define TESTS_SHIM_SHIM_HEAP_H

#include <stdint.h>

struct shim_heap {
	uint64_t pieces, pages; /* allocated now */
	uint64_t calls;         /* calls for memory so far */
	uint64_t fail_at;       /* from this call on calls fail; 0: none fails */
	uint64_t fail_calls;    /* how many calls fail; 0: all */
};
extern struct shim_heap shim_heap;

/* shim_page_refs() - returns the number of references to the page. */
unsigned shim_page_refs(const void *page);

#endif
