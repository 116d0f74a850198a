// SPDX-License-Identifier: BSD-2-Clause
/* shake.c - see shake.h. */
#include "tests/shim/shake.h"

#include <sched.h>

#define MOST_TIMES 8 /* that it lets others go first, in a row */

static _Thread_local uint64_t state;
static _Thread_local unsigned rarity;

void shake_begin(uint64_t seed, unsigned one_in)
{
	state = seed * 0x9e3779b97f4a7c15 | 1;
	rarity = one_in;
}

static unsigned shaken_below(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

void shake(void)
{
	if (!rarity || shaken_below(rarity))
		return;
	for (unsigned times = 1 + shaken_below(MOST_TIMES); times; times--)
		sched_yield();
}
