// SPDX-License-Identifier: BSD-2-Clause
/* memory.c - see memory.h. */
#include "tools/util/memory.h"

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/status.h"

void *memory_checked(void *memory)
{
	if (!memory)
		errx(STATUS_MACHINE, "out of memory");
	return memory;
}

void *memory_grow(void *array, size_t n, size_t size)
{
	if (!(n & (n - 1)))
		array = memory_checked(reallocarray(array, n ? 2 * n : 1, size));
	memset((uint8_t *)array + n * size, 0, size);
	return array;
}
