/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * judge.h - the best shares that groups of events can have of some counters, by GLPK: a linear
 * program over sets of groups that fit together, whose columns are made as they are needed, each by
 * an integer program. Nothing in common with pmu/sched/.
 */
#ifndef TESTS_STUDY_JUDGE_H
#define TESTS_STUDY_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#define JUDGE_GROUPS 64
#define JUDGE_EVENTS 4

/* Each event of a group needs one of the counters of its mask, and all of them one of their own. */
struct judge_load {
	unsigned n;
	struct {
		unsigned n;
		uint64_t mask[JUDGE_EVENTS];
	} group[JUDGE_GROUPS];
};

/*
 * judge_shares() - of each group: the least one as large as it can be, then the next one, and so
 * on; with `worst_only` the least one in share[0] alone. False: GLPK gave up.
 */
bool judge_shares(const struct judge_load *load, double *share, bool worst_only);

#endif
