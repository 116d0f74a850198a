/* SPDX-License-Identifier: BSD-2-Clause */
/* hash.h - the finalizer of SplitMix64: each bit of a key changes each bit of its hash. */
#ifndef TOOLS_UTIL_HASH_H
#define TOOLS_UTIL_HASH_H

#include <stdint.h>

static inline uint64_t hash_mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

#endif
