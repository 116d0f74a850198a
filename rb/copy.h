/* SPDX-License-Identifier: BSD-2-Clause */
/* copy.h - shared by the readers of both kinds of rings. */
#ifndef RB_COPY_H
#define RB_COPY_H

#include "rb/order.h"

#include <stddef.h>
#include <stdint.h>

/*
 * rb_copy_out() - copies `n` bytes from the free-running position `at` of a ring of `mask` + 1
 * bytes at `data`; `n` is at most the ring's size. Any context.
 */
static inline void rb_copy_out(void *out, const uint8_t *data, uint64_t mask, uint64_t at, size_t n)
{
	size_t offset = at & mask, first = mask + 1 - offset;

	if (first > n)
		first = n;
	ring_load_bytes(out, data + offset, first);
	ring_load_bytes((uint8_t *)out + first, data, n - first);
}

#endif
