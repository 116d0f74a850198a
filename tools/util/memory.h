/* SPDX-License-Identifier: BSD-2-Clause */
/* memory.h - allocation that ends the tool when there is no memory. */
#ifndef TOOLS_UTIL_MEMORY_H
#define TOOLS_UTIL_MEMORY_H

#include <stddef.h>

/* memory_checked() - passes on the result of malloc() and its kin; never NULL. */
void *memory_checked(void *memory);

/*
 * memory_grow() - makes room in an array of `n` elements for a zeroed one of `size` bytes behind
 * them. The room is the next power of two, so that the array seldom moves.
 */
void *memory_grow(void *array, size_t n, size_t size);

#endif
