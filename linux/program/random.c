// SPDX-License-Identifier: BSD-2-Clause
/* random.c - see random.h. SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators"): sufficient for repeatable programs, and not for secrets. */
#include "linux/program/random.h"

#include "lib/lock.h"
#include "lib/string.h"

#define STEP 0x9e3779b97f4a7c15

static struct {
	struct lock lock;
	uint64_t state, seed, added;
} generator;

static uint64_t mix_word(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t next_word(void)
{
	return mix_word(generator.state += STEP);
}

void random_start(uint64_t seed)
{
	generator.state = generator.seed = seed + generator.added;
}

/* These bytes are not part of the sequence, so that programs that start others get the same
 * numbers. */
void random_auxiliary(uint8_t out[RANDOM_AUXILIARY])
{
	const uint64_t words[] = {mix_word(~generator.seed), mix_word(~generator.seed - STEP)};

	_Static_assert(sizeof(words) == RANDOM_AUXILIARY, "all bytes are set");
	memcpy(out, words, sizeof(words));
}

uint64_t random_seed_added(void)
{
	return generator.added;
}

int random_set_seed_added(uint64_t added)
{
	generator.added = added;
	return 0;
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
