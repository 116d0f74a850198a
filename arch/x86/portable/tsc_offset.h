/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc_offset.h - how far the TSC of one CPU is ahead of another's, as far as that can be known.
 *
 * One CPU reads its TSC, asks, and reads it again behind the answer, which is the TSC of the other,
 * read in between. So each round trip bounds the offset from both sides, however long it took;
 * many of them bound it by the quickest ones. Pure; any context.
 */
#ifndef ARCH_X86_PORTABLE_TSC_OFFSET_H
#define ARCH_X86_PORTABLE_TSC_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

/* In ticks: the other's TSC minus this one's is low or more, and high or less. */
struct tsc_bounds {
	int64_t low, high;
};

#define TSC_BOUNDS_NONE              \
	{                            \
		INT64_MIN, INT64_MAX \
	}

/* tsc_bounds_add() - one round trip: this CPU's TSC before and after, the other's in between. */
void tsc_bounds_add(struct tsc_bounds *bounds, uint64_t before, uint64_t there, uint64_t after);

/* tsc_bounds_meet() - some offset obeys both. False: there is none, so the two TSCs do not tick
 * alike. */
bool tsc_bounds_meet(const struct tsc_bounds *a, const struct tsc_bounds *b);

/* tsc_bounds_narrow() - `a` obeys `b`, too, which it meets. */
static inline void tsc_bounds_narrow(struct tsc_bounds *a, const struct tsc_bounds *b)
{
	a->low = a->low > b->low ? a->low : b->low;
	a->high = a->high < b->high ? a->high : b->high;
}

/* tsc_bounds_agree() - the two may be the same. */
static inline bool tsc_bounds_agree(const struct tsc_bounds *bounds)
{
	return bounds->low <= 0 && bounds->high >= 0;
}

/*
 * tsc_bounds_offset() - the offset: 0 where the two may be the same, else the middle.
 * tsc_bounds_error() - and what it may be wrong by, at most.
 */
int64_t tsc_bounds_offset(const struct tsc_bounds *bounds);
uint64_t tsc_bounds_error(const struct tsc_bounds *bounds);

/* tsc_bounds_most() - the most by which the two may differ. */
uint64_t tsc_bounds_most(const struct tsc_bounds *bounds);

#endif
