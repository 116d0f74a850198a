/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * worth.h - which groups that fit together are worth most, each having its price: depth first, best
 * price for a counter first, cut off where the rest cannot reach the goal any more. To be resumed
 * after each step. Pure, any context; the caller's storage.
 */
#ifndef PMU_SCHED_WORTH_H
#define PMU_SCHED_WORTH_H

#include "pmu/sched/fit.h"

#define PMU_WORTH_GROUPS  64
#define PMU_WORTH_EVENTS  256         /* of all groups */
#define PMU_WORTH_EXTRAS  256         /* registers that these need, of all */
#define PMU_WORTH_LARGEST (1ll << 56) /* price: sums of those of all groups are numbers, too */

/* Groups, and what runs beside them in any case. */
struct pmu_worth_job {
	unsigned n;
	struct pmu_fit_rules rules;
	struct pmu_fit start;
	uint64_t corrupting, exclusive;
	/* Group g's events are from first[g] to before first[g + 1], its registers likewise. */
	uint32_t masks[PMU_WORTH_EVENTS];
	uint16_t first[PMU_WORTH_GROUPS + 1];
	struct pmu_extra extras[PMU_WORTH_EXTRAS];
	uint16_t first_extra[PMU_WORTH_GROUPS + 1];
};

struct pmu_worth {
	unsigned n;     /* groups with a price above 0, best price for a counter first */
	uint64_t dear;  /* those */
	int64_t goal;   /* what a set must be worth */
	uint64_t found; /* the last one that was, 0: none yet */
	int64_t value;  /* what it is worth */
	uint8_t group[PMU_WORTH_GROUPS];
	uint8_t size[PMU_WORTH_GROUPS]; /* in that order */
	int64_t price[PMU_WORTH_GROUPS];
	int depth;
	struct {
		struct pmu_fit fit;
		int64_t value;
		uint64_t set;
		unsigned next; /* group to try */
	} level[PMU_FIT_COUNTERS + 1];
};

/* pmu_worth_group() - group `g` of the job. */
struct pmu_fit_group pmu_worth_group(const struct pmu_worth_job *job, unsigned g);

/* pmu_worth_begin() - looks for sets worth `goal` or more, above 0. Prices up to
 * PMU_WORTH_LARGEST; groups with one of 0 or below are in no set. */
void pmu_worth_begin(struct pmu_worth *s, const struct pmu_worth_job *job, const int64_t *price,
		     int64_t goal);

enum pmu_worth_step {
	PMU_WORTH_GOES_ON,
	PMU_WORTH_FOUND, /* `found` is worth `value`, which reaches the goal; may be gone on */
	PMU_WORTH_OVER,
};

/* pmu_worth_step() - one group more, or one step back. O(events of a group * counters). */
enum pmu_worth_step pmu_worth_step(struct pmu_worth *s, const struct pmu_worth_job *job);

/* pmu_worth_bound() - no set is worth more than this, by what was looked at so far. */
int64_t pmu_worth_bound(const struct pmu_worth *s, const struct pmu_worth_job *job);

/* pmu_worth_extend() - `set` and those of `groups` that still fit beside it, from group `from` on,
 * round. */
uint64_t pmu_worth_extend(const struct pmu_worth_job *job, uint64_t set, uint64_t groups,
			  unsigned from);

/* pmu_worth_take() - of n groups, in this order, each that fits beside those before it. */
uint64_t pmu_worth_take(const struct pmu_worth_job *job, const uint8_t *order, unsigned n);

#endif
