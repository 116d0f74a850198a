/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fair.h - which groups share a slice, so that the group that runs least runs as much as it can at
 * all, then the next one, and so on.
 *
 * The best shares are those of a linear program over the sets of groups that fit together: a
 * mixture of such sets (mixture.h). It is solved exactly, in integers; the sets come from a search
 * for the set that is worth most at present prices (worth.h). Slices are then dealt out from sets
 * that are in one of the best mixtures, those groups first that are furthest behind their due,
 * looking a few slices ahead (deal.c).
 *
 * Rules of use: pmu_fair_prepare() when groups may have changed (each slice; it notices), then
 * pmu_fair_pick(), then pmu_fair_account() once the slice is over. The state is the caller's, all
 * zeroes at first. Pure otherwise; any context.
 *
 * What is guaranteed: a set that is picked fits, and none of the other groups fits beside it (but
 * when they could use more than PMU_FIT_COUNTERS counters: then each group runs by itself). With
 * an unchanged job, once `optimal`, no mixture serves the worst group better than
 * pmu_fair_share(); once `ordered`, no group can have more unless one that has no more than it
 * loses. Dealing aims at leaving no group more than one slice behind its share of the slices so
 * far; what was dealt before the mixture was found is not always made up for. Of more groups than
 * PMU_FAIR_GROUPS the caller runs the least served first: a slice in as many as there are groups
 * for each.
 *
 * Cost of a slice, n groups: PMU_FAIR_WORK instructions of solving in the mean, PMU_FAIR_AT_ONCE
 * and one step of the simplex method, 40 * n^2, at most, until the mixture is found; then 4096 / n
 * sets weighed against each other, twice at most. The mixture is improved slice by slice until it
 * is the best or PMU_FAIR_STEPS are spent; where numbers grow beyond 56 bits it stays as it is, and
 * pmu_fair_bound() tells how much is missing at most.
 */
#ifndef PMU_SCHED_FAIR_H
#define PMU_SCHED_FAIR_H

#include "pmu/sched/mixture.h"
#include "pmu/sched/worth.h"

#define PMU_FAIR_GROUPS  PMU_MIXTURE_GROUPS
#define PMU_FAIR_SETS    64         /* that slices are dealt from */
#define PMU_FAIR_WORK    240000     /* instructions for each slice, about */
#define PMU_FAIR_AT_ONCE 960000     /* in one, when there was little to do before */
#define PMU_FAIR_STEPS   (1u << 20) /* of the search, for one job */
#define PMU_FAIR_SCARCE  12         /* counters that all sets of are looked at for scarce ones */
#define PMU_FAIR_COURSES 16         /* courses of slices compared */
#define PMU_FAIR_AHEAD   8          /* slices of each */
#define PMU_FAIR_WHOLE   (1ull << 62)
#define PMU_FAIR_LEAD \
	8 /* slices that a group may have had more than another one when counting starts */

/* The groups in question, and the events that run beside them in any case (`start`). */
struct pmu_fair_job {
	const struct pmu_demand *groups;
	unsigned n; /* up to PMU_FAIR_GROUPS, with PMU_WORTH_EVENTS and _EXTRAS together */
	const struct pmu_match *start;
	const struct pmu_limits *limits;
};

enum pmu_fair_phase {
	PMU_FAIR_IMPROVES, /* the worst group's share */
	PMU_FAIR_RAISES,   /* those of the others */
	PMU_FAIR_DONE,     /* or given up */
};

/* What some slices from now on bring. */
struct pmu_fair_course {
	int32_t lag[PMU_FAIR_GROUPS]; /* whole slices behind its due, after them */
	uint64_t hash;                /* of services */
	unsigned late; /* groups that were more than one behind, in all these slices */
	uint64_t set[PMU_FAIR_AHEAD];
};

/* What a group is due: a share of all slices. */
struct pmu_fair_due {
	uint64_t share;    /* over PMU_FAIR_WHOLE, rounded down */
	uint64_t fraction; /* of a slice that it is due beside whole ones, likewise */
};

struct pmu_fair {
	unsigned njob;                  /* groups of the job */
	unsigned n;                     /* those that fit at all */
	uint64_t signature;             /* of what was prepared for */
	uint8_t group[PMU_FAIR_GROUPS]; /* by our number: by that in the job */
	struct pmu_worth_job job;

	/* Solving. */
	enum pmu_fair_phase phase;
	bool optimal;    /* proven: the worst group's share */
	bool ordered;    /* proven: the shares of all others */
	bool full_sets;  /* no other group fits beside a set that is picked */
	bool searches;   /* `search` is under way */
	bool stuck;      /* numbers became too large with the best set */
	int row;         /* of the basis, that another set is looked for to replace; -1: none */
	uint64_t better; /* the best set for it so far */
	unsigned steps;  /* of the simplex method so far */
	unsigned left;   /* steps of searches */
	unsigned quick;  /* steps that it may take to find a better one yet */
	unsigned spent;  /* instructions, beyond PMU_FAIR_WORK for each slice so far */
	uint32_t bound;  /* on the worst group's share, in millionths */
	unsigned scarce; /* counters ... */
	unsigned crowd;  /* ... that so many events have no other than */
	uint16_t within[1 << PMU_FAIR_SCARCE];
	struct pmu_mixture mixture;
	struct pmu_worth search;
	int64_t gathered[PMU_FAIR_GROUPS]; /* prices of all proofs, added up */

	/* Sets of the basis, and these with all that fits beside: of those that were asked for. */
	uint64_t plain[PMU_FAIR_GROUPS];
	uint64_t full[PMU_FAIR_GROUPS];

	/* Dealing out. */
	unsigned nsets;
	uint64_t sets[PMU_FAIR_SETS];
	uint64_t hashes[PMU_FAIR_SETS];
	bool counts;                              /* `served` is known */
	uint64_t served[PMU_FAIR_GROUPS];         /* as the caller counts */
	int32_t lag[PMU_FAIR_GROUPS];             /* whole slices behind its due, now */
	struct pmu_fair_due due[PMU_FAIR_GROUPS]; /* after `ahead` slices from now on */
	uint64_t now[PMU_FAIR_GROUPS];            /* fractions now */
	unsigned ahead, ncourses;                 /* 0 courses: nothing is known */
	struct pmu_fair_course courses[2][PMU_FAIR_COURSES];
	unsigned side;   /* which of the two */
	uint64_t picked; /* set of this slice; 0: none yet */
	uint64_t last;   /* of the slice before */
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
 * pmu_fair_bound() - what it could get at most.
 */
uint32_t pmu_fair_share(const struct pmu_fair *f);
uint32_t pmu_fair_bound(const struct pmu_fair *f);

/*
 * For fair.c: the sets to deal from, or what groups are due, are others now. Beyond PMU_FAIR_SETS,
 * or once they are in, sets are left out.
 */
void pmu_fair_clear_sets(struct pmu_fair *f);
void pmu_fair_add_set(struct pmu_fair *f, uint64_t set);
void pmu_fair_set_dues(struct pmu_fair *f);

#endif
