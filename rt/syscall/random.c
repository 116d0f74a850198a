// SPDX-License-Identifier: BSD-2-Clause
/* random.c - see random.h. SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators"): good enough for programs that are to do the same each time, and for nothing secret.
 */
#include "rt/syscall/random.h"

#include "lib/lock.h"
#include "lib/string.h"

static struct {
	struct lock lock;
	uint64_t state;
} generator;

static uint64_t next_word(void)
{
	uint64_t z = generator.state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

void random_start(uint64_t seed)
{
	generator.state = seed;
}

void random_bytes(void *to, size_t n)
{
	uint8_t *at = to;

	lock_take(&generator.lock);
	while (n) {
		const uint64_t word = next_word();
		const size_t some = n < sizeof(word) ? n : sizeof(word);

		memcpy(at, &word, some);
		at += some;
		n -= some;
	}
	lock_release(&generator.lock);
}
