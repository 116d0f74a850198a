// SPDX-License-Identifier: BSD-2-Clause
/* xxh64.c - see xxh64.h. The step numbers are those of the specification. */
#include "lib/format/xxh64.h"

#include "lib/string.h"

#define PRIME1 0x9e3779b185ebca87u
#define PRIME2 0xc2b2ae3d27d4eb4fu
#define PRIME3 0x165667b19e3779f9u
#define PRIME4 0x85ebca77c2b2ae63u
#define PRIME5 0x27d4eb2f165667c5u

#define LANES  4
#define STRIPE (LANES * sizeof(uint64_t))

static uint64_t rotate(uint64_t value, unsigned bits)
{
	return value << bits | value >> (64 - bits);
}

static uint64_t load_64_bits(const uint8_t *p)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return value;
}

static uint64_t mix_lane(uint64_t lane, uint64_t word)
{
	return rotate(lane + word * PRIME2, 31) * PRIME1;
}

/* Steps 1 to 3: all whole stripes. */
static uint64_t hash_stripes(const uint8_t *p, size_t n)
{
	uint64_t lane[LANES] = {PRIME1 + PRIME2, PRIME2, 0, 0 - PRIME1};
	uint64_t hash;

	for (; n >= STRIPE; n -= STRIPE)
		for (unsigned i = 0; i < LANES; i++, p += sizeof(uint64_t))
			lane[i] = mix_lane(lane[i], load_64_bits(p));
	hash = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
	for (unsigned i = 0; i < LANES; i++)
		hash = (hash ^ mix_lane(0, lane[i])) * PRIME1 + PRIME4;
	return hash;
}

/* Step 5: the remaining bytes. */
static uint64_t hash_rest(uint64_t hash, const uint8_t *p, size_t n)
{
	uint32_t half;

	for (; n >= sizeof(uint64_t); n -= sizeof(uint64_t), p += sizeof(uint64_t))
		hash = rotate(hash ^ mix_lane(0, load_64_bits(p)), 27) * PRIME1 + PRIME4;
	if (n >= sizeof(half)) {
		memcpy(&half, p, sizeof(half));
		hash = rotate(hash ^ half * PRIME1, 23) * PRIME2 + PRIME3;
		n -= sizeof(half);
		p += sizeof(half);
	}
	for (; n; n--, p++)
		hash = rotate(hash ^ *p * PRIME5, 11) * PRIME1;
	return hash;
}

/* Step 6. */
static uint64_t avalanche(uint64_t hash)
{
	hash = (hash ^ hash >> 33) * PRIME2;
	hash = (hash ^ hash >> 29) * PRIME3;
	return hash ^ hash >> 32;
}

uint64_t xxh64(const void *data, size_t n)
{
	const uint8_t *p = data;
	const size_t striped = n / STRIPE * STRIPE;
	uint64_t hash = n >= STRIPE ? hash_stripes(p, n) : PRIME5;

	return avalanche(hash_rest(hash + n, p + striped, n - striped));
}
