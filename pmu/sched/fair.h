/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fair.h - which groups share a slice, so that the group that runs least runs as much as it can at
 * all.
 *
 * The best worst-case share is the value of a linear program over the sets of groups that fit
 * together: a mixture of such sets. It is solved exactly, in integers, by the simplex method; the
 * sets come from a search for the set that is worth most at present prices. Slices are then dealt
 * out from the sets that are worth most, the least-served groups first, looking a few slices ahead.
 *
 * Rules of use: pmu_fair_prepare() when groups may have changed (each slice; it notices), then
 * pmu_fair_pick(), then pmu_fair_account() once the slice is over. The state is the caller's, all
 * zeroes at first. Pure otherwise; any context.
 *
 * What is guaranteed: a set that is picked fits, and none of the other groups fits beside it (but
 * when they could use more than PMU_FIT_COUNTERS counters: then each group runs by itself). With
 * an unchanged job, once `optimal`, no mixture serves the worst group better than
 * pmu_fair_share(). Dealing aims at leaving no group more than one slice behind that share of the
 * slices so far; it looks ahead for that, but whole slices do not always do, and what was dealt
 * before the mixture was found is not always made up for. Of more groups than PMU_FAIR_GROUPS the
 * caller runs the least served first: a slice in as many as there are groups for each.
 *
 * Cost of a slice, n groups: PMU_FAIR_WORK instructions of solving, and one step of the simplex
 * method more at most, 16 * n^2; then 4096 / n sets weighed against each other, twice at most.
 * The mixture is improved slice by slice until it is the best or PMU_FAIR_STEPS are spent; where
 * numbers grow beyond 29 bits it stays as it is.
 */
#ifndef PMU_SCHED_FAIR_H
#define PMU_SCHED_FAIR_H

#include "pmu/sched/fit.h"

#define PMU_FAIR_GROUPS 64
#define PMU_FAIR_EVENTS 256        /* of all groups */
#define PMU_FAIR_EXTRAS 256        /* registers that these need, of all */
#define PMU_FAIR_SETS   64         /* that slices are dealt from */
#define PMU_FAIR_WORK   30000      /* instructions for each slice, about */
#define PMU_FAIR_STEPS  (1u << 17) /* of the search, for one job */
#define PMU_FAIR_SLICES \
	(1u << 20)          /* after which counting starts over, so that numbers stay small */
#define PMU_FAIR_COURSES 16 /* courses of slices compared */
#define PMU_FAIR_AHEAD   8  /* slices of each */

/* The groups in question, and the events that run beside them in any case (`start`). */
struct pmu_fair_job {
	const struct pmu_demand *groups;
	unsigned n; /* up to PMU_FAIR_GROUPS, with PMU_FAIR_EVENTS and _EXTRAS together */
	const struct pmu_match *start;
	const struct pmu_limits *limits;
};

/* The search for a set that is worth more than those of the mixture: depth first, to be resumed. */
struct pmu_fair_search {
	bool active;
	bool ties;     /* for sets worth as much: the mixture is the best */
	unsigned n;    /* groups with a price above 0, best price for a counter first */
	unsigned left; /* steps */
	uint8_t group[PMU_FAIR_GROUPS];
	uint8_t size[PMU_FAIR_GROUPS]; /* in that order */
	int64_t price[PMU_FAIR_GROUPS];
	int64_t goal; /* what a set must be worth */
	uint64_t found;
	unsigned quick; /* steps that it may take to find a better one yet */
	unsigned depth;
	struct {
		struct pmu_fit fit;
		int64_t value;
		uint64_t set;
		unsigned next; /* group to try */
	} level[PMU_FIT_COUNTERS + 1];
};

/* What some slices from now on bring. */
struct pmu_fair_course {
	uint32_t served[PMU_FAIR_GROUPS]; /* above the floor, after them */
	uint64_t hash;                    /* of that */
	unsigned late;                    /* groups behind their due, in all these slices */
	uint8_t set[PMU_FAIR_AHEAD];
};

struct pmu_fair {
	unsigned njob;      /* groups of the job */
	unsigned n;         /* those that fit at all */
	uint64_t signature; /* of what was prepared for */
	unsigned pivots;    /* steps of the simplex method so far */
	bool done;          /* nothing more to improve, or given up */
	bool optimal;       /* proven */
	bool full_sets;     /* no other group fits beside a set that is picked */

	/*
	 * The job by new numbers; group g's events are from first[g] to before first[g + 1], and
	 * the registers that they need likewise.
	 */
	uint8_t group[PMU_FAIR_GROUPS]; /* its number in the job */
	struct pmu_fit_rules rules;
	struct pmu_fit start;
	uint32_t masks[PMU_FAIR_EVENTS];
	uint16_t first[PMU_FAIR_GROUPS + 1];
	struct pmu_extra extras[PMU_FAIR_EXTRAS];
	uint16_t first_extra[PMU_FAIR_GROUPS + 1];
	uint64_t corrupting, exclusive;

	/*
	 * The basis: n sets of groups, each in the mixture with share x[i] / total. inverse is the
	 * inverse of the matrix with the sets as columns, times denominator; all are integers.
	 */
	uint64_t set[PMU_FAIR_GROUPS];
	uint64_t full[PMU_FAIR_GROUPS]; /* with all that still fits; 0: not looked for yet */
	int64_t inverse[PMU_FAIR_GROUPS][PMU_FAIR_GROUPS];
	int64_t x[PMU_FAIR_GROUPS];
	int64_t price[PMU_FAIR_GROUPS]; /* sums of columns */
	int64_t denominator;
	int64_t largest; /* that an entry ever was */
	int64_t total;
	struct pmu_fair_search search;

	/* Dealing out. */
	unsigned nsets;
	uint64_t sets[PMU_FAIR_SETS];
	uint64_t hashes[PMU_FAIR_SETS];
	uint32_t slices;                  /* since counting started */
	uint64_t floor;                   /* service of the least-served group then */
	uint32_t served[PMU_FAIR_GROUPS]; /* above it, now */
	unsigned ahead, ncourses;         /* 0 courses: nothing is known */
	struct pmu_fair_course courses[2][PMU_FAIR_COURSES];
	unsigned side; /* which of the two */
	int picked;    /* set of this slice, or -1 */
};

/* pmu_fair_prepare() - starts over when the job is another one, and improves the mixture. */
void pmu_fair_prepare(struct pmu_fair *f, const struct pmu_fair_job *job);

/*
 * pmu_fair_pick() - the set whose turn it is, a bit for each group of the job. `served`: how many
 * slices each group has run.
 */
uint64_t pmu_fair_pick(struct pmu_fair *f, const uint64_t *served);

/* pmu_fair_account() - the slice that was picked last is over. */
void pmu_fair_account(struct pmu_fair *f);

/*
 * pmu_fair_share() - what the worst group gets of the time in the long run, in millionths; exact,
 * and the optimum, when f->optimal.
 */
uint32_t pmu_fair_share(const struct pmu_fair *f);

/*
 * For fair.c: the sets to deal from are others now. Beyond PMU_FAIR_SETS, or once they are in, sets
 * are left out.
 */
void pmu_fair_clear_sets(struct pmu_fair *f);
void pmu_fair_add_set(struct pmu_fair *f, uint64_t set);

#endif
