/* SPDX-License-Identifier: BSD-2-Clause */
/* heap.h - memory in any size for the runtime's own structures. */
#ifndef RT_BASE_HEAP_H
#define RT_BASE_HEAP_H

#include <stddef.h>

/* heap_alloc() - zeroed; NULL: there is no memory. heap_free() - of NULL does nothing. Interrupts
 * off, any CPU; not NMI. */
void *heap_alloc(size_t bytes);
void heap_free(void *memory);

/* heap_trim() - returns pages that are kept for later pieces and have none. */
void heap_trim(void);

#endif
