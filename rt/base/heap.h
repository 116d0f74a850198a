/* SPDX-License-Identifier: BSD-2-Clause */
/* heap.h - memory in any size for the runtime's own structures. */
#ifndef RT_BASE_HEAP_H
#define RT_BASE_HEAP_H

#include <stddef.h>

/* heap_alloc() - zeroed memory; NULL: there is none. heap_free() - frees it; NULL: nothing.
 * Interrupts off, any CPU; not NMI. */
void *heap_alloc(size_t bytes);
void heap_free(void *memory);

/* heap_trim() - returns pages without used pieces, which were kept for later pieces. */
void heap_trim(void);

#endif
