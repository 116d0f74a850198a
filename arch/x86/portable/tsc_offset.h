/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tsc_offset.h - bounds the offset between the TSCs of two CPUs.
 *
 * One CPU reads its TSC, asks the other CPU for its TSC, and reads its own again after the answer.
 * Each round trip bounds the offset from both sides, however long it took. With many round trips
 * the quickest ones decide. Pure; any context.
 */
#ifndef ARCH_X86_PORTABLE_TSC_OFFSET_H
#define ARCH_X86_PORTABLE_TSC_OFFSET_H

#include <stdbool.h>
#include <stdint.h>

/* In ticks: low <= the other CPU's TSC minus this CPU's <= high. */
struct tsc_bounds {
	int64_t low, high;
};

#define TSC_BOUNDS_NONE              \
	{                            \
		INT64_MIN, INT64_MAX \
	}

/* tsc_bounds_add() - adds a round trip: this CPU's TSC before and after, the other's (`there`) in
 * between. */
void tsc_bounds_add(struct tsc_bounds *bounds, uint64_t before, uint64_t there, uint64_t after);

/* tsc_bounds_meet() - whether some offset satisfies both. False: the two TSCs run at different
 * rates. */
bool tsc_bounds_meet(const struct tsc_bounds *a, const struct tsc_bounds *b);

/* tsc_bounds_narrow() - intersects `a` with `b`; the two meet. */
static inline void tsc_bounds_narrow(struct tsc_bounds *a, const struct tsc_bounds *b)
{
	a->low = a->low > b->low ? a->low : b->low;
	a->high = a->high < b->high ? a->high : b->high;
}

/* tsc_bounds_agree() - whether the two TSCs may be equal. */
static inline bool tsc_bounds_agree(const struct tsc_bounds *bounds)
{
	return bounds->low <= 0 && bounds->high >= 0;
}

/*
 * tsc_bounds_offset() - the offset: 0 if the two TSCs may be equal, else the middle of the bounds.
 * tsc_bounds_error() - its largest possible error.
 */
int64_t tsc_bounds_offset(const struct tsc_bounds *bounds);
uint64_t tsc_bounds_error(const struct tsc_bounds *bounds);

/* tsc_bounds_most() - the largest possible difference of the two TSCs. */
uint64_t tsc_bounds_most(const struct tsc_bounds *bounds);

#endif
