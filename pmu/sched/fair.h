/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fair.h - decides which groups share a slice. The group that runs least runs as much as possible,
 * then the second least, and so on (max-min fairness).
 *
 * The best shares solve a linear program over the sets of groups that fit together. The solution is
 * a mixture of such sets (mixture.h), computed exactly, in integers. A search for the most valuable
 * set at present prices provides the sets (best_groups.h). deal.c then deals slices to sets of the
 * best mixtures, looking a few slices ahead, and prefers the groups that are furthest behind their
 * due.
 *
 * Rules of use: call pmu_fair_prepare() when groups may have changed (each slice; it notices
 * changes), then pmu_fair_pick(), and pmu_fair_account() once the slice is over. The caller
 * provides the state, all zeros at first. Otherwise pure; any context.
 *
 * A result is kept (fair_known.c): where the same groups come again, nothing is searched. The host
 * tool can solve a job for the image, with this code (fair_solve.h). Then pmu_fair_know() adds
 * the result before the groups run, so that no interrupt searches.
 *
 * Guarantees: a picked set fits, and no other group fits beside it. (If the groups use more than
 * PMU_FIT_COUNTERS counters, each group runs by itself.) With an unchanged job, once `optimal`, no
 * mixture serves the worst group better than pmu_fair_share(). Once `ordered`, a group can gain
 * only what a group with no larger share loses. Dealing tries to leave no group more than one slice
 * behind its share of the slices so far. Lags from before the mixture was found are not always made
 * up for. With more than PMU_FAIR_GROUPS groups, the caller runs the least served first.
 *
 * Cost of a slice with n groups: PMU_FAIR_WORK instructions of solving on average. Until the
 * mixture is found, the maximum is PMU_FAIR_AT_ONCE and one step of the simplex method, 40 * n^2.
 * After that, up to PMU_FAIR_FEW groups: 4096 / n sets are compared, at most twice. With more
 * groups: one lag for each group, and one sum for each set (deal_many.c). The mixture is improved
 * slice by slice until it is optimal or PMU_FAIR_STEPS are used up. If numbers grow beyond 56 bits
 * it stays as it is, and pmu_fair_bound() bounds the loss.
 */
#ifndef PMU_SCHED_FAIR_H
#define PMU_SCHED_FAIR_H

#include "include/perf0/fair_solution.h"
#include "pmu/sched/mixture.h"
#include "pmu/sched/best_groups.h"

#define PMU_FAIR_GROUPS  PMU_MIXTURE_GROUPS
#define PMU_FAIR_SETS    64         /* sets available for dealing */
#define PMU_FAIR_WORK    240000     /* approximate instructions per slice */
#define PMU_FAIR_AT_ONCE 960000     /* the most in one slice, after slices with little work */
#define PMU_FAIR_STEPS   (1u << 20) /* search steps for one job */
#define PMU_FAIR_SCARCE  12 /* most counters for which all subsets are examined for scarcity */
#define PMU_FAIR_COURSES 16 /* courses of slices that are compared */
#define PMU_FAIR_AHEAD   8  /* slices of a course */
#define PMU_FAIR_WHOLE   FAIR_WHOLE
#define PMU_FAIR_FEW     10 /* groups of a job for which courses are compared */
#define PMU_FAIR_KEPT    8  /* results that are kept */
#define PMU_FAIR_LEVELS  48 /* levels of lag */
#define PMU_FAIR_LEAD    8  /* slices that a group may be ahead at the start */

/* The groups to schedule, and the events that run beside them in any case (`start`). */
struct pmu_fair_job {
	const struct pmu_demand *groups;
	unsigned n; /* at most PMU_FAIR_GROUPS, with PMU_WORTH_EVENTS and _EXTRAS in total */
	const struct pmu_match *start;
	const struct pmu_limits *limits;
};

enum pmu_fair_phase {
	PMU_FAIR_IMPROVES, /* improves the share of the worst group */
	PMU_FAIR_RAISES,   /* raises the shares of the others */
	PMU_FAIR_DONE,     /* solved or given up */
};

/* A course: sets for the next slices, and their effect. */
struct pmu_fair_course {
	int32_t lag[PMU_FAIR_GROUPS]; /* whole slices that the group is behind its due, after them
				       */
	uint64_t hash;                /* hash of services */
	unsigned late; /* sum over these slices of the groups more than one slice behind */
	uint64_t set[PMU_FAIR_AHEAD];
};

/* The due of a group: a share of all slices. */
struct pmu_fair_due {
	uint64_t share;    /* in units of 1 / PMU_FAIR_WHOLE, rounded down */
	uint64_t fraction; /* fraction of a slice that is due beside whole ones, in the same unit */
};

/* The result of a job. Up to PMU_FAIR_FEW groups have the basis, because courses need it. */
struct pmu_fair_known {
	uint64_t signature;
	unsigned njob; /* 0: unused */
	unsigned used; /* time of the last use */
	bool optimal, ordered;
	uint32_t share, bound;
	struct fair_basis {
		unsigned n;
		int64_t denominator;
		uint64_t unit, limited;
		uint64_t set[PMU_FAIR_FEW], need[PMU_FAIR_FEW];
		int64_t inverse[PMU_FAIR_FEW][PMU_FAIR_FEW];
		int64_t gathered[PMU_FAIR_FEW];
	} basis;
	/* More groups have the sets, and the due of each group, both by number in the job. */
	unsigned nsets;
	uint64_t sets[PMU_FAIR_SETS];
	uint64_t due[PMU_FAIR_GROUPS];
};

struct pmu_fair {
	/* Set by the caller. */
	bool at_once; /* solves a job as soon as it comes: for hosts, which have the time */
	struct fair_problem *describes; /* pmu_fair_prepare() only writes the problem there */

	/* Results of earlier jobs, and of the host tool. */
	unsigned clock;
	struct pmu_fair_known known[PMU_FAIR_KEPT];

	unsigned njob;                  /* groups of the job */
	unsigned n;                     /* groups that fit at all */
	uint64_t signature;             /* hash of the prepared job */
	uint8_t group[PMU_FAIR_GROUPS]; /* number in the job, by number here */
	struct pmu_worth_job job;

	/* The solver. */
	enum pmu_fair_phase phase;
	bool adopted;    /* the result was known: the mixture is not here, but for few groups */
	uint32_t share;  /* of the worst group, where it was adopted */
	bool optimal;    /* proven: the share of the worst group */
	bool ordered;    /* proven: the shares of all others */
	bool full_sets;  /* no other group fits beside a picked set */
	bool searches;   /* `search` is active */
	bool stuck;      /* the numbers became too large with the best set */
	int row;         /* row of the basis that the search wants to replace; -1: none */
	uint64_t better; /* the best set for that row so far */
	unsigned steps;  /* simplex steps so far */
	unsigned left;   /* search steps left */
	unsigned quick;  /* search steps left for improving a found set */
	unsigned spent;  /* instructions beyond PMU_FAIR_WORK per slice so far */
	uint32_t bound;  /* upper bound on the share of the worst group, in millionths */
	unsigned scarce; /* number of scarce counters */
	unsigned crowd;  /* number of events that can use only these */
	uint16_t within[1 << PMU_FAIR_SCARCE];
	struct pmu_mixture mixture;
	struct pmu_worth search;
	int64_t gathered[PMU_FAIR_GROUPS]; /* prices of all proofs, added up */

	/* Sets of the basis, and their extensions by all that fits; computed on demand. */
	uint64_t plain[PMU_FAIR_GROUPS];
	uint64_t full[PMU_FAIR_GROUPS];

	/* Dealing. */
	unsigned nsets;
	uint64_t sets[PMU_FAIR_SETS];
	uint64_t hashes[PMU_FAIR_SETS];
	bool counts;                              /* `served` is valid */
	uint64_t served[PMU_FAIR_GROUPS];         /* slices by the caller's count */
	int32_t lag[PMU_FAIR_GROUPS];             /* whole slices behind its due, now */
	struct pmu_fair_due due[PMU_FAIR_GROUPS]; /* after the next `ahead` slices */
	uint64_t now[PMU_FAIR_GROUPS];            /* fractions of dues, now */
	unsigned ahead, ncourses;                 /* 0 courses: start anew */
	struct pmu_fair_course courses[2][PMU_FAIR_COURSES];
	unsigned side;                    /* index of the current courses */
	uint64_t picked;                  /* set of this slice; 0: not picked yet */
	uint64_t last;                    /* set of the slice before */
	uint8_t order[PMU_FAIR_GROUPS];   /* by price and by the time left, as it was last */
	uexact_t weight[PMU_FAIR_LEVELS]; /* weight of a lag, by its level */
};

/* pmu_fair_prepare() - starts over when the job has changed, and improves the mixture. */
void pmu_fair_prepare(struct pmu_fair *f, const struct pmu_fair_job *job);

/*
 * pmu_fair_pick() - the set for this slice, a bit for each group of the job. `served` is the number
 * of slices that each group has run; NULL: what pmu_fair_account() has accounted for, and no more.
 */
uint64_t pmu_fair_pick(struct pmu_fair *f, const uint64_t *served);

/* pmu_fair_account() - accounts for the picked slice, which is over. */
void pmu_fair_account(struct pmu_fair *f);

/*
 * pmu_fair_share() - the share of the time of the worst group in the long run, in millionths;
 * exact, and optimal when f->optimal.
 * pmu_fair_bound() - an upper bound of that share.
 */
uint32_t pmu_fair_share(const struct pmu_fair *f);
uint32_t pmu_fair_bound(const struct pmu_fair *f);

/*
 * pmu_fair_know() - adds a solution that pmu_fair_check() (fair_solve.h) has accepted.
 * pmu_fair_knows() - true where the result of that key and number of groups is there.
 */
void pmu_fair_know(struct pmu_fair *f, const struct fair_solution *solution);
bool pmu_fair_knows(const struct pmu_fair *f, uint64_t key, unsigned groups);

/*
 * For the files of policy fair.
 * pmu_fair_signature() - a hash of the job.
 * pmu_fair_number() - numbers the groups of the job that fit at all. False: too many counters.
 * pmu_fair_keep() - keeps the result of the present job. pmu_fair_recall() - takes the result of
 * `job`, with that signature, if it is known.
 * pmu_fair_deal_many() - the best set for the next slice, of those in `sets`.
 * pmu_fair_by_job() - the groups of a set, by their numbers in the job.
 */
uint64_t pmu_fair_signature(const struct pmu_fair_job *job);
bool pmu_fair_number(struct pmu_fair *f, const struct pmu_fair_job *job);
void pmu_fair_keep(struct pmu_fair *f);
bool pmu_fair_recall(struct pmu_fair *f, const struct pmu_fair_job *job, uint64_t signature);
void pmu_fair_fill_sets(struct pmu_fair *f);
uint64_t pmu_fair_fixed(exact_t part, exact_t whole); /* part / whole, of PMU_FAIR_WHOLE */
uint64_t pmu_fair_deal_many(const struct pmu_fair *f);
uint64_t pmu_fair_by_job(const struct pmu_fair *f, uint64_t set);

/*
 * For fair.c: clear and add sets for dealing, and set the dues of groups. A duplicate set, or one
 * beyond PMU_FAIR_SETS, is ignored.
 */
void pmu_fair_clear_sets(struct pmu_fair *f);
void pmu_fair_add_set(struct pmu_fair *f, uint64_t set);
void pmu_fair_set_dues(struct pmu_fair *f);
void pmu_fair_begin_dealing(struct pmu_fair *f); /* for a new job */

#endif
