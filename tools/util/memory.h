/* SPDX-License-Identifier: BSD-2-Clause */
/* memory.h - allocates memory, and ends the tool if there is none. */
#ifndef TOOLS_UTIL_MEMORY_H
#define TOOLS_UTIL_MEMORY_H

#include <stddef.h>

/* memory_checked() - returns the result of malloc() or a similar function; never NULL. */
void *memory_checked(void *memory);

/*
 * memory_grow() - appends a zeroed element of `size` bytes to an array of `n` elements. Allocated
 * sizes are powers of two, so that the array seldom moves. Returns the array.
 */
void *memory_grow(void *array, size_t n, size_t size);

#endif
