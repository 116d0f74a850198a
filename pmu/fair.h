/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fair.h - which groups share a slice, so that the group that runs least runs as much as it can at
 * all.
 *
 * The best worst-case share is the value of a linear program over the sets of groups that fit
 * together: a mixture of such sets. It is solved exactly, in integers, by the simplex method; the
 * sets come from a search for the set that is worth most at present prices. Slices are then dealt
 * out so that each set of the mixture keeps to its quota, the least-served groups first among those
 * that do, looking a few slices ahead.
 *
 * Rules of use: pmu_fair_prepare() when groups may have changed (each slice; it notices), then
 * pmu_fair_pick(), then pmu_fair_account() once the slice is over. The state is the caller's, all
 * zeroes at first. Pure otherwise; any context.
 *
 * Cost of a call, n groups on c counters: up to 16 groups are solved at once; of larger ones each
 * slice solves a part, 4096 cells of the table and 8192/n steps of the search (each O(n + c^2)),
 * and deals by the best mixture so far. Then O(n^2) for the pick. Where numbers grow beyond 24 bits
 * or the search ends early, the mixture stays as good as it is, and `optimal` false. Stack: 600
 * bytes for each group that runs at the same time.
 */
#ifndef PMU_FAIR_H
#define PMU_FAIR_H

#include "pmu/match.h"

#define PMU_FAIR_GROUPS 64
#define PMU_FAIR_SMALL  16 /* groups that are solved at once, and looked ahead for */
#define PMU_FAIR_SLICES                                                           \
	(1u << 20) /* after which dealing starts over, so that numbers stay small \
		    */

struct pmu_fair {
	unsigned n;         /* groups */
	uint64_t signature; /* of what was prepared for */
	unsigned pivots;    /* steps of the simplex method so far */
	bool done;          /* nothing more to improve, or given up */
	bool optimal;       /* proven */

	/*
	 * The basis: n sets of groups, each in the mixture with share x[i] / total. inverse is the
	 * inverse of the matrix with the sets as columns, times denominator; all are integers.
	 */
	uint64_t set[PMU_FAIR_GROUPS];
	uint64_t full[PMU_FAIR_GROUPS]; /* with all that still fits */
	int64_t inverse[PMU_FAIR_GROUPS][PMU_FAIR_GROUPS];
	int64_t x[PMU_FAIR_GROUPS];
	int64_t denominator;
	int64_t total;

	/* Dealing out, since the mixture is what it is. */
	uint32_t slices;
	uint32_t dealt[PMU_FAIR_GROUPS]; /* of these, by set */
	uint64_t floor;                  /* service of the least-served group then */
	int picked;                      /* set of this slice, or -1 */
};

/* The groups in question: each fits beside `start` when it is alone. */
struct pmu_fair_job {
	const struct pmu_demand *groups;
	unsigned n; /* up to PMU_FAIR_GROUPS */
	const struct pmu_match *start;
	const struct pmu_limits *limits;
};

/* pmu_fair_prepare() - starts over when the job is another one, and improves the mixture. */
void pmu_fair_prepare(struct pmu_fair *f, const struct pmu_fair_job *job);

/*
 * pmu_fair_pick() - the set whose turn it is, a bit for each group; it fits. `served`: how many
 * slices each group has run. Others may well fit beside it.
 */
uint64_t pmu_fair_pick(struct pmu_fair *f, const uint64_t *served);

/* pmu_fair_account() - the slice that was picked last is over. */
void pmu_fair_account(struct pmu_fair *f);

/*
 * pmu_fair_share() - what the worst group gets of the time in the long run, in millionths; exact,
 * and the optimum, when f->optimal.
 */
uint32_t pmu_fair_share(const struct pmu_fair *f);

#endif
