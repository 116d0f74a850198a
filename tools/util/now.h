/* SPDX-License-Identifier: BSD-2-Clause */
/* now.h - the clock by which the tool waits. */
#ifndef TOOLS_UTIL_NOW_H
#define TOOLS_UTIL_NOW_H

#include <stdint.h>
#include <time.h>

/* now_ms() - CLOCK_MONOTONIC, in ms. */
static inline uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

#endif
