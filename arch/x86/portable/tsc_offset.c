// SPDX-License-Identifier: BSD-2-Clause
/* tsc_offset.c - see tsc_offset.h. Portable. */
#include "arch/x86/portable/tsc_offset.h"

void tsc_bounds_add(struct tsc_bounds *bounds, uint64_t before, uint64_t there, uint64_t after)
{
	const int64_t low = (int64_t)(there - after), high = (int64_t)(there - before);

	if (low > bounds->low)
		bounds->low = low;
	if (high < bounds->high)
		bounds->high = high;
}

bool tsc_bounds_meet(const struct tsc_bounds *a, const struct tsc_bounds *b)
{
	return a->low <= b->high && b->low <= a->high;
}

int64_t tsc_bounds_offset(const struct tsc_bounds *bounds)
{
	if (tsc_bounds_agree(bounds))
		return 0;
	return bounds->low + (bounds->high - bounds->low) / 2;
}

static uint64_t magnitude_of(int64_t offset)
{
	return offset < 0 ? -(uint64_t)offset : (uint64_t)offset;
}

uint64_t tsc_bounds_most(const struct tsc_bounds *bounds)
{
	const uint64_t low = magnitude_of(bounds->low), high = magnitude_of(bounds->high);

	return low > high ? low : high;
}

uint64_t tsc_bounds_error(const struct tsc_bounds *bounds)
{
	if (tsc_bounds_agree(bounds))
		return tsc_bounds_most(bounds);
	return (uint64_t)(bounds->high - bounds->low) / 2 + 1;
}
