// SPDX-License-Identifier: BSD-2-Clause
/* clock.c - see clock.h. */
#include "tools/util/clock.h"

#include <time.h>

uint64_t clock_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}
