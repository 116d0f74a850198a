/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xxh64.h - XXH64, a 64-bit hash that tells files apart (xxHash's "fast digest algorithm",
 * specification 0.1.1). It is no defence against deliberate collisions.
 */
#ifndef LIB_FORMAT_XXH64_H
#define LIB_FORMAT_XXH64_H

#include <stddef.h>
#include <stdint.h>

/* xxh64() - the hash of `n` bytes, with seed 0. Any context. */
uint64_t xxh64(const void *data, size_t n);

#endif
