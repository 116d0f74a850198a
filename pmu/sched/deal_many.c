// SPDX-License-Identifier: BSD-2-Clause
/*
 * deal_many.c - deals slices to the sets of the mixture where there are many groups: see fair.h. It
 * looks at the next slice alone: which set has the groups with the largest weights. The weight of a
 * group grows with its lag, without an end, so no group falls behind for ever (the argument is in
 * deal.c). Longer courses of slices are not needed here: with many groups there is nearly always a
 * set for those that are due. On the loads that are hard to deal (tests/study) the worst group is
 * 3.3 slices behind at most; with courses it was 5.3.
 */
#include "pmu/sched/fair.h"

#include "lib/bits.h"

#define PARTS       8    /* levels of lag in a slice */
#define PART_SHIFT  59   /* PMU_FAIR_WHOLE / PARTS is 1 << PART_SHIFT */
#define LEAST       (-4) /* lag of the lowest level, in slices */
#define LEVELS      4096 /* the highest level; sums over all groups fit 63 bits */
#define COMING_BITS 6    /* bits below the weights: the number of groups that start to run */

/* Finds the level of each group if it does not run in the next slice. Returns the highest one. */
static int32_t find_levels(const struct pmu_fair *f, int32_t *level)
{
	int32_t highest = 0;

	for (unsigned g = 0; g < f->n; g++) {
		const uint64_t fraction = f->now[g] + f->due[g].share;
		const int32_t parts = (int32_t)(fraction >> PART_SHIFT);

		level[g] = (f->lag[g] - LEAST) * PARTS + parts;
		highest = level[g] > highest ? level[g] : highest;
	}
	return highest;
}

/* The fourth power prefers a group that is far behind to several that are a little behind. */
static uint64_t gain_of(int32_t level)
{
	const uint64_t square = level > 0 ? (uint64_t)level * (uint64_t)level : 0;

	return square * square << COMING_BITS;
}

static uint64_t weight_of_set(const uint64_t *gain, uint64_t set)
{
	uint64_t sum = 0;

	for (; set; set &= set - 1)
		sum += gain[bits_first(set)];
	return sum;
}

/* Equal sets: the one with fewer groups that start to run, then the first. */
static uint64_t most_valuable(const struct pmu_fair *f, const uint64_t *gain)
{
	int64_t most = INT64_MIN;
	uint64_t best = 0;

	for (unsigned i = 0; i < f->nsets; i++) {
		const uint64_t set = f->sets[i];
		const int64_t value =
			(int64_t)weight_of_set(gain, set) - (int64_t)bits_count(set & ~f->last);

		if (value > most) {
			most = value;
			best = set;
		}
	}
	return best;
}

uint64_t pmu_fair_deal_many(const struct pmu_fair *f)
{
	int32_t level[PMU_FAIR_GROUPS];
	uint64_t gain[PMU_FAIR_GROUPS];
	const int32_t highest = find_levels(f, level);
	const int32_t beyond = highest > LEVELS ? highest - LEVELS : 0;

	for (unsigned g = 0; g < f->n; g++)
		gain[g] = gain_of(level[g] - beyond);
	return most_valuable(f, gain);
}
