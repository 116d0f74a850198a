/* SPDX-License-Identifier: BSD-2-Clause */
/* memory.h - memory without which the tool cannot go on: where there is none, it ends. */
#ifndef TOOLS_UTIL_MEMORY_H
#define TOOLS_UTIL_MEMORY_H

#include <stddef.h>

/* memory_checked() - what malloc() and its kin gave; never NULL. */
void *memory_checked(void *memory);

/*
 * memory_grow() - the array with room for one more element of `size` bytes behind its `n`, which is
 * zeroed. Its room is the power of two that holds them, so that it moves seldom.
 */
void *memory_grow(void *array, size_t n, size_t size);

#endif
