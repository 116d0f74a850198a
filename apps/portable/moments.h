/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * moments.h - mean and spread of any number of values, none of which is kept. In integers: sums of
 * distances from the first value and of their squares. Portable; any context.
 */
#ifndef APPS_PORTABLE_MOMENTS_H
#define APPS_PORTABLE_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: no values. Distances are in units of 2^unit, so that the sums do not overflow. */
struct moments {
	uint32_t n;
	unsigned unit;
	uint64_t first, least, most;
	__int128 sum;
	unsigned __int128 squares;
};

/* moments_add() - adds a value; at most 2^20 of them. */
void moments_add(struct moments *m, uint64_t value);

/* moments_mean() - the rounded mean; 0 without values. */
uint64_t moments_mean(const struct moments *m);

/* moments_spread() - the relative standard error of the mean, in 1/100 of a percent. */
uint64_t moments_spread(const struct moments *m);

/*
 * moments_error() - the error of the mean, in 1/100 of a percent, where each value has an error of
 * about `error`. The part that differs from value to value shows in their spread, and averages out.
 * The rest has one cause in all of them, and does not: identical values are off together.
 */
uint64_t moments_error(const struct moments *m, uint64_t error);

/* moments_identical() - whether there were several values, all the same. */
static inline bool moments_identical(const struct moments *m)
{
	return m->n > 1 && m->least == m->most;
}

#endif
