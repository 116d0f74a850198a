/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mixture.h - a mixture of sets of groups: each set has a share of time, each group is served as
 * much as it needs, and the sum of shares is to be least. A linear program, solved exactly, in
 * integers, by the simplex method; the sets come one by one from the caller, which finds those that
 * are worth a step (worth.h). As every part of a set that fits also fits, "as much as it needs"
 * loses nothing against "at least".
 *
 * Primal steps (pmu_mixture_enter()) make the sum less. Once no set is worth more than 1 at the
 * prices, it is the least, and its inverse the best share that the worst group can have. Then what
 * groups need is raised as far as the sum allows, by dual steps (pmu_mixture_raise(),
 * pmu_mixture_replace()): groups with a price above 0 are at their limit, the others go on
 * together. At the end no group can have more, but one that has less, or as little, had less then:
 * the lexicographic optimum.
 *
 * Invariant: inverse * (0/1 matrix of the basis) = denominator * identity, in integers without
 * rounding: each step divides by the old denominator, which divides evenly.
 *
 * Pure, any context; the caller's storage. Numbers that would become too large end it: the step
 * answers false, and the mixture stays as it is.
 */
#ifndef PMU_SCHED_MIXTURE_H
#define PMU_SCHED_MIXTURE_H

#include "pmu/sched/exact.h"

#define PMU_MIXTURE_GROUPS 64

struct pmu_mixture {
	unsigned n;
	/*
	 * The basis: n sets of groups, each in the mixture with share x[i] / total. inverse is the
	 * inverse of the matrix with the sets as columns, times denominator; all are integers.
	 */
	uint64_t set[PMU_MIXTURE_GROUPS];
	int64_t inverse[PMU_MIXTURE_GROUPS][PMU_MIXTURE_GROUPS];
	int64_t denominator;
	int64_t price[PMU_MIXTURE_GROUPS]; /* sums of columns: of a group, times denominator */
	exact_t x[PMU_MIXTURE_GROUPS];     /* shares, times denominator * unit */
	exact_t total;                     /* of these */
	uint64_t need[PMU_MIXTURE_GROUPS]; /* of each group, times unit */
	uint64_t unit;
	uint64_t limited; /* groups that can have no more */
	unsigned turns; /* where the search for rows begins: another place each time, so that steps
			   that change nothing do not go round in circles */
};

/* pmu_mixture_start() - each group by itself; each needs 1. */
void pmu_mixture_start(struct pmu_mixture *m, unsigned n);

/* pmu_mixture_pack() - `set` in place of group `g` by itself, which must be in it and whose row
 * must be as it was at the start, and so must those of the other groups in it; they stay in the
 * basis for nothing. */
void pmu_mixture_pack(struct pmu_mixture *m, unsigned g, uint64_t set);

/* pmu_mixture_worth() - of a set, times denominator; above that it is worth a primal step. */
int64_t pmu_mixture_worth(const struct pmu_mixture *m, uint64_t set);

/* pmu_mixture_enter() - a primal step: the set comes in, another one goes. */
bool pmu_mixture_enter(struct pmu_mixture *m, uint64_t set);

/* pmu_mixture_takes() - whether there is a mixture as good with some share of the set. */
bool pmu_mixture_takes(const struct pmu_mixture *m, uint64_t set);

/* pmu_mixture_limit() - the mixture is the best: groups with a price are at their limit. */
void pmu_mixture_limit(struct pmu_mixture *m);

/* pmu_mixture_raise() - raises what the groups that are not limited need as far as this basis
 * goes. The row that ends it, which has no share any more; -1: numbers too large. */
int pmu_mixture_raise(struct pmu_mixture *m);

/*
 * The set that is to take the place of `row` has the least (denominator - worth) / gain of all with
 * a gain; a group's gain is -inverse[row][g], a set's their sum.
 * pmu_mixture_offer() - the prices that `set` would lead to: a set that is better is worth more
 * than `worth`, which the set itself is. pmu_mixture_replace() - a dual step.
 */
int64_t pmu_mixture_gain(const struct pmu_mixture *m, unsigned row, uint64_t set);
bool pmu_mixture_offer(const struct pmu_mixture *m, unsigned row, uint64_t set, int64_t *price,
		       int64_t *worth);
bool pmu_mixture_replace(struct pmu_mixture *m, unsigned row, uint64_t set);

#endif
