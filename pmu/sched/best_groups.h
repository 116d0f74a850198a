/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * best_groups.h - finds the most valuable set of groups that fit together, where each group has a
 * price. Branch and bound, depth first: the best price per counter comes first, and a branch ends
 * where the rest cannot reach the goal. The search can be resumed after each step. Pure functions,
 * any context; the caller provides the storage.
 */
#ifndef PMU_SCHED_BEST_GROUPS_H
#define PMU_SCHED_BEST_GROUPS_H

#include "pmu/sched/fit.h"

#define PMU_WORTH_GROUPS  64
#define PMU_WORTH_EVENTS  256         /* events of all groups */
#define PMU_WORTH_EXTRAS  256         /* registers that these events need */
#define PMU_WORTH_LARGEST (1ll << 56) /* of a price: sums over all groups fit */

/* The groups, and the events that run beside them in any case. */
struct pmu_worth_job {
	unsigned n;
	struct pmu_fit_rules rules;
	struct pmu_fit start;
	uint64_t corrupting, exclusive;
	/* The events of group g are first[g] to first[g + 1] - 1, and its registers likewise. */
	uint32_t masks[PMU_WORTH_EVENTS];
	uint16_t first[PMU_WORTH_GROUPS + 1];
	struct pmu_extra extras[PMU_WORTH_EXTRAS];
	uint16_t first_extra[PMU_WORTH_GROUPS + 1];
};

struct pmu_worth {
	unsigned n;     /* groups with a price above 0, best price per counter first */
	uint64_t dear;  /* mask of these groups */
	int64_t goal;   /* the value that a set must reach */
	uint64_t found; /* the last set that reached it; 0: none yet */
	int64_t value;  /* value of that set */
	uint8_t group[PMU_WORTH_GROUPS];
	uint8_t size[PMU_WORTH_GROUPS]; /* in the order of `group` */
	int64_t price[PMU_WORTH_GROUPS];
	int depth;
	struct {
		struct pmu_fit fit;
		int64_t value;
		uint64_t set;
		unsigned next; /* next group to try */
	} level[PMU_FIT_COUNTERS + 1];
};

/* pmu_worth_group() - group `g` of the job. */
struct pmu_fit_group pmu_worth_group(const struct pmu_worth_job *job, unsigned g);

/*
 * pmu_worth_begin() - starts a search for sets with a value of at least `goal`, which is above 0.
 * Prices are at most PMU_WORTH_LARGEST; groups with a price of 0 or less are in no set.
 */
void pmu_worth_begin(struct pmu_worth *s, const struct pmu_worth_job *job, const int64_t *price,
		     int64_t goal);

enum pmu_worth_step {
	PMU_WORTH_GOES_ON,
	PMU_WORTH_FOUND, /* `found` has the value `value`, which reaches the goal; the search can
			    continue */
	PMU_WORTH_OVER,
};

/* pmu_worth_step() - adds one group, or goes back one step. O(events of a group * counters). */
enum pmu_worth_step pmu_worth_step(struct pmu_worth *s, const struct pmu_worth_job *job);

/* pmu_worth_bound() - an upper bound on the value of any set, by the search so far. */
int64_t pmu_worth_bound(const struct pmu_worth *s, const struct pmu_worth_job *job);

/*
 * pmu_worth_extend() - extends `set` by the groups of `groups` that fit beside it, cyclically from
 * group `from` on.
 */
uint64_t pmu_worth_extend(const struct pmu_worth_job *job, uint64_t set, uint64_t groups,
			  unsigned from);

/* pmu_worth_take() - of n groups, takes each in this order that fits beside those before it. */
uint64_t pmu_worth_take(const struct pmu_worth_job *job, const uint8_t *order, unsigned n);

#endif
