/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mixture.h - a mixture of sets of groups. Each set has a share of time, each group is served as
 * much as it needs, and the sum of shares is minimal. This is a linear program, solved exactly, in
 * integers, by the simplex method with column generation: the caller provides sets that improve it
 * (best_groups.h). Every subset of a set that fits also fits, so "as much as it needs" loses
 * nothing against "at least".
 *
 * Primal steps (pmu_mixture_enter()) reduce the sum. Once no set has a value above 1 at the prices,
 * the sum is minimal, and its inverse is the best share that the worst group can have. Dual steps
 * (pmu_mixture_raise(), pmu_mixture_replace()) then raise the needs of groups as far as the sum
 * allows. Groups with a price above 0 are at their limit; the others continue together. In the end
 * no group can gain unless a group with no larger share loses: the lexicographic optimum.
 *
 * Invariant: inverse * (0/1 matrix of the basis) = denominator * identity, in integers without
 * rounding. Each step divides by the old denominator without a remainder.
 *
 * Pure functions, any context; the caller provides the storage. If numbers would become too large,
 * the step returns false, and the mixture is unchanged.
 */
#ifndef PMU_SCHED_MIXTURE_H
#define PMU_SCHED_MIXTURE_H

#include "pmu/sched/exact.h"

#define PMU_MIXTURE_GROUPS 64

struct pmu_mixture {
	unsigned n;
	/*
	 * The basis: n sets of groups, each in the mixture with share x[i] / total. `inverse` is
	 * the inverse of the matrix with the sets as columns, times `denominator`; all are
	 * integers.
	 */
	uint64_t set[PMU_MIXTURE_GROUPS];
	int64_t inverse[PMU_MIXTURE_GROUPS][PMU_MIXTURE_GROUPS];
	int64_t denominator;
	int64_t largest;                   /* at least the magnitude of each entry of `inverse` */
	int64_t price[PMU_MIXTURE_GROUPS]; /* price of each group, times denominator: the sum of its
					      column */
	exact_t x[PMU_MIXTURE_GROUPS];     /* shares, times denominator * unit */
	exact_t total;                     /* sum of x */
	uint64_t need[PMU_MIXTURE_GROUPS]; /* need of each group, times unit */
	uint64_t unit;
	uint64_t limited; /* groups that cannot have more */
	unsigned turns;   /* start of the search for a row, changed each time so that steps without
			     progress do not cycle */
};

/* pmu_mixture_start() - each group is a set of its own and needs 1. */
void pmu_mixture_start(struct pmu_mixture *m, unsigned n);

/*
 * pmu_mixture_pack() - replaces the single set of group `g` by `set`, which contains it. The rows
 * of all groups in `set` must still be as at the start; those of the other groups stay in the basis
 * with share 0.
 */
void pmu_mixture_pack(struct pmu_mixture *m, unsigned g, uint64_t set);

/*
 * pmu_mixture_restore() - computes shares, prices and bounds again where n, set, inverse,
 * denominator, need and unit were stored.
 */
void pmu_mixture_restore(struct pmu_mixture *m);

/*
 * pmu_mixture_worth() - the value of a set, times denominator; a higher value allows a primal step.
 */
int64_t pmu_mixture_worth(const struct pmu_mixture *m, uint64_t set);

/* pmu_mixture_enter() - a primal step: the set enters the basis, another one leaves. */
bool pmu_mixture_enter(struct pmu_mixture *m, uint64_t set);

/* pmu_mixture_takes() - true where an equally good mixture contains the set. */
bool pmu_mixture_takes(const struct pmu_mixture *m, uint64_t set);

/* pmu_mixture_limit() - the mixture is optimal: marks groups with a price as limited. */
void pmu_mixture_limit(struct pmu_mixture *m);

/*
 * pmu_mixture_raise() - raises the needs of unlimited groups as far as this basis allows. Returns
 * the row that limits it, whose share is now 0; -1: numbers too large.
 */
int pmu_mixture_raise(struct pmu_mixture *m);

/*
 * A set that replaces `row` must have the least (denominator - value) / gain of all sets with a
 * gain. A group's gain is -inverse[row][g], a set's is their sum.
 * pmu_mixture_offer() - the prices that `set` would lead to: a better set has a value above
 * `worth`, the value of `set` itself.
 * pmu_mixture_replace() - a dual step.
 */
int64_t pmu_mixture_gain(const struct pmu_mixture *m, unsigned row, uint64_t set);
bool pmu_mixture_offer(const struct pmu_mixture *m, unsigned row, uint64_t set, int64_t *price,
		       int64_t *worth);
bool pmu_mixture_replace(struct pmu_mixture *m, unsigned row, uint64_t set);

#endif
